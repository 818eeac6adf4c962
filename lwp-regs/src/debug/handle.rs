//! A debug register, tied to the type of its content.
#![allow(unsafe_code)] // performs accesses; each says why it is sound

use crate::access::{DebugBus, DebugRegister};
use core::fmt;
use core::marker::PhantomData;

/// Keeps [`DrValue`] to the types of this unit.
pub trait Sealed {}

/// The content of a debug register. Reading such a register has no effect, unless general detect protects it.
pub trait DrValue: Copy + Sealed {
    /// The content as it was read: all 64 bits are kept, whatever they mean.
    #[must_use]
    fn from_register(bits: u64) -> Self;

    /// The bits to write.
    #[must_use]
    fn to_register(self) -> u64;
}

/// A debug register that holds an `R`. What [`Msr`](crate::msr::Msr) is for the registers of RDMSR and WRMSR.
pub struct Dr<R> {
    register: DebugRegister,
    content: PhantomData<fn() -> R>,
}

impl<R> Dr<R> {
    /// The caller makes sure that the register holds an `R`.
    #[inline]
    pub(super) const fn new(register: DebugRegister) -> Self {
        Self { register, content: PhantomData }
    }

    /// The register as MOV names it.
    #[must_use]
    #[inline]
    pub const fn register(self) -> DebugRegister {
        self.register
    }
}

impl<R: DrValue> Dr<R> {
    /// Reads the register.
    ///
    /// # Errors
    ///
    /// The fault that the access raised.
    #[inline]
    pub fn read<B: DebugBus>(self, bus: &mut B) -> Result<R, B::Fault> {
        bus.read_dr(self.register).map(R::from_register)
    }

    /// Writes the register.
    ///
    /// # Safety
    ///
    /// A breakpoint may be armed by this, or moved if it is armed: whoever does that has a #DB handler that expects
    /// it. Where nothing can be armed there are safe ways: [`Dr6::write`](super::Dr6::write),
    /// [`Dr7::disarm`](super::Dr7::disarm).
    ///
    /// # Errors
    ///
    /// The fault that the access raised; the register keeps its content then.
    #[inline]
    pub unsafe fn write<B: DebugBus>(self, bus: &mut B, value: R) -> Result<(), B::Fault> {
        // SAFETY: passed on to the caller as it is.
        unsafe { bus.write_dr(self.register, value.to_register()) }
    }

    /// Reads the register and writes back what `change` makes of it. What `change` leaves alone stays, reserved bits
    /// included.
    ///
    /// # Safety
    ///
    /// As for [`write`](Self::write).
    ///
    /// # Errors
    ///
    /// The fault that one of the accesses raised; the register keeps its content then.
    #[inline]
    pub unsafe fn update<B: DebugBus>(self, bus: &mut B, change: impl FnOnce(R) -> R) -> Result<(), B::Fault> {
        let value = change(self.read(bus)?);
        // SAFETY: passed on to the caller as it is.
        unsafe { self.write(bus, value) }
    }
}

impl<R> Clone for Dr<R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R> Copy for Dr<R> {}

impl<R> PartialEq for Dr<R> {
    fn eq(&self, other: &Self) -> bool {
        self.register == other.register
    }
}

impl<R> Eq for Dr<R> {}

impl<R> fmt::Debug for Dr<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.register.fmt(f)
    }
}

/// Makes a 64-bit layout the content of a debug register.
macro_rules! dr_value {
    ($ty:ident) => {
        impl $crate::debug::handle::Sealed for $ty {}
        impl $crate::debug::handle::DrValue for $ty {
            #[inline]
            fn from_register(bits: u64) -> Self {
                Self::from_bits(bits)
            }

            #[inline]
            fn to_register(self) -> u64 {
                self.into_bits()
            }
        }
    };
}
pub(super) use dr_value;

/// The refusal of bits 63:32, which 64-bit mode alone can write to DR6 and DR7.
#[inline]
pub(super) const fn upper_half(register: &'static str, new: u64) -> Option<crate::access::GeneralProtection> {
    use crate::{Rule, access::GeneralProtection};
    match new & 0xFFFF_FFFF_0000_0000 {
        0 => None,
        bits => Some(GeneralProtection::refused(register, bits, Rule::MustBeZero)),
    }
}
