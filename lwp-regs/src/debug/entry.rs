//! What a #DB handler does at its entry and before it returns.
#![allow(unsafe_code)] // re-arms breakpoints; the caller vouches for the handler

use super::{Condition, DebugFrame, Dr6, Dr7, Eflags, Slot, Slots};
use crate::access::DebugBus;

/// Whether the saved instruction pointer is that of an instruction still to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum ExceptionClass {
    /// The instruction at the saved pointer has not been executed.
    Fault,
    /// The instruction that caused the exception has been executed; the pointer is that of the next one.
    Trap,
}

/// A debug exception, as its handler finds it.
///
/// From [`enter`](Self::enter) to [`leave`](Self::leave) every breakpoint and general detect are off, so that the
/// handler cannot be interrupted by them. Who drops it without leaving has them stay off.
///
/// | cause | DR6 | DR7 | class |
/// |---|---|---|---|
/// | instruction breakpoint | Bn | R/Wn 00, Ln or Gn | fault |
/// | data or I/O breakpoint | Bn | R/Wn 01, 10, 11, Ln or Gn | trap |
/// | general detect | BD | GD | fault |
/// | single step | BS | | trap |
/// | task switch | BT | | trap |
/// | bus lock | BLD = 0 | | trap |
/// | #DB or #BP in an RTM region | RTM = 0 | RTM | IP is that of XBEGIN |
/// | INT1 | none | | trap |
///
/// One exception may report several. The table is the manual's, with the later causes added; the class of INT1 and of
/// the bus lock are as the manual has them.
///
/// Source: Intel SDM volume 3B, "Debug Exception (#DB)-Interrupt Vector 1".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[must_use = "breakpoints stay off until `leave`"]
pub struct DebugEntry {
    status: Dr6,
    control: Dr7,
}

impl DebugEntry {
    /// What a handler does first: reads DR6, clears it, and switches breakpoints off.
    ///
    /// Nobody else clears DR6: the processor clears B0 to B3 at times and the rest never, so what stays would be taken
    /// for a cause of the next exception.
    ///
    /// # Errors
    ///
    /// The fault that one of the accesses raised.
    pub fn enter<B: DebugBus>(bus: &mut B) -> Result<Self, B::Fault> {
        let status = Dr6::read(bus)?;
        Dr6::clear(bus)?;
        let control = Dr7::disarm(bus)?;
        Ok(Self { status, control })
    }

    /// The same from values that someone else has read.
    #[inline]
    pub const fn decode(status: Dr6, control: Dr7) -> Self {
        Self { status, control }
    }

    /// DR6 as it was.
    #[must_use]
    #[inline]
    pub const fn status(&self) -> Dr6 {
        self.status
    }

    /// DR7 as it was, except that the processor has cleared GD if that was the cause.
    #[must_use]
    #[inline]
    pub const fn control(&self) -> Dr7 {
        self.control
    }

    /// The breakpoints that were hit. B0 to B3 of breakpoints that are off are left out.
    #[must_use]
    #[inline]
    pub const fn hits(&self) -> Slots {
        self.status.conditions().intersection(self.control.enabled())
    }

    /// Those of them that wait for an instruction. It has not been executed.
    #[must_use]
    #[inline]
    pub const fn instruction_hits(&self) -> Slots {
        let mut hits = self.hits();
        let mut n = 0;
        while n < Slot::COUNT {
            if !matches!(self.control.condition(Slot::ALL[n]), Condition::Execute) {
                hits = hits.difference(Slot::ALL[n].set());
            }
            n += 1;
        }
        hits
    }

    /// Those of them that wait for data or I/O. The access has happened.
    #[must_use]
    #[inline]
    pub const fn data_hits(&self) -> Slots {
        self.hits().difference(self.instruction_hits())
    }

    /// Whether the cause can only have been INT1: nothing is reported.
    #[must_use]
    #[inline]
    pub const fn is_int1(&self) -> bool {
        self.status.is_clear()
    }

    /// What the saved instruction pointer means: an instruction breakpoint and general detect are faults, all else are
    /// traps. After an abort of an RTM region it is that of XBEGIN, which will be executed again: a fault.
    #[must_use]
    #[inline]
    pub const fn class(&self) -> ExceptionClass {
        if !self.instruction_hits().is_empty() || self.status.bd() || self.status.in_transaction() {
            ExceptionClass::Fault
        } else {
            ExceptionClass::Trap
        }
    }

    /// The flags with which to return so that what was hit is not hit again at once: RF is set if it was an instruction
    /// breakpoint. The alternative is to switch the breakpoint off: [`leave_with`](Self::leave_with) and
    /// [`Dr7::without`].
    #[must_use]
    #[inline]
    pub const fn resume(&self, flags: Eflags) -> Eflags {
        if self.instruction_hits().is_empty() { flags } else { flags.past_breakpoint() }
    }

    /// After a single-step trap, decides whether stepping goes on: at the privilege level that has been reached,
    /// `allowed` says so, and TF of the frame is set accordingly. `None` if the exception is no single-step trap;
    /// the frame is untouched then.
    ///
    /// A step may have led to a more privileged level, since a call gate does not clear TF. To protect what is there
    /// the system has to look after every trap.
    ///
    /// Source: Intel SDM volume 3B, "Single-Step Exception Condition".
    pub fn step(&self, frame: &mut DebugFrame, allowed: impl FnOnce(super::Cpl) -> bool) -> Option<bool> {
        self.status.bs().then(|| {
            let goes_on = allowed(frame.cpl());
            frame.flags.set_tf(goes_on);
            goes_on
        })
    }

    /// Before the handler returns: switches the breakpoints on again, as they were.
    ///
    /// # Safety
    ///
    /// The breakpoints are still expected.
    ///
    /// # Errors
    ///
    /// The fault that the access raised; the breakpoints are off then.
    pub unsafe fn leave<B: DebugBus>(self, bus: &mut B) -> Result<(), B::Fault> {
        // SAFETY: passed on to the caller as it is.
        unsafe { self.leave_with(bus, |control| control) }
    }

    /// Before the handler returns: switches on what `change` makes of DR7, for instance with general detect again, or
    /// [`without`](Dr7::without) a breakpoint.
    ///
    /// # Safety
    ///
    /// What is switched on has a handler that expects it.
    ///
    /// # Errors
    ///
    /// The fault that the access raised; the breakpoints are off then.
    pub unsafe fn leave_with<B: DebugBus>(self, bus: &mut B, change: impl FnOnce(Dr7) -> Dr7) -> Result<(), B::Fault> {
        // SAFETY: passed on to the caller as it is.
        unsafe { Dr7::DR.write(bus, change(self.control)) }
    }
}

#[cfg(test)]
#[path = "entry_tests.rs"]
mod tests;
