//! The way to the performance monitoring registers: `mov` to and from `pmc[]` and `pmd[]`.

use core::fmt;

/// A way to reach the two indirect register files of the performance monitors: `mov` itself, or a model.
///
/// The indices are those of the register files, not numbers of model-specific registers. A write to PMC\[0\] is visible
/// to what follows (`srlz.d`) when the call returns. No register of either file makes the processor write memory.
pub trait PmcBus {
    /// What a failing access yields; for instance [`PmcFault`].
    type Fault;

    /// Reads `pmc[index]`.
    ///
    /// # Errors
    ///
    /// The fault that the access raised.
    fn read_pmc(&mut self, index: u8) -> Result<u64, Self::Fault>;

    /// Writes `pmc[index]`.
    ///
    /// # Errors
    ///
    /// The fault that the access raised; nothing has been changed then.
    fn write_pmc(&mut self, index: u8, value: u64) -> Result<(), Self::Fault>;

    /// Reads `pmd[index]`.
    ///
    /// # Errors
    ///
    /// The fault that the access raised.
    fn read_pmd(&mut self, index: u8) -> Result<u64, Self::Fault>;

    /// Writes `pmd[index]`.
    ///
    /// # Errors
    ///
    /// The fault that the access raised; nothing has been changed then.
    fn write_pmd(&mut self, index: u8, value: u64) -> Result<(), Self::Fault>;
}

impl<B: PmcBus + ?Sized> PmcBus for &mut B {
    type Fault = B::Fault;

    fn read_pmc(&mut self, index: u8) -> Result<u64, Self::Fault> {
        (**self).read_pmc(index)
    }

    fn write_pmc(&mut self, index: u8, value: u64) -> Result<(), Self::Fault> {
        (**self).write_pmc(index, value)
    }

    fn read_pmd(&mut self, index: u8) -> Result<u64, Self::Fault> {
        (**self).read_pmd(index)
    }

    fn write_pmd(&mut self, index: u8, value: u64) -> Result<(), Self::Fault> {
        (**self).write_pmd(index, value)
    }
}

/// What an access to the register files may raise. Which accesses raise which is not confirmed by a document here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum PmcFault {
    /// Privileged Operation fault: the current privilege level is not 0. Reading `pmd[]` is allowed at any.
    PrivilegedOperation,
    /// Reserved Register/Field fault: the processor has no register with this index.
    ReservedRegister(u8),
}

impl fmt::Display for PmcFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PrivilegedOperation => f.write_str("Privileged Operation fault; only level 0 may do this"),
            Self::ReservedRegister(index) => {
                write!(f, "Reserved Register/Field fault: the processor has no register with index {index}")
            }
        }
    }
}

impl core::error::Error for PmcFault {}
