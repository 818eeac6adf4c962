//! The Lightweight Profiling unit in the harness: its flat image, its environment, its sessions.

pub mod device;
pub mod session;
pub mod unflat;
pub mod world;

pub use lwp_model::lwp::flat::{self, fields};
