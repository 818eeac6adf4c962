//! RF of the image that an exception or interrupt pushes.

/// What is delivered, as far as RF of the pushed image depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum PushedBy {
    /// A #DB of class fault by an instruction breakpoint.
    InstructionBreakpoint,
    /// Any other fault.
    Fault {
        /// The processor sets RF for its faults; the Pentium does not.
        sets_rf: bool,
    },
    /// A trap, an abort, an interrupt or an NMI.
    Other {
        /// It comes behind an iteration of a repeated string instruction that is not the last one.
        in_repetition: bool,
    },
}

impl PushedBy {
    /// RF of the pushed image, where `rf` is EFLAGS.RF before the instruction at the pushed address.
    ///
    /// A fault pushes 1, so that its handler returns to the instruction without a second #DB. An instruction breakpoint
    /// pushes what RF was: its handler sets RF itself.
    ///
    /// Source: Intel SDM volume 3B, "Instruction-Breakpoint Exception Condition".
    #[must_use]
    #[inline]
    pub const fn pushed_rf(self, rf: bool) -> bool {
        match self {
            Self::InstructionBreakpoint => rf,
            Self::Fault { sets_rf } => sets_rf,
            Self::Other { in_repetition } => rf || in_repetition,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::PushedBy;

    #[test]
    fn each_line_of_the_table() {
        let table = [
            // DBG-47: an instruction breakpoint; RF is 0, or it would not have been hit
            (PushedBy::InstructionBreakpoint, false, false),
            // DBG-43, DBG-51: another fault, and one of the Pentium
            (PushedBy::Fault { sets_rf: true }, false, true),
            (PushedBy::Fault { sets_rf: true }, true, true),
            (PushedBy::Fault { sets_rf: false }, true, false),
            // DBG-44, DBG-45: behind an iteration, but the last
            (PushedBy::Other { in_repetition: true }, false, true),
            // DBG-46: everything else, as it is
            (PushedBy::Other { in_repetition: false }, false, false),
            (PushedBy::Other { in_repetition: false }, true, true),
        ];
        for (by, rf, pushed) in table {
            assert_eq!(by.pushed_rf(rf), pushed, "{by:?} {rf}");
        }
    }
}
