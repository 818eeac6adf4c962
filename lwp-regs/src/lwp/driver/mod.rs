//! A driver for LWP: what a kernel author would copy.
//!
//! It puts the parts of [`lwp`](super) together and adds the order of steps, and what to do when one of them faults. It
//! is written against the traits of [`access`](crate::access) and of [`lwp`](super), so the same code runs on the
//! processor, on a model, on simulated RTL and on a [fake](crate::fake).
//!
//! | who | has to | uses |
//! |---|---|---|
//! | the system, when it starts | find LWP | [`find`] |
//! | | allow it, on each logical processor | [`Policy`], [`Processor::enable`] |
//! | the interrupt's handler | wake who drains | [`Doorbell::ring`] |
//! | a thread, or a library in it | do work within a session that ends with it | [`Profiler::run`] |
//! | | start and drain its session | [`Profiler::start`], [`Profiler::answer`], [`Profiler::poll`] |
//! | | end it, to the last record | [`Profiler::stop`] |
//! | the scheduler | switch threads, by the save and restore port | [`Processor::switch`] |
//! | | or without one, by LWPMSR1 | [`Processor::leave`], [`Between::enter`] |
//! | the system, when it ends | forbid it | [`Processor::disable`] |
//!
//! # Faults
//!
//! A step that faults gives back what it was called on, as it was before the step, with the fault beside it: [`Failed`],
//! [`SessionFailed`](super::session::SessionFailed), [`SwitchFailed`]. So a page can be brought in and the step repeated.
//! One step can fault in its middle: a pause, and with it [`Profiler::stop`], that cannot put back another block
//! ([`displaced`](super::Session::displaced)).
//! Nothing is retried here and nothing is given up in silence.
//!
//! # Example: a kernel in small
//!
//! ```
//! use lwp_regs::access::{Cpuid, MsrBus};
//! use lwp_regs::lwp::context::SavedContext;
//! use lwp_regs::lwp::driver::{Doorbell, Failed, Policy, Processor, find};
//! use lwp_regs::lwp::{EdxLayout, Features, LwpContextPort, PresenceBit, ThresholdHandler};
//!
//! /// What the handler of the threshold interrupt rings.
//! static BELL: Doorbell = Doorbell::new();
//!
//! struct Thread {
//!     lwp: SavedContext, // `SavedContext::inactive()` in a new one
//! }
//!
//! /// To be called on each logical processor. `None`: no LWP here, or none that may be used.
//! fn bring_up<B: MsrBus>(cpuid: &impl Cpuid, bus: B) -> Option<Processor<B>> {
//!     let caps = find(cpuid, PresenceBit::PROJECT, EdxLayout::AsPrinted).ok()?;
//!     // SAFETY: the system has installed the handler before.
//!     let handler = unsafe { ThresholdHandler::installed() };
//!     let policy = Policy::new()
//!         .require(Features::IRE)
//!         .want(Features::BRE | Features::DME)
//!         .interrupt(handler);
//!     Processor::enable(bus, &caps, &policy).map_err(|Failed { error, .. }| error).ok()
//! }
//!
//! /// Leaves `from`, enters `to`.
//! fn switch<P: LwpContextPort>(processor: Processor<P>, from: &mut Thread, to: &mut Thread) -> Option<Processor<P>> {
//!     // SAFETY: the port is there; ring 3 is not entered before this returns, and then by `to`.
//!     unsafe { processor.switch(&mut from.lwp, &mut to.lwp) }.ok()
//! }
//! ```
//!
//! Source: Lightweight Profiling Proposal (2007-07-20), "Overview", "Processor State for context switch, SVM, and SMM"
//! and "Security".

#[cfg(target_has_atomic = "8")]
mod doorbell;
mod failed;
mod find;
mod policy;
mod processor;
mod profiler;
mod scope;
mod switch;
mod switch_pointer;

#[cfg(target_has_atomic = "8")]
pub use doorbell::Doorbell;
pub use failed::Failed;
pub use find::{NotFound, find};
pub use policy::Policy;
pub use processor::{NotEnabled, Processor};
pub use profiler::{Profiler, Stopped};
pub use scope::{Profiled, RunError, ScopedProfiler};
pub use switch::{Stuck, SwitchFailed};
pub use switch_pointer::{Between, NotEntered};
