//! The ways to the hardware that are the instructions themselves. Only on x86; the one place of the crate with assembly.
//!
//! | to | use |
//! |---|---|
//! | read and write MSRs, debug registers, counters at privilege level 0 | [`BareMetal`] |
//! | identify the processor, read TSC and counters at any privilege level | [`Unprivileged`], which is safe to have |
//! | run LLWPCB and SLWPCB with the opcodes of AMD family 15h | `ShippedLwpInstructions` (64-bit code) |
//!
//! None of them can report a fault, since the exception goes to the handler of the system: their fault is
//! [`Infallible`](core::convert::Infallible). Who has a handler that knows the instruction and comes back, as `rdmsr_safe` of Linux
//! does, writes a bus of a few lines with a fault of its own; everything in this crate takes either.
//!
//! ```no_run
//! use lwp_regs::bare_metal::BareMetal;
//! use lwp_regs::lwp::LwpMsr0;
//!
//! // SAFETY: the kernel runs this at privilege level 0 with preemption off; LWPMSR0 is its to write, and a #GP ends it.
//! let mut cpu = unsafe { BareMetal::new() };
//! let Ok(()) = LwpMsr0::MSR.update_unchecked(&mut cpu, |msr0| msr0.with_enabled(true));
//! ```
#![allow(unsafe_code)] // executes the instructions

mod counters;
mod cpuid;
#[cfg(target_arch = "x86_64")]
mod debug_registers;
#[cfg(all(target_arch = "x86_64", feature = "lwp"))]
mod lwp;
mod msrs;
mod time;

#[cfg(all(target_arch = "x86_64", feature = "lwp"))]
pub use lwp::ShippedLwpInstructions;

use core::marker::PhantomData;

/// The instructions on the logical processor that executes them, privileged ones included.
///
/// It is [`MsrBus`](crate::access::MsrBus), [`DebugBus`](crate::access::DebugBus) (64-bit code only),
/// [`CounterBus`](crate::access::CounterBus), [`TimeBus`](crate::access::TimeBus) and [`Cpuid`](crate::access::Cpuid) at
/// once. It has no size and may be copied, but it stays where it was made: neither `Send` nor `Sync`, since each logical
/// processor has registers of its own. Another processor makes another one.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct BareMetal {
    of_this_processor: PhantomData<*mut ()>,
}

impl BareMetal {
    /// Claims the registers of this logical processor.
    ///
    /// # Safety
    ///
    /// While the value or a copy of it is used:
    ///
    /// - The code runs at privilege level 0, or a handler carries out RDMSR, WRMSR and MOV to and from debug registers in
    ///   its stead.
    /// - An exception that an access raises goes to a handler that does not continue behind the instruction unless it
    ///   has carried it out: what follows takes the access for done.
    /// - A register is written only if it is the caller's to write: nothing else on this processor relies on what it
    ///   held, and whatever the new content leads to (a counter's interrupt, a #DB) has its handler.
    /// - The code stays on this logical processor: it is pinned, or preemption is off, from the first access to the last
    ///   of those that belong together.
    #[must_use]
    #[inline]
    pub const unsafe fn new() -> Self {
        Self { of_this_processor: PhantomData }
    }
}

/// The instructions that a program may execute at any privilege level: CPUID, RDTSC, RDTSCP and RDPMC.
///
/// It is [`Cpuid`](crate::access::Cpuid), [`TimeBus`](crate::access::TimeBus) and
/// [`CounterBus`](crate::access::CounterBus). They read and change nothing, so anybody may have one. Where the system
/// forbids one (CR4.TSD, CR4.PCE, CPUID faulting) or the processor lacks it, its exception ends the program, as a failed
/// assertion would.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Unprivileged;
