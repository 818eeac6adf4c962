//! Integers of a few bits, for the fields of registers.
//!
//! A field that is narrower than its integer has one of these types, so that its setter has nothing to refuse. A number
//! is checked once, where it becomes a [`Bits`]: by the compiler ([`Bits::of`]), by a test ([`Bits::new`],
//! `TryFrom`), or not at all, in which case the upper bits are dropped ([`Bits::masked`]).
//!
//! ```
//! use lwp_regs::bits::U12;
//! use lwp_regs::rdt::PqrAssoc;
//!
//! assert_eq!(PqrAssoc::new().with_rmid(U12::of::<0x3FF>()).rmid().get(), 0x3FF);
//! assert_eq!(U12::new(0x1000), None);
//! assert_eq!(U12::masked(0x1005).get(), 5);
//! ```

use core::fmt;

/// The lowest `N` bits of a `T`, which is one of `u8`, `u16`, `u32`, `u64`. The others are 0.
///
/// The names of the sizes that registers have ([`U2`], [`U3`] and so on) are how one is made: `U12::new(5)`.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bits<T, const N: u32>(T);

/// The number does not fit into its field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct OutOfRange {
    /// The number.
    pub value: u64,
    /// The largest number that fits.
    pub max: u64,
}

impl fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x} does not fit into the field; the largest value is {:#x}", self.value, self.max)
    }
}

impl core::error::Error for OutOfRange {}

macro_rules! bits_of {
    ($($int:ident)+) => {$(
        impl<const N: u32> Bits<$int, N> {
            const MASK: $int = $int::MAX >> ($int::BITS - N);
            /// 0.
            pub const ZERO: Self = Self(0);
            /// The largest value: all bits 1.
            pub const MAX: Self = Self(Self::MASK);

            /// The value, if it fits.
            #[must_use]
            #[inline]
            pub const fn new(value: $int) -> Option<Self> {
                if value <= Self::MASK { Some(Self(value)) } else { None }
            }

            /// The constant `VALUE`. One that does not fit is an error at compile time.
            #[must_use]
            #[inline]
            pub const fn of<const VALUE: u64>() -> Self {
                const { assert!(VALUE <= Self::MASK as u64, "the value does not fit into the field") };
                Self(VALUE as $int)
            }

            /// The lowest `N` bits of `value`; the others are dropped.
            #[must_use]
            #[inline]
            pub const fn masked(value: $int) -> Self {
                Self(value & Self::MASK)
            }

            /// The value, at most [`MAX`](Self::MAX).
            #[must_use]
            #[inline]
            pub const fn get(self) -> $int {
                self.0 & Self::MASK
            }

            // The two names by which bitfield-struct asks.
            #[inline]
            #[doc(hidden)]
            #[must_use]
            pub const fn from_bits(bits: $int) -> Self {
                Self::masked(bits)
            }

            #[inline]
            #[doc(hidden)]
            #[must_use]
            pub const fn into_bits(self) -> $int {
                self.get()
            }
        }

        impl<const N: u32> TryFrom<$int> for Bits<$int, N> {
            type Error = OutOfRange;

            fn try_from(value: $int) -> Result<Self, OutOfRange> {
                Self::new(value).ok_or(OutOfRange { value: value.into(), max: Self::MASK.into() })
            }
        }

        impl<const N: u32> PartialEq<$int> for Bits<$int, N> {
            #[inline]
            fn eq(&self, other: &$int) -> bool {
                self.get() == *other
            }
        }

        impl<const N: u32> From<Bits<$int, N>> for $int {
            #[inline]
            fn from(bits: Bits<$int, N>) -> Self {
                bits.get()
            }
        }
    )+};
}
bits_of!(u8 u16 u32 u64);

macro_rules! formats {
    ($($format:ident)+) => {$(
        impl<T: fmt::$format, const N: u32> fmt::$format for Bits<T, N> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )+};
}
formats!(Debug Display LowerHex UpperHex Binary);

#[cfg(feature = "defmt")]
impl<T: defmt::Format, const N: u32> defmt::Format for Bits<T, N> {
    fn format(&self, f: defmt::Formatter<'_>) {
        self.0.format(f);
    }
}

macro_rules! names {
    ($($name:ident = $int:ident, $bits:literal;)+) => {$(
        #[doc = concat!("A field of ", $bits, " bits.")]
        pub type $name = Bits<$int, $bits>;
    )+};
}
names! {
    U2 = u8, 2;
    U3 = u8, 3;
    U4 = u8, 4;
    U5 = u8, 5;
    U6 = u8, 6;
    U7 = u8, 7;
    U12 = u16, 12;
    U26 = u32, 26;
    U27 = u32, 27;
    U28 = u32, 28;
    U40 = u64, 40;
    U41 = u64, 41;
    U48 = u64, 48;
    U52 = u64, 52;
    U56 = u64, 56;
    U58 = u64, 58;
    U61 = u64, 61;
    U62 = u64, 62;
    U63 = u64, 63;
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::format;

    #[test]
    fn what_fits_is_kept() {
        for value in 0..=u8::MAX {
            let fits = value < 16;
            assert_eq!(U4::new(value).map(U4::get), fits.then_some(value));
            assert_eq!(U4::try_from(value).is_ok(), fits);
            assert_eq!(U4::masked(value).get(), value % 16);
        }
        assert_eq!(Bits::<u64, 64>::new(u64::MAX), Some(Bits::<u64, 64>::MAX));
        assert_eq!((U12::of::<0xFFF>(), U12::of::<0>()), (U12::MAX, U12::ZERO));
        assert_eq!(u64::from(U63::MAX), u64::MAX >> 1);
    }

    #[test]
    fn texts() {
        let error = U5::try_from(32).unwrap_err();
        assert_eq!(format!("{error}"), "0x20 does not fit into the field; the largest value is 0x1f");
        assert_eq!(format!("{:?} {:#x} {}", U5::of::<9>(), U5::of::<30>(), U5::of::<30>()), "9 0x1e 30");
    }
}
