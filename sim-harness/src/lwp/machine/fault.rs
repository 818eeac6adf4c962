//! What an instruction raises.

use lwp_model::lwp::{Fault, Outputs};
use std::fmt;

/// What an instruction on a [`Machine`](super::Machine) raises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MachineFault {
    /// #UD: LWP is not there, or not enabled.
    InvalidOpcode,
    /// #GP(0): a value that the register does not take, a misaligned address, or no such register.
    GeneralProtection,
    /// #PF: memory is not mapped. Raised by the instruction itself, or as a trap that stands before it; either way it has
    /// not been executed.
    PageFault {
        /// First failing byte.
        address: u64,
        /// The access was a write, or asked for the right to write.
        write: bool,
    },
    /// The unit has not answered for very long: it hangs. No processor does this.
    Stuck,
}

impl MachineFault {
    /// The fault of the operation that is answered in this cycle, if it has one.
    pub(super) const fn of_answer(out: &Outputs) -> Option<Self> {
        match out.rsp_fault {
            Fault::None => None,
            Fault::InvalidOpcode => Some(Self::InvalidOpcode),
            Fault::GeneralProtection => Some(Self::GeneralProtection),
            Fault::PageFault => Some(Self::PageFault { address: out.rsp_fault_addr, write: out.rsp_fault_write }),
        }
    }
}

impl fmt::Display for MachineFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InvalidOpcode => f.write_str("#UD"),
            Self::GeneralProtection => f.write_str("#GP(0)"),
            Self::PageFault { address, write: true } => write!(f, "#PF, writing {address:#x}"),
            Self::PageFault { address, write: false } => write!(f, "#PF, reading {address:#x}"),
            Self::Stuck => f.write_str("the unit does not answer"),
        }
    }
}

impl std::error::Error for MachineFault {}
