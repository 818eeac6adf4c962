//! The Lightweight Profiling unit in the harness: its flat image, its environment, its sessions, a machine for drivers.

pub mod capsule;
pub mod device;
pub mod fields;
pub mod flat;
pub mod machine;
pub mod session;
pub mod unflat;
pub mod world;
