//! The drivers and procedures: what needs several registers, or memory, in the right order. They are written against the
//! traits of [`access`](crate::access), and each is documented in the module of its unit. The set-up of a P6 counter's interrupt is
//! `perf::p6::overflow`.

#[doc(no_inline)]
pub use crate::delivery::handle_overflow;

#[cfg(feature = "debug")]
#[doc(no_inline)]
pub use crate::debug::{BreakpointSet, DebugEntry, StepInto, WriteWatch};
#[cfg(feature = "itanium")]
#[doc(no_inline)]
pub use crate::itanium::{Configuration, Frozen, Measurement, MonitorPlan, RunningMonitors};
#[cfg(feature = "lwp")]
#[doc(no_inline)]
pub use crate::lwp::{ContextSwitch, RingReader, Session, driver as lwp};
#[cfg(feature = "perf")]
#[doc(no_inline)]
pub use crate::perf::{p6::P6Counters, virtual_counter};
#[cfg(feature = "rdt")]
#[doc(no_inline)]
pub use crate::rdt::{Association, SelectFirst, SmmGuard};
#[cfg(feature = "trace")]
#[doc(no_inline)]
pub use crate::trace::{BranchStep, DsBuilder, DsIsr, DsSetup, FreezeOnPmi, LbrStack, RunningDs};
