//! Exceptions of instructions on the computers that `lwp-regs` is tried on.

use lwp_model::retire::RegResult;
use std::fmt;

/// Exception of an instruction that accesses a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MachineFault {
    /// #UD: the processor does not have the instruction.
    InvalidOpcode,
    /// #GP(0): not allowed at this level, a value that the register does not take, or no such register.
    GeneralProtection,
    /// The unit has not answered in the next cycle, or has given an answer that the contract does not allow. No processor does this.
    Broken,
}

impl MachineFault {
    /// Returns what the answer to a register request is for the instruction that made it.
    ///
    /// # Errors
    /// The exception, unless the request is done.
    pub(crate) const fn of_answer(done: bool, result: RegResult) -> Result<(), Self> {
        match result {
            _ if !done => Err(Self::Broken),
            RegResult::Done => Ok(()),
            RegResult::InvalidOpcode => Err(Self::InvalidOpcode),
            // A number that no unit has is #GP(0).
            RegResult::GeneralProtection | RegResult::NotMine => Err(Self::GeneralProtection),
            _ => Err(Self::Broken),
        }
    }
}

impl fmt::Display for MachineFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::InvalidOpcode => "#UD",
            Self::GeneralProtection => "#GP(0)",
            Self::Broken => "the unit does not answer",
        })
    }
}

impl std::error::Error for MachineFault {}
