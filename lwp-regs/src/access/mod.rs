//! The ways to the hardware, as traits: what a driver is written against, so that it runs on the processor, on a model
//! and in a test without change.
//!
//! | trait | instruction | on the processor it may raise |
//! |---|---|---|
//! | [`MsrBus`] | RDMSR, WRMSR | #GP |
//! | [`DebugBus`] | MOV to and from DR | #DB (general detect), #UD, #GP |
//! | [`Cpuid`] | CPUID | nothing |
//! | [`CounterBus`] | RDPMC | #GP |
//! | [`TimeBus`] | RDTSC, RDTSCP | #GP, #UD |
//! | [`LwpInstructions`] | LLWPCB, SLWPCB | #UD, #GP, #PF |
//!
//! A fault is a value of the bus's own type ([`MsrBus::Fault`] and its like), never a panic. A bus that cannot report
//! one, since the exception goes to a handler, has [`Infallible`](core::convert::Infallible) there. `bare_metal` (on x86
//! only) is such a bus: the instructions themselves. Over it, [`Msr::tock`](crate::msr::Msr::tock) gives a register the
//! interfaces of `tock-registers`.

mod counter_bus;
mod cpuid;
mod debug_bus;
mod general_protection;
mod msr_bus;
mod operating_mode;
mod time_bus;
mod tock;

#[cfg(feature = "lwp")]
pub use crate::lwp::LwpInstructions;
pub use counter_bus::CounterBus;
pub use cpuid::{Cpuid, CpuidRegisters};
pub use debug_bus::{DebugBus, DebugFault, DebugRegister};
pub use general_protection::GeneralProtection;
pub use msr_bus::{MsrBus, SharedFault};
pub use operating_mode::OperatingMode;
pub use time_bus::TimeBus;
pub use tock::TockMsr;
