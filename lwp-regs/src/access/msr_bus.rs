//! The way to model-specific registers.
#![allow(unsafe_code)] // the bus declares unsafe accesses; nothing here performs one

use core::cell::RefCell;

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

/// A bus that several drivers of one thread share.
///
/// # Panics
///
/// An access while the bus is borrowed, as in a handler that has interrupted an access of the same thread. A handler of NMI
/// takes a bus of its own, which needs no borrow: `bare_metal::BareMetal` is one.
impl<B: MsrBus + ?Sized> MsrBus for &RefCell<B> {
    type Fault = B::Fault;

    unsafe fn rdmsr(&mut self, address: u32) -> Result<u64, Self::Fault> {
        // SAFETY: passed on to the caller as it is.
        unsafe { self.borrow_mut().rdmsr(address) }
    }

    unsafe fn wrmsr(&mut self, address: u32, value: u64) -> Result<(), Self::Fault> {
        // SAFETY: passed on to the caller as it is.
        unsafe { self.borrow_mut().wrmsr(address, value) }
    }
}
