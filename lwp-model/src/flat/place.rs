//! What a field of a row can be in Rust.

/// Kind of values that the bits of a field stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// One bit: 1 is true.
    Flag,
    /// A number.
    Number,
    /// The codes from 0 are these, by name.
    Named(&'static [&'static str]),
}

/// A value that a field of a row holds.
pub trait Place: Copy {
    /// Kind of values.
    const VALUES: Values = Values::Number;

    /// The value's bits. Those beyond the width of its field are not packed.
    fn bits(self) -> u64;

    /// The value with these bits, which are those of its field. `None` if they are the code of no value.
    fn from_bits(bits: u64) -> Option<Self>;
}

impl Place for bool {
    const VALUES: Values = Values::Flag;

    #[inline]
    fn bits(self) -> u64 {
        self.into()
    }

    #[inline]
    fn from_bits(bits: u64) -> Option<Self> {
        Some(bits & 1 == 1)
    }
}

macro_rules! integers {
    ($($integer:ty)+) => {
        $(impl Place for $integer {
            #[inline]
            fn bits(self) -> u64 {
                self.into()
            }

            #[inline]
            fn from_bits(bits: u64) -> Option<Self> {
                Some(bits as Self)
            }
        })+
    };
}

integers!(u8 u16 u32 u64);

/// Typed registers of a unit, as their raw bits.
macro_rules! place_registers {
    ($($register:ty)+) => {
        $(impl $crate::flat::Place for $register {
            #[inline]
            fn bits(self) -> u64 {
                self.into_bits()
            }

            #[inline]
            fn from_bits(bits: u64) -> Option<Self> {
                Some(<$register>::from_bits(bits))
            }
        })+
    };
}

pub(crate) use place_registers;
