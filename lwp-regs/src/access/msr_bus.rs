//! The way to model-specific registers.
#![allow(unsafe_code)] // the bus declares unsafe accesses; nothing here performs one

use core::cell::RefCell;
use core::fmt;

/// A way to reach model-specific registers: the instructions themselves, a hypervisor's port, a model.
///
/// A fault is a value, so that a driver can be run where accesses fault without an exception handler of its own.
pub trait MsrBus {
    /// What a failing access yields; for instance [`GeneralProtection`](crate::access::GeneralProtection).
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

impl<B: MsrBus + ?Sized> MsrBus for &mut B {
    type Fault = B::Fault;

    unsafe fn rdmsr(&mut self, address: u32) -> Result<u64, Self::Fault> {
        // SAFETY: passed on to the caller as it is.
        unsafe { (**self).rdmsr(address) }
    }

    unsafe fn wrmsr(&mut self, address: u32, value: u64) -> Result<(), Self::Fault> {
        // SAFETY: passed on to the caller as it is.
        unsafe { (**self).wrmsr(address, value) }
    }
}

/// A fault of a bus that several drivers share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum SharedFault<F> {
    /// The bus is in use: this access has interrupted another one. Nothing has been accessed.
    InUse,
    /// The fault of the bus itself.
    Bus(F),
}

impl<F: fmt::Debug> fmt::Display for SharedFault<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InUse => {
                f.write_str("the bus is in use; a handler that may interrupt an access takes a bus of its own")
            }
            Self::Bus(fault) => write!(f, "the access raised {fault:?}"),
        }
    }
}

impl<F: fmt::Debug> core::error::Error for SharedFault<F> {}

/// A bus that several drivers of one thread share. An access while the bus is borrowed, as in a handler that has
/// interrupted an access of the same thread, is refused with [`SharedFault::InUse`]. A handler of NMI takes a bus of its
/// own, which needs no borrow: `bare_metal::BareMetal` is one.
impl<B: MsrBus + ?Sized> MsrBus for &RefCell<B> {
    type Fault = SharedFault<B::Fault>;

    unsafe fn rdmsr(&mut self, address: u32) -> Result<u64, Self::Fault> {
        let mut bus = self.try_borrow_mut().map_err(|_| SharedFault::InUse)?;
        // SAFETY: passed on to the caller as it is.
        unsafe { bus.rdmsr(address) }.map_err(SharedFault::Bus)
    }

    unsafe fn wrmsr(&mut self, address: u32, value: u64) -> Result<(), Self::Fault> {
        let mut bus = self.try_borrow_mut().map_err(|_| SharedFault::InUse)?;
        // SAFETY: passed on to the caller as it is.
        unsafe { bus.wrmsr(address, value) }.map_err(SharedFault::Bus)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::GeneralProtection;
    use crate::fake::FakeMsrs;
    use crate::tsc::TscAux;

    #[test]
    fn a_bus_in_use_is_a_fault() {
        let mut cpu: FakeMsrs<'_, 1> = FakeMsrs::new();
        cpu.define(TscAux::MSR, TscAux::new());
        let shared = RefCell::new(cpu);
        let interrupted = shared.borrow_mut();
        assert_eq!(TscAux::MSR.read(&mut &shared), Err(SharedFault::InUse));
        assert_eq!(TscAux::MSR.write_unchecked(&mut &shared, TscAux::new()), Err(SharedFault::InUse));
        drop(interrupted);
        assert_eq!(TscAux::MSR.read(&mut &shared), Ok(TscAux::new()));
        shared.borrow_mut().fail_from(0, GeneralProtection::Privilege);
        assert_eq!(TscAux::MSR.read(&mut &shared), Err(SharedFault::Bus(GeneralProtection::Privilege)));
    }
}
