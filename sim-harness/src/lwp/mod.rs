//! The Lightweight Profiling unit in the harness: its flat image, its environment, its sessions, a machine for drivers.

pub mod capsule;
pub mod device;
pub mod input_fields;
pub mod machine;
pub mod registers;
pub mod session;
pub mod stages;
pub mod unflat;
pub mod world;

pub use lwp_model::lwp::flat::{self, fields};
