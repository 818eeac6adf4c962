//! The scheduler's side: by the save and restore port.
#![allow(unsafe_code)] // passes on what its parts ask for

use super::Processor;
use crate::lwp::LwpMsr0;
use crate::lwp::context::{ContextSwitch, Leaving, LwpContextPort, SavedContext, SwitchError};
use core::fmt;
use core::mem;

impl<P: LwpContextPort> Processor<P> {
    /// Leaves the thread whose state is to be kept in `from`, and enters the one whose state is in `to`, which is
    /// [`inactive`](SavedContext::inactive) afterwards. Touches no memory.
    ///
    /// # Safety
    ///
    /// The port is there. `to` is the state of the thread that enters ring 3 next, in whose address space its block and
    /// buffer are. Ring 3 is not entered before this returns, nor with [`SwitchFailed::Stuck`].
    ///
    /// # Errors
    ///
    /// [`SwitchFailed`] says which thread the hardware is ready for, if any.
    pub unsafe fn switch(
        self,
        from: &mut SavedContext,
        to: &mut SavedContext,
    ) -> Result<Self, SwitchFailed<P, P::Fault>> {
        let Self { switch, msr0 } = self;
        // SAFETY: passed on to the caller as it is.
        let leaving = match unsafe { switch.save() } {
            Ok((saved, leaving)) => {
                *from = saved;
                leaving
            }
            Err(SwitchError { switch, fault, .. }) => {
                return Err(SwitchFailed::NotLeft { processor: Self { switch, msr0 }, fault });
            }
        };
        // SAFETY: passed on to the caller as it is.
        match unsafe { leaving.restore(mem::replace(to, SavedContext::inactive())) } {
            Ok(switch) => Ok(Self { switch, msr0 }),
            Err(SwitchError { switch, context, fault }) => {
                let stuck = Stuck { leaving: switch, msr0 };
                // SAFETY: the port is there, says the caller.
                Err(match unsafe { stuck.enter_inactive() } {
                    Ok(processor) => SwitchFailed::NotEntered { processor, context, fault },
                    Err((stuck, _)) => SwitchFailed::Stuck { stuck, context, fault },
                })
            }
        }
    }
}

/// A switch that did not go as it should, and where it ended.
#[must_use = "it holds the processor"]
pub enum SwitchFailed<P, F> {
    /// The state could not be saved. Nothing has changed: the thread that runs goes on running, or is switched out later.
    NotLeft {
        /// The processor, with the state of the thread that runs.
        processor: Processor<P>,
        /// What the port reported.
        fault: F,
    },
    /// The old thread has been saved, but the state of the new one could not be restored. Hardware is inactive: the new
    /// thread can be entered, and is not profiled.
    NotEntered {
        /// The processor, inactive.
        processor: Processor<P>,
        /// The state of the new thread. Restore it with another switch, or discard it: the thread that is entered without
        /// it will be saved as inactive.
        context: SavedContext,
        /// What the port reported.
        fault: F,
    },
    /// As `NotEntered`, and hardware could not be made inactive either. Ring 3 must not be entered: hardware may still
    /// point at the memory of the old thread.
    Stuck {
        /// The processor.
        stuck: Stuck<P>,
        /// The state of the new thread.
        context: SavedContext,
        /// What the port reported first.
        fault: F,
    },
}

impl<P, F: fmt::Debug> fmt::Debug for SwitchFailed<P, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, fault) = match self {
            Self::NotLeft { fault, .. } => ("NotLeft", fault),
            Self::NotEntered { fault, .. } => ("NotEntered", fault),
            Self::Stuck { fault, .. } => ("Stuck", fault),
        };
        f.debug_struct(name).field("fault", fault).finish_non_exhaustive()
    }
}

/// A processor on which ring 3 must not be entered, since nobody knows what its hardware holds.
#[must_use = "ring 3 must not be entered"]
pub struct Stuck<P> {
    leaving: ContextSwitch<P, Leaving>,
    msr0: LwpMsr0,
}

impl<P: LwpContextPort> Stuck<P> {
    /// Makes hardware inactive, after which any thread can be entered without being profiled.
    ///
    /// # Safety
    ///
    /// The port is there.
    ///
    /// # Errors
    ///
    /// What the port reports, with the processor, as it was.
    pub unsafe fn enter_inactive(self) -> Result<Processor<P>, (Self, P::Fault)> {
        let Self { leaving, msr0 } = self;
        // SAFETY: passed on to the caller as it is.
        match unsafe { leaving.leave_inactive() } {
            Ok(switch) => Ok(Processor { switch, msr0 }),
            Err(SwitchError { switch, fault, .. }) => Err((Self { leaving: switch, msr0 }, fault)),
        }
    }
}

impl<P> fmt::Debug for Stuck<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stuck").field("msr0", &self.msr0).finish_non_exhaustive()
    }
}
