//! Single-stepping an interrupt handler.

use super::{Breakpoint, DebugFrame};

/// The vector that the instruction with these first two bytes calls: INT n, INT3, INT1 and INTO. `None` if it is
/// another instruction, as far as it has no prefix.
///
/// INTO does so only while OF is 1, and does not exist in 64-bit mode. INT3 that was written as INT n with n = 3 is the
/// two-byte form.
///
/// Source: Intel SDM volume 2, "INT n/INTO/INT3/INT1 - Call to Interrupt Procedure".
#[must_use]
#[inline]
pub const fn software_interrupt(code: [u8; 2]) -> Option<u8> {
    match code {
        [0xCD, vector] => Some(vector),
        [0xCC, _] => Some(super::BREAKPOINT_VECTOR),
        [0xCE, _] => Some(4),
        [0xF1, _] => Some(super::DEBUG_VECTOR),
        _ => None,
    }
}

/// Goes on stepping in the handler of an interrupt.
///
/// External interrupts end single-stepping, so that their handlers do not run in it: a handler is stepped by stepping
/// the INT n instruction that calls it. INT n clears TF, too, after it has saved it. So a debugger that comes by
/// single-step to an instruction that [`software_interrupt`] knows puts [`breakpoint`](Self::breakpoint) at the first
/// instruction of the handler; when that is hit, [`entered`](Self::entered) sets TF there. The IRET of the handler
/// brings back the TF that INT n has saved, and stepping goes on in the program.
///
/// Source: Intel SDM volume 3B, "Single-Step Exception Condition".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct StepInto {
    entry: u64,
}

impl StepInto {
    /// Into the handler whose first instruction is at this linear address, as the gate of its vector says.
    #[must_use]
    #[inline]
    pub const fn handler(entry: u64) -> Self {
        Self { entry }
    }

    /// The breakpoint at the handler's first instruction.
    #[must_use]
    #[inline]
    pub const fn breakpoint(self) -> Breakpoint {
        Breakpoint::execute(self.entry)
    }

    /// At #DB: if the handler has been entered, sets TF and RF in the frame, so that its first instruction is executed
    /// and a single-step trap follows. Tells whether that is so. CS is taken to have base 0.
    #[inline]
    pub const fn entered(self, frame: &mut DebugFrame) -> bool {
        let entered = frame.ip == self.entry;
        if entered {
            frame.flags = frame.flags.past_breakpoint().with_tf(true);
        }
        entered
    }
}

#[cfg(test)]
#[path = "step_into_tests.rs"]
mod tests;
