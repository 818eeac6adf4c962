//! The scheduler's side, without a port: by LWPMSR1.
#![allow(unsafe_code)] // passes on what its parts ask for

use super::{Failed, Processor};
use crate::access::MsrBus;
use crate::lwp::LwpMsr0;
use crate::lwp::context::{ContextSwitch, LeavingByPointer, SavedPointer, SwitchError};
use core::fmt;

/// A processor between two threads: hardware is inactive, and its state is in the block of the thread that was left.
#[must_use = "the next thread has to be entered"]
pub struct Between<B> {
    switch: ContextSwitch<B, LeavingByPointer>,
    msr0: LwpMsr0,
}

impl<B: MsrBus> Processor<B> {
    /// Leaves the thread that runs and gives what is to be kept for it. Hardware writes its state to the thread's block,
    /// which may page-fault in the kernel.
    ///
    /// # Safety
    ///
    /// As for [`ContextSwitch::save_pointer`]: the address space is still that of the thread that leaves, and ring 3 is
    /// not entered before the next one has been.
    ///
    /// # Errors
    ///
    /// What the bus reports, with the processor back. Bring the page in and repeat, or [`abandon`](Self::abandon).
    pub unsafe fn leave(self) -> Result<(SavedPointer, Between<B>), Failed<Self, B::Fault>> {
        let Self { switch, msr0 } = self;
        // SAFETY: passed on to the caller as it is.
        match unsafe { switch.save_pointer() } {
            Ok((saved, switch)) => Ok((saved, Between { switch, msr0 })),
            Err(SwitchError { switch, fault, .. }) => Err(Failed { state: Self { switch, msr0 }, error: fault }),
        }
    }

    /// Leaves a thread whose block has gone: its session ends, and what hardware held of it is lost.
    ///
    /// # Safety
    ///
    /// As for [`ContextSwitch::drop_session`]: ring 3 is not entered before the next thread has been.
    ///
    /// # Errors
    ///
    /// What the bus reports, with the processor back; repeat. LWPMSR0 may have been written in between, so that LWP is
    /// disabled and inactive until then.
    pub unsafe fn abandon(self) -> Result<Between<B>, Failed<Self, B::Fault>> {
        let Self { switch, msr0 } = self;
        // SAFETY: `msr0` is what LWPMSR0 holds, since nobody else writes it; the rest is passed on to the caller.
        match unsafe { switch.drop_session(msr0) } {
            Ok(switch) => Ok(Between { switch, msr0 }),
            Err(SwitchError { switch, fault, .. }) => Err(Failed { state: Self { switch, msr0 }, error: fault }),
        }
    }
}

/// A thread that was not entered.
#[must_use = "it holds the processor and what was kept for the thread"]
pub struct NotEntered<B, F> {
    /// The processor; its hardware is inactive.
    pub between: Between<B>,
    /// What was kept for the thread.
    pub pointer: SavedPointer,
    /// What the bus reported.
    pub fault: F,
}

impl<B, F: fmt::Debug> fmt::Debug for NotEntered<B, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pointer, fault, .. } = self;
        f.debug_struct("NotEntered").field("pointer", pointer).field("fault", fault).finish_non_exhaustive()
    }
}

impl<B: MsrBus> Between<B> {
    /// Enters the thread for which this was kept. Its block is read in ring 3.
    ///
    /// # Safety
    ///
    /// As for [`ContextSwitch::restore_pointer`]: the address space is that of the thread, which enters ring 3 next.
    ///
    /// # Errors
    ///
    /// What the bus reports; hardware is still inactive.
    pub unsafe fn enter(self, pointer: SavedPointer) -> Result<Processor<B>, NotEntered<B, B::Fault>> {
        let Self { switch, msr0 } = self;
        // SAFETY: passed on to the caller as it is.
        match unsafe { switch.restore_pointer(pointer) } {
            Ok(switch) => Ok(Processor { switch, msr0 }),
            Err(SwitchError { switch, context, fault }) => {
                Err(NotEntered { between: Self { switch, msr0 }, pointer: context, fault })
            }
        }
    }

    /// Enters a thread without profiling it.
    pub fn enter_inactive(self) -> Processor<B> {
        Processor { switch: self.switch.leave_inactive(), msr0: self.msr0 }
    }
}

impl<B> fmt::Debug for Between<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Between").field("msr0", &self.msr0).finish_non_exhaustive()
    }
}
