//! Parts of the environment of every unit: the core that retires a trace, and memory. This module knows no unit.

pub(crate) mod draws;
pub mod feeder;
pub(crate) mod instructions;
pub(crate) mod memory;
mod shown;

pub use feeder::{Fed, Feeder};
pub use instructions::{Instructions, ReplayList};
pub use memory::GuestMemory;
pub use shown::{Lane, Shown};
