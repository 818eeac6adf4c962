//! How a control operation of the script ended.

use lwp_model::lwp::Fault;
use std::fmt;

/// The answer of LLWPCB, SLWPCB or WRMSR, with page faults already repaired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Answer {
    /// It has not been executed.
    #[default]
    None,
    /// It succeeded and returned this.
    Done(u64),
    /// It raised this exception.
    Fault(Fault),
}

impl Answer {
    /// What it returned; 0 if it returned nothing.
    pub(super) const fn value(self) -> u64 {
        match self {
            Self::Done(value) => value,
            Self::None | Self::Fault(_) => 0,
        }
    }

    /// The exception, if it raised one.
    #[must_use]
    pub fn fault(self) -> Option<Fault> {
        match self {
            Self::Fault(fault) => Some(fault),
            Self::None | Self::Done(_) => None,
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "not executed",
            Self::Done(_) | Self::Fault(Fault::None) => "done",
            Self::Fault(Fault::InvalidOpcode) => "#UD",
            Self::Fault(Fault::GeneralProtection) => "#GP(0)",
            Self::Fault(Fault::PageFault) => "#PF",
        })
    }
}
