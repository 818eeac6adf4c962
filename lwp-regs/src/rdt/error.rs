//! Why a procedure of this unit did not get through.

use super::NoCount;
use crate::refused::Refused;
use core::fmt;

/// What a procedure that goes through a bus can run into. `F` is the bus's fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RdtError<F> {
    /// What was asked for breaks a rule. Nothing has been accessed.
    Refused(Refused),
    /// An access faulted. What was written before it stays.
    Fault(F),
    /// The processor has no count.
    NoCount(NoCount),
}

impl<F> From<Refused> for RdtError<F> {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused)
    }
}

impl<F> From<NoCount> for RdtError<F> {
    fn from(no_count: NoCount) -> Self {
        Self::NoCount(no_count)
    }
}

impl<F: fmt::Display> fmt::Display for RdtError<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(refused) => refused.fmt(f),
            Self::Fault(fault) => write!(f, "the access faulted: {fault}"),
            Self::NoCount(no_count) => no_count.fmt(f),
        }
    }
}

impl<F: fmt::Debug + fmt::Display> core::error::Error for RdtError<F> {}
