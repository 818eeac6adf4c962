//! What a register layout says about itself, as data that tests can walk over.
//!
//! Positions are never typed twice: `layout_fields!` takes the constants that `bitfield-struct`
//! generates beside a layout and derives the `tock-registers` fields, the reserved mask and this table from them.

/// One named field of a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct FieldInfo {
    /// Name of the field, in capitals.
    pub name: &'static str,
    /// Number of its lowest bit.
    pub offset: usize,
    /// Width in bits.
    pub bits: usize,
}

impl FieldInfo {
    /// The bits of the register that the field covers; none beyond bit 63.
    #[must_use]
    #[inline]
    pub const fn mask(&self) -> u64 {
        if self.offset >= 64 { 0 } else { mask(self.bits) << self.offset }
    }
}

/// What becomes of reserved bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum ReservedBits {
    /// Writing a 1 faults; they read as 0.
    Fault,
    /// Hardware writes 0 and software may rely on it.
    Zero,
    /// Hardware ignores them when it reads the word and writes 0 when it writes it. Software writes 0.
    Ignored,
    /// Software writes back what it has read.
    Preserve,
}

/// One register layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Layout {
    /// Name of the Rust type.
    pub name: &'static str,
    /// Width of the register in bits.
    pub width: usize,
    /// The fields, lowest bit first.
    pub fields: &'static [FieldInfo],
    /// The bits that no field covers.
    pub reserved: u64,
    /// Those of them that read as 1 and are written as 1.
    pub ones: u64,
    /// What becomes of the others.
    pub policy: ReservedBits,
}

/// A layout whose fields also exist for `tock-registers`.
pub trait TockFields {
    /// What ties those fields to their register: `Register` in their module.
    type Register: tock_registers::RegisterLongName;
}

/// `bits` ones, from bit 0 up; at most 64.
#[must_use]
#[inline]
pub const fn mask(bits: usize) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

/// The bits of a register `width` bits wide that are in none of `fields`. Fails to compile when two fields overlap, are
/// out of order or leave the register, so that a mistake in a field list is a build error.
///
/// # Panics
///
/// In the cases above; meant for constants.
#[must_use]
#[inline]
pub const fn reserved(width: usize, fields: &[FieldInfo]) -> u64 {
    let mut covered = 0;
    let mut next = 0;
    let mut i = 0;
    while i < fields.len() {
        assert!(fields[i].offset >= next, "fields overlap or are out of order");
        next = fields[i].offset + fields[i].bits;
        assert!(next <= width, "a field leaves its register");
        covered |= fields[i].mask();
        i += 1;
    }
    mask(width) & !covered
}

/// `bits`, which have to be among `reserved`. Fails to compile when they are not.
///
/// # Panics
///
/// In that case; meant for constants.
#[must_use]
#[inline]
pub const fn within(bits: u64, reserved: u64) -> u64 {
    assert!(bits & !reserved == 0, "a bit that is always 1 is in a field");
    bits
}

/// Derives from a `bitfield-struct` layout everything that others would otherwise type again: `FIELDS`, `RESERVED`,
/// `LAYOUT`, `has_reserved_bits`, a `tock-registers` module with one `Field` per field, and a copy for tock's accessors.
///
/// Has to stand in the module of the layout, where its generated constants are visible. `ones = …` after the policy
/// names the reserved bits that are always 1.
macro_rules! layout_fields {
    ($(#[$meta:meta])* $ty:ident: $repr:ty, $policy:ident, $module:ident { $($fields:tt)+ }) => {
        layout_fields!($(#[$meta])* $ty: $repr, $policy, ones = 0, $module { $($fields)+ });
    };
    ($(#[$meta:meta])* $ty:ident: $repr:ty, $policy:ident, ones = $ones:expr, $module:ident {
        $($(#[$doc:meta])* $name:ident = $bits:ident @ $offset:ident;)+
    }) => {
        impl $ty {
            /// The fields of the layout, lowest bit first.
            pub const FIELDS: &'static [$crate::layout::FieldInfo] = &[$(
                $crate::layout::FieldInfo { name: stringify!($name), offset: Self::$offset, bits: Self::$bits },
            )+];
            /// The bits that no field covers: reserved.
            pub const RESERVED: $repr =
                $crate::layout::reserved(<$repr>::BITS as usize, Self::FIELDS) as $repr;
            /// The layout as data.
            pub const LAYOUT: $crate::layout::Layout = $crate::layout::Layout {
                name: stringify!($ty),
                width: <$repr>::BITS as usize,
                fields: Self::FIELDS,
                reserved: Self::RESERVED as u64,
                ones: $crate::layout::within($ones, Self::RESERVED as u64),
                policy: $crate::layout::ReservedBits::$policy,
            };

            /// Whether a reserved bit has another value than the manual gives it: 0, or 1 where it reads as 1.
            #[must_use]
            #[allow(clippy::bad_bit_mask)] // some layouts have no reserved bits
            #[inline]
            pub const fn has_reserved_bits(self) -> bool {
                self.into_bits() & Self::RESERVED != Self::LAYOUT.ones as $repr
            }

            /// A copy to be used with the accessors and `Field`s of `tock-registers`.
            #[must_use]
            #[inline]
            pub const fn to_tock(
                self,
            ) -> ::tock_registers::LocalRegisterCopy<$repr, $module::Register> {
                ::tock_registers::LocalRegisterCopy::new(self.into_bits())
            }
        }

        impl $crate::layout::TockFields for $ty {
            type Register = $module::Register;
        }

        impl PartialEq for $ty {
            fn eq(&self, other: &Self) -> bool {
                self.into_bits() == other.into_bits()
            }
        }
        impl Eq for $ty {}
        impl ::core::hash::Hash for $ty {
            fn hash<H: ::core::hash::Hasher>(&self, state: &mut H) {
                self.into_bits().hash(state);
            }
        }

        // Whatever the features, a register has the size of its integer.
        const _: () = assert!(size_of::<$ty>() == size_of::<$repr>() && align_of::<$ty>() == align_of::<$repr>());

        #[cfg(feature = "serde")]
        impl ::serde::Serialize for $ty {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                ::serde::Serialize::serialize(&self.into_bits(), serializer)
            }
        }
        #[cfg(feature = "serde")]
        impl<'de> ::serde::Deserialize<'de> for $ty {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                <$repr as ::serde::Deserialize>::deserialize(deserializer).map(Self::from_bits)
            }
        }

        impl From<::tock_registers::LocalRegisterCopy<$repr, $module::Register>> for $ty {
            fn from(copy: ::tock_registers::LocalRegisterCopy<$repr, $module::Register>) -> Self {
                Self::from_bits(copy.get())
            }
        }

        $(#[$meta])*
        pub mod $module {
            use super::$ty;
            use tock_registers::fields::Field;

            /// Ties the fields below to their register.
            #[derive(Clone, Copy, Debug)]
            pub enum Register {}
            impl tock_registers::RegisterLongName for Register {}

            $(
                $(#[$doc])*
                pub const $name: Field<$repr, Register> =
                    Field::<$repr, Register>::new($crate::layout::mask($ty::$bits) as $repr, $ty::$offset);
            )+
        }
    };
}

/// Lets defmt print a set of `bitflags`, as its bits.
macro_rules! set_format {
    ($ty:ident) => {
        #[cfg(feature = "defmt")]
        impl ::defmt::Format for $ty {
            fn format(&self, f: ::defmt::Formatter<'_>) {
                ::defmt::write!(f, "{}({:#x})", stringify!($ty), self.bits());
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::{FieldInfo, mask, reserved, within};

    const A: FieldInfo = FieldInfo { name: "A", offset: 0, bits: 4 };
    const B: FieldInfo = FieldInfo { name: "B", offset: 3, bits: 2 };

    #[test]
    fn masks() {
        assert_eq!(mask(0), 0);
        assert_eq!(mask(26), 0x03FF_FFFF);
        assert_eq!(mask(64), u64::MAX);
        assert_eq!(B.mask(), 0x18);
    }

    #[test]
    fn reserved_is_what_no_field_covers() {
        assert_eq!(reserved(32, &[A]), 0xFFFF_FFF0);
        assert_eq!(reserved(64, &[A]), 0xFFFF_FFFF_FFFF_FFF0);
    }

    #[test]
    #[should_panic(expected = "overlap")]
    fn overlapping_fields_are_refused() {
        let _ = reserved(32, &[A, B]);
    }

    #[test]
    #[should_panic(expected = "always 1")]
    fn a_field_that_is_always_1_is_refused() {
        let _ = within(0x410, 0x400);
    }

    #[test]
    #[should_panic(expected = "leaves")]
    fn a_field_outside_the_register_is_refused() {
        let _ = reserved(4, &[FieldInfo { name: "C", offset: 2, bits: 3 }]);
    }
}
