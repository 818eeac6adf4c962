//! An index into the register file, tied to the type of what is in it.

use super::PmcBus;
use crate::layout::Layout;
use core::fmt;
use core::marker::PhantomData;

mod sealed {
    pub trait Sealed {}
}
pub(super) use sealed::Sealed;

/// The content of a control register, `pmc[i]`.
pub trait PmcValue: Copy + Sealed {
    /// Name of the register, as in the manual; of an array, with `i` for the index.
    const NAME: &'static str;
    /// Its layout as data.
    const LAYOUT: Layout;

    /// The content as it was read: all 64 bits are kept, whatever they mean.
    #[must_use]
    fn from_register(bits: u64) -> Self;

    /// The bits to write.
    #[must_use]
    fn to_register(self) -> u64;
}

/// Makes a layout the content of a control register.
macro_rules! pmc_value {
    ($ty:ident, $name:literal) => {
        impl $crate::itanium::pmc::Sealed for $ty {}
        impl $crate::itanium::PmcValue for $ty {
            const NAME: &'static str = $name;
            const LAYOUT: $crate::layout::Layout = $ty::LAYOUT;

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
pub(super) use pmc_value;

/// The index of a control register, `pmc[i]`, that holds an `R`.
pub struct Pmc<R> {
    index: u8,
    content: PhantomData<fn() -> R>,
}

impl<R> Pmc<R> {
    #[inline]
    pub(super) const fn new(index: u8) -> Self {
        Self { index, content: PhantomData }
    }

    /// The index into the register file.
    #[must_use]
    #[inline]
    pub const fn index(self) -> u8 {
        self.index
    }
}

impl<R: PmcValue> Pmc<R> {
    /// Reads the register.
    ///
    /// # Errors
    ///
    /// The fault that the access raised.
    #[inline]
    pub fn read<B: PmcBus>(self, bus: &mut B) -> Result<R, B::Fault> {
        bus.read_pmc(self.index).map(R::from_register)
    }

    /// Writes the register.
    ///
    /// # Errors
    ///
    /// The fault that the access raised; the register keeps its content then.
    #[inline]
    pub fn write<B: PmcBus>(self, bus: &mut B, value: R) -> Result<(), B::Fault> {
        bus.write_pmc(self.index, value.to_register())
    }

    /// Reads the register and writes back what `change` makes of it. What `change` leaves alone stays.
    ///
    /// # Errors
    ///
    /// The fault that one of the accesses raised; the register keeps its content then.
    #[inline]
    pub fn update<B: PmcBus>(self, bus: &mut B, change: impl FnOnce(R) -> R) -> Result<(), B::Fault> {
        let value = change(self.read(bus)?);
        self.write(bus, value)
    }
}

impl<R> Clone for Pmc<R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R> Copy for Pmc<R> {}

impl<R> PartialEq for Pmc<R> {
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index
    }
}

impl<R> Eq for Pmc<R> {}

impl<R> fmt::Debug for Pmc<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PMC[{}]", self.index)
    }
}
