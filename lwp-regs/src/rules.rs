//! The pure functions that say what the hardware does: what a write leaves in a register, what an event adds to a counter,
//! which breakpoint an access hits. Models call them, and firmware may ask them before it writes. Nothing here accesses
//! hardware.
//!
//! The rule of a single register is its type's `check_write` ([`CheckedMsr`]). Here are the others, which involve more than
//! one register. Each is documented in the module of its unit.

#[doc(no_inline)]
pub use crate::msr::CheckedMsr;
#[doc(no_inline)]
pub use crate::tsc::{RateStep, TscRate, TscState, TscWrite};

#[cfg(feature = "debug")]
#[doc(no_inline)]
pub use crate::debug::{DebugRegisterFile, check_debug_gate, hit_mask, resolve, software_interrupt};
#[cfg(feature = "itanium")]
#[doc(no_inline)]
pub use crate::itanium::{Bundle, Dbr, Event, Ibr, TagRegisters, check_handler};
#[cfg(feature = "perf")]
#[doc(no_inline)]
pub use crate::perf::{Condition, InvertedZero, advanced};
#[cfg(feature = "trace")]
#[doc(no_inline)]
pub use crate::trace::PmiCauses;
