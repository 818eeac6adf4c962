//! A register's number, tied to the type of its content.
#![allow(unsafe_code)] // performs accesses; each says why it is sound

use super::{CheckedMsr, MsrValue, ReadableMsr, WritableMsr};
use crate::access::MsrBus;
use crate::error::Error;
use core::fmt;
use core::marker::PhantomData;

/// The number of a model-specific register that holds an `R`.
pub struct Msr<R> {
    address: u32,
    content: PhantomData<fn() -> R>,
}

impl<R> Msr<R> {
    /// The register with number `address`; the caller makes sure that it holds an `R`.
    #[inline]
    pub(crate) const fn new(address: u32) -> Self {
        Self { address, content: PhantomData }
    }

    /// The number of the register, for ECX.
    #[must_use]
    #[inline]
    pub const fn address(self) -> u32 {
        self.address
    }
}

impl<R: ReadableMsr> Msr<R> {
    /// Reads the register.
    ///
    /// # Errors
    ///
    /// The fault that the access raised, for instance because this processor lacks the register.
    #[inline]
    pub fn read<B: MsrBus>(self, bus: &mut B) -> Result<R, B::Fault> {
        // SAFETY: reading the register has no effect, as its type promises; a fault is the bus's to report.
        unsafe { bus.rdmsr(self.address) }.map(R::from_register)
    }
}

impl<R: WritableMsr> Msr<R> {
    /// Writes the register without asking whether it takes the value: if it does not, the access faults. The value comes
    /// from something that has checked it, as a builder, or the register has no rule to break. Else see
    /// [`write_checked`](Self::write_checked).
    ///
    /// # Errors
    ///
    /// The fault that the access raised; the register keeps its content then.
    #[inline]
    pub fn write_unchecked<B: MsrBus>(self, bus: &mut B, value: R) -> Result<(), B::Fault> {
        // SAFETY: no value makes the processor write memory, as the type promises.
        unsafe { bus.wrmsr(self.address, value.to_register()) }
    }
}

impl<R: ReadableMsr + WritableMsr> Msr<R> {
    /// Reads the register and writes back what `change` makes of it. What `change` leaves alone stays, reserved bits
    /// included. The new value is not checked; see [`update_checked`](Self::update_checked).
    ///
    /// # Errors
    ///
    /// The fault that one of the accesses raised; the register keeps its content then.
    #[inline]
    pub fn update_unchecked<B: MsrBus>(self, bus: &mut B, change: impl FnOnce(R) -> R) -> Result<(), B::Fault> {
        let value = change(self.read(bus)?);
        self.write_unchecked(bus, value)
    }
}

impl<R: WritableMsr + CheckedMsr> Msr<R> {
    /// Writes the register, if it takes the value on a processor with these capabilities.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with the reason, and nothing has been accessed; [`Error::Fault`] with the fault that the access
    /// raised, and the register keeps its content.
    #[inline]
    pub fn write_checked<B: MsrBus>(self, bus: &mut B, value: R, caps: &R::Caps) -> Result<(), Error<B::Fault>> {
        // Whether a value is taken does not depend on the old content of any register.
        R::check_write(R::from_register(0), value.to_register(), caps).map_err(Error::Refused)?;
        self.write_unchecked(bus, value).map_err(Error::Fault)
    }
}

impl<R: ReadableMsr + WritableMsr + CheckedMsr> Msr<R> {
    /// Reads the register and writes back what `change` makes of it, if the register takes that on a processor with these
    /// capabilities.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with the reason, and nothing has been written; [`Error::Fault`] with the fault that one of the
    /// accesses raised. The register keeps its content then.
    #[inline]
    pub fn update_checked<B: MsrBus>(
        self,
        bus: &mut B,
        change: impl FnOnce(R) -> R,
        caps: &R::Caps,
    ) -> Result<(), Error<B::Fault>> {
        let old = self.read(bus).map_err(Error::Fault)?;
        let new = change(old);
        R::check_write(old, new.to_register(), caps).map_err(Error::Refused)?;
        self.write_unchecked(bus, new).map_err(Error::Fault)
    }
}

impl<R> Clone for Msr<R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R> Copy for Msr<R> {}

impl<R> PartialEq for Msr<R> {
    fn eq(&self, other: &Self) -> bool {
        self.address == other.address
    }
}

impl<R> Eq for Msr<R> {}

impl<R: MsrValue> fmt::Debug for Msr<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({:#x})", R::NAME, self.address)
    }
}

#[cfg(feature = "defmt")]
impl<R: MsrValue> defmt::Format for Msr<R> {
    fn format(&self, f: defmt::Formatter<'_>) {
        defmt::write!(f, "{=str}({=u32:#x})", R::NAME, self.address);
    }
}
