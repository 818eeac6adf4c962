//! What stands in a model-specific register.

use crate::access::GeneralProtection;
use crate::layout::Layout;

/// Keeps the traits below to types whose layout and number this crate vouches for.
pub trait Sealed {}

/// The content of a model-specific register.
pub trait MsrValue: Copy + Sealed {
    /// Name of the register, as in the manual; of an array, with `x` or `n` for the index.
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

/// A register that can be read, and reading it has no effect. Not write-only registers, nor those that take a 1 to clear
/// a bit of another register and read as 0: an update of one would write back what it has just read.
pub trait ReadableMsr: MsrValue {}

/// A register whose write, with any value, cannot make the processor write memory. At worst it faults.
pub trait WritableMsr: MsrValue {}

/// A register that says what a write does: what firmware may check before, and what a model does.
pub trait CheckedMsr: MsrValue {
    /// What the processor has, as far as it decides about this register.
    type Caps: ?Sized;

    /// What a WRMSR of `new` makes of the content `old`.
    ///
    /// # Errors
    ///
    /// The fault; the register keeps `old` then.
    fn check_write(old: Self, new: u64, caps: &Self::Caps) -> Result<Self, GeneralProtection>;
}

/// Makes a 64-bit layout the content of a register: `msr_value!(Type, "NAME", read_write, caps = Caps)`.
///
/// The access is `read_only` ([`ReadableMsr`]), `read_write` (and [`WritableMsr`]), `write_only` ([`WritableMsr`] alone) or
/// `unsafe_write` ([`ReadableMsr`]; the type has its own `unsafe` write).
/// With `caps` the type has an inherent `const fn check_write(old: Self, new: u64, caps: &Caps)`, to which the trait leads.
macro_rules! msr_value {
    (@access $ty:ident, read_only) => {
        impl $crate::msr::ReadableMsr for $ty {}
    };
    (@access $ty:ident, unsafe_write) => {
        impl $crate::msr::ReadableMsr for $ty {}
    };
    (@access $ty:ident, write_only) => {
        impl $crate::msr::WritableMsr for $ty {}
    };
    (@access $ty:ident, read_write) => {
        impl $crate::msr::ReadableMsr for $ty {}
        impl $crate::msr::WritableMsr for $ty {}
    };
    ($ty:ident, $name:literal, $access:ident $(, caps = $caps:ty)?) => {
        impl $crate::msr::Sealed for $ty {}
        impl $crate::msr::MsrValue for $ty {
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
        $crate::msr::msr_value!(@access $ty, $access);
        $(
            impl $crate::msr::CheckedMsr for $ty {
                type Caps = $caps;

                #[inline]
                fn check_write(
                    old: Self,
                    new: u64,
                    caps: &Self::Caps,
                ) -> Result<Self, $crate::access::GeneralProtection> {
                    $ty::check_write(old, new, caps)
                }
            }
        )?
    };
}
pub(crate) use msr_value;
