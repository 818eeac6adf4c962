//! An access that software made.

use crate::access::DebugRegister;
use crate::msr::{Msr, MsrValue};
use core::fmt;

/// One access to the fake, as it was tried: it may have faulted. A write has its value, a read has none, since the test
/// itself said what is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Access {
    /// RDMSR of the register with this number.
    Rdmsr(u32),
    /// WRMSR of this value to the register with this number.
    Wrmsr(u32, u64),
    /// RDPMC with this selector.
    Rdpmc(u32),
    /// RDTSC.
    Rdtsc,
    /// RDTSCP.
    Rdtscp,
    /// MOV from a debug register.
    ReadDr(DebugRegister),
    /// MOV of this value to a debug register.
    WriteDr(DebugRegister, u64),
}

impl Access {
    /// The read of a register.
    #[must_use]
    #[inline]
    pub const fn read<R>(msr: Msr<R>) -> Self {
        Self::Rdmsr(msr.address())
    }

    /// The write of a register.
    #[must_use]
    pub fn write<R: MsrValue>(msr: Msr<R>, value: R) -> Self {
        Self::Wrmsr(msr.address(), value.to_register())
    }

    /// The number of the model-specific register, if it is one.
    #[inline]
    pub(super) const fn number(self) -> Option<u32> {
        match self {
            Self::Rdmsr(number) | Self::Wrmsr(number, _) => Some(number),
            _ => None,
        }
    }
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Rdmsr(number) => write!(f, "rdmsr {number:#x}"),
            Self::Wrmsr(number, value) => write!(f, "wrmsr {number:#x}, {value:#x}"),
            Self::Rdpmc(selector) => write!(f, "rdpmc {selector:#x}"),
            Self::Rdtsc => f.write_str("rdtsc"),
            Self::Rdtscp => f.write_str("rdtscp"),
            Self::ReadDr(register) => write!(f, "mov from {register:?}"),
            Self::WriteDr(register, value) => write!(f, "mov to {register:?}, {value:#x}"),
        }
    }
}
