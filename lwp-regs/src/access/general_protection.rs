//! The general-protection exception as a value.

use crate::refused::{Refused, Rule};
use core::fmt;

/// A general-protection exception, #GP(0), with the reason that the hardware itself would not tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum GeneralProtection {
    /// The register does not take the written value.
    Refused(Refused),
    /// The register does not exist on this processor.
    NoSuchRegister,
    /// The register exists, but the unit it belongs to is switched off.
    NotEnabled,
    /// An address was written that does not have the required alignment (the address, in bytes).
    Misaligned(u64),
    /// The access is not allowed at this privilege level or in this mode.
    Privilege,
}

impl GeneralProtection {
    /// `bits` of `register` were written although `rule` forbids it.
    #[must_use]
    #[inline]
    pub const fn refused(register: &'static str, bits: u64, rule: Rule) -> Self {
        Self::Refused(Refused::new(register, bits, rule))
    }
}

impl From<Refused> for GeneralProtection {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused)
    }
}

impl fmt::Display for GeneralProtection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(refused) => write!(f, "#GP(0): {refused}"),
            Self::NoSuchRegister => f.write_str("#GP(0): no such register; check CPUID before the access"),
            Self::NotEnabled => f.write_str("#GP(0): the unit is switched off; enable it first"),
            Self::Misaligned(address) => {
                write!(f, "#GP(0): address {address:#x} is misaligned; use an aligned one")
            }
            Self::Privilege => f.write_str("#GP(0): not allowed at this privilege level or in this mode"),
        }
    }
}

impl core::error::Error for GeneralProtection {}
