//! The exceptions that an instruction raises.

use lwp_model::lwp::{Fault, Outputs};
use std::fmt;

/// The exception that an instruction on a [`Machine`](super::Machine) raises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MachineFault {
    /// #UD: LWP is not present, or not enabled.
    InvalidOpcode,
    /// #GP(0): a value that the register does not accept, a misaligned address, or a register that does not exist.
    GeneralProtection,
    /// #PF: memory is not mapped. The instruction itself raises it, or a trap is taken before the instruction; either
    /// way the instruction has not been executed.
    PageFault {
        /// The first failing byte.
        address: u64,
        /// Whether the access was a write, or requested write permission.
        write: bool,
    },
    /// The unit has not responded for a very long time: it hangs. This does not happen on a processor.
    Stuck,
}

impl MachineFault {
    /// Returns the fault of the operation whose response is valid in this cycle, if it has one.
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
