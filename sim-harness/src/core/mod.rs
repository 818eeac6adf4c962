//! What the environment of every unit has: the core that retires a trace, its handlers, and memory. It knows no unit.

pub(crate) mod draws;
pub mod feeder;
pub(crate) mod handler;
pub(crate) mod instructions;
pub(crate) mod memory;
mod memory_port;

pub use feeder::{Fed, Feeder, RetirePort};
pub use instructions::{Instructions, ReplayList};
pub use memory::GuestMemory;
pub(crate) use memory_port::MemoryPort;
pub use memory_port::MemoryTiming;
