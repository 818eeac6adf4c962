//! Model-specific registers: the bus they are reached through and the fault an access may raise.
#![allow(unsafe_code)] // the bus declares unsafe accesses; nothing here performs one

use core::fmt;

/// A general-protection exception, #GP(0), with the reason that the hardware itself would not tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GeneralProtection {
    /// The written value has these bits set although they are reserved or their feature is not available.
    ReservedBits(u64),
    /// The register does not exist on this processor.
    NoSuchRegister,
    /// The register exists, but the unit it belongs to is switched off.
    NotEnabled,
    /// An address was written that does not have the required alignment (the address, in bytes).
    Misaligned(u64),
}

impl fmt::Display for GeneralProtection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ReservedBits(bits) => {
                write!(f, "#GP(0): bits {bits:#x} are reserved or not available here; write them as 0")
            }
            Self::NoSuchRegister => f.write_str("#GP(0): no such register; check CPUID before the access"),
            Self::NotEnabled => f.write_str("#GP(0): the unit is switched off; enable it first"),
            Self::Misaligned(address) => {
                write!(f, "#GP(0): address {address:#x} is misaligned; use an aligned one")
            }
        }
    }
}

impl core::error::Error for GeneralProtection {}

/// A way to reach model-specific registers: the instructions themselves, a hypervisor's port, a model.
///
/// A fault is a value, so that a driver can be run where accesses fault without an exception handler of its own.
pub trait MsrBus {
    /// What a failing access yields; for instance [`GeneralProtection`].
    type Fault;

    /// Reads the register with number `address`.
    ///
    /// # Safety
    ///
    /// Reading may have side effects, up to writing memory; the register's documentation states what has to hold.
    ///
    /// # Errors
    ///
    /// The fault that the access raised; nothing has been changed then.
    unsafe fn rdmsr(&mut self, address: u32) -> Result<u64, Self::Fault>;

    /// Writes `value` to the register with number `address`.
    ///
    /// # Safety
    ///
    /// Writing may make the processor access memory; the register's documentation states what has to hold.
    ///
    /// # Errors
    ///
    /// The fault that the access raised; nothing has been changed then.
    unsafe fn wrmsr(&mut self, address: u32, value: u64) -> Result<(), Self::Fault>;
}
