//! What the environment of every unit has: the core that retires a trace, its handlers, and memory. It knows no unit.

mod countdown;
pub(crate) mod draws;
pub mod feeder;
pub(crate) mod handler;
mod host_memory;
pub(crate) mod instructions;
mod machine_fault;
pub(crate) mod memory;
mod memory_port;
mod schedule;

pub(crate) use countdown::Countdown;
pub use feeder::{Fed, Feeder, RetirePort};
pub(crate) use host_memory::HostMemory;
pub use instructions::{Instructions, ReplayList};
pub use machine_fault::MachineFault;
pub use memory::GuestMemory;
pub(crate) use memory_port::MemoryPort;
pub use memory_port::MemoryTiming;
pub use schedule::{Ask, When};
pub(crate) use schedule::{Schedule, Timed};
