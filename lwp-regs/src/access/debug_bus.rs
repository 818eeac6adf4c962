//! The way to the debug registers.
#![allow(unsafe_code)] // the bus declares unsafe accesses; nothing here performs one

use super::GeneralProtection;
use core::fmt;

/// A debug register as MOV names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum DebugRegister {
    /// Address of breakpoint 0.
    Dr0 = 0,
    /// Address of breakpoint 1.
    Dr1 = 1,
    /// Address of breakpoint 2.
    Dr2 = 2,
    /// Address of breakpoint 3.
    Dr3 = 3,
    /// Another name of DR6 while CR4.DE is 0; raises #UD while it is 1.
    Dr4 = 4,
    /// Another name of DR7 while CR4.DE is 0; raises #UD while it is 1.
    Dr5 = 5,
    /// Debug status.
    Dr6 = 6,
    /// Debug control.
    Dr7 = 7,
}

/// What an access to a debug register may raise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum DebugFault {
    /// #DB with DR6.BD: DR7.GD protects the registers. Nothing has been accessed; GD is clear now.
    GeneralDetect,
    /// #UD: DR4 or DR5 while CR4.DE is 1.
    InvalidOpcode,
    /// #GP(0): a value the register does not take, or not privilege level 0.
    GeneralProtection(GeneralProtection),
}

impl From<GeneralProtection> for DebugFault {
    fn from(fault: GeneralProtection) -> Self {
        Self::GeneralProtection(fault)
    }
}

impl fmt::Display for DebugFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::GeneralDetect => f.write_str("#DB: DR7.GD protects the debug registers; another debugger owns them"),
            Self::InvalidOpcode => f.write_str("#UD: DR4 and DR5 do not exist while CR4.DE is 1; use DR6 and DR7"),
            Self::GeneralProtection(fault) => fault.fmt(f),
        }
    }
}

impl core::error::Error for DebugFault {}

/// A way to reach the debug registers: MOV itself, a debugger's interface to a stopped thread, a model.
///
/// An implementation belongs to one logical processor, or to one thread if the system switches the registers.
pub trait DebugBus {
    /// What a failing access yields; for instance [`DebugFault`].
    type Fault;

    /// Reads a debug register.
    ///
    /// # Errors
    ///
    /// The fault that the access raised.
    fn read_dr(&mut self, register: DebugRegister) -> Result<u64, Self::Fault>;

    /// Writes a debug register.
    ///
    /// # Safety
    ///
    /// Whoever arms a breakpoint has a #DB handler that expects it.
    ///
    /// # Errors
    ///
    /// The fault that the access raised; nothing has been changed then, except DR7.GD by
    /// [`GeneralDetect`](DebugFault::GeneralDetect).
    unsafe fn write_dr(&mut self, register: DebugRegister, value: u64) -> Result<(), Self::Fault>;
}

impl<B: DebugBus + ?Sized> DebugBus for &mut B {
    type Fault = B::Fault;

    fn read_dr(&mut self, register: DebugRegister) -> Result<u64, Self::Fault> {
        (**self).read_dr(register)
    }

    unsafe fn write_dr(&mut self, register: DebugRegister, value: u64) -> Result<(), Self::Fault> {
        // SAFETY: passed on to the caller as it is.
        unsafe { (**self).write_dr(register, value) }
    }
}
