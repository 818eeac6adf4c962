//! The macro that declares a register.

/// Declares the content of a register: the type with its fields, and from these all that others would otherwise type
/// again: `FIELDS`, `RESERVED`, `LAYOUT`, `has_reserved_bits`, `to_tock`, `tock_field`, equality, hash and, with the
/// features, `serde`. With a clause `msr` also the number, the handle `MSR` and the ways to access it.
///
/// The fields are those of [`bitfield_struct`](https://docs.rs/bitfield-struct), lowest bit first: `#[bits(n)]` gives the
/// width, `__` is reserved. A field narrower than its integer takes a type of [`bits`](crate::bits), so that its setter has
/// nothing to refuse. After the integer stands what becomes of reserved bits: a variant of
/// [`ReservedBits`](crate::layout::ReservedBits).
///
/// A register of one's own, here with two fields; the word `unsafe` vouches for the number, as in
/// [`Msr::at`](crate::msr::Msr::at):
///
/// ```
/// use lwp_regs::bits::U4;
/// use lwp_regs::fake::FakeMsrs;
///
/// lwp_regs::register! {
///     /// IA32_ENERGY_PERF_BIAS: how much performance matters.
///     pub struct EnergyPerfBias: u64, Fault { #[bits(4)] pub hint: U4, #[bits(60)] __: u64 }
///     msr "IA32_ENERGY_PERF_BIAS" = unsafe 0x1B0, read_write;
/// }
///
/// let mut cpu = FakeMsrs::<1>::new();
/// cpu.define(EnergyPerfBias::MSR, EnergyPerfBias::from_bits(6));
/// EnergyPerfBias::MSR.update_unchecked(&mut cpu, |bias| bias.with_hint(U4::MAX))?;
/// assert_eq!(cpu.get(EnergyPerfBias::MSR).hint(), 15);
/// assert_eq!(EnergyPerfBias::RESERVED, !0xF);
/// # Ok::<(), lwp_regs::access::GeneralProtection>(())
/// ```
///
/// The access is `read_only`, `read_write`, `write_only` or, for a register that makes the processor write memory,
/// `unsafe_write`. `caps = Caps` after it makes the register a [`CheckedMsr`](crate::msr::CheckedMsr), by an inherent
/// `const fn check_write(old: Self, new: u64, caps: &Caps) -> Result<Self, GeneralProtection>`. `ones = …` after the rule
/// for reserved bits names those that are always 1.
#[macro_export]
macro_rules! register {
    (
        $(#[$($meta:tt)*])*
        $vis:vis struct $ty:ident: $repr:ident, $policy:ident $(, ones = $ones:tt)? { $($fields:tt)* }
        $($msr:tt)*
    ) => {
        $crate::__layout! {
            [$crate::__private::bitfield_struct::bitfield($repr)]
            $(#[$($meta)*])* $vis struct $ty: $repr, $policy $(, ones = $ones)? { $($fields)* }
        }
        $crate::__msr! { $ty $($msr)* }
    };
}

/// [`register!`] for this crate, whose registers can be logged by defmt and whose numbers need no `unsafe`.
macro_rules! layout {
    (
        $(#[$($meta:tt)*])*
        $vis:vis struct $ty:ident: $repr:ident, $policy:ident $(, ones = $ones:tt)? { $($fields:tt)* }
        $(msr $name:literal = $number:literal, $access:ident $(, caps = $caps:ty)?;)?
    ) => {
        $crate::__layout! {
            [::bitfield_struct::bitfield($repr, defmt = cfg(feature = "defmt"))]
            $(#[$($meta)*])* $vis struct $ty: $repr, $policy $(, ones = $ones)? { $($fields)* }
        }
        $(
            impl $ty {
                /// Number of the register.
                pub const ADDRESS: u32 = $number;
                /// The register.
                pub const MSR: $crate::msr::Msr<Self> = $crate::msr::Msr::new(Self::ADDRESS);
            }
            $crate::__msr_value! { $ty, $name, $access $(, caps = $caps)? }
        )?
    };
}

/// The width of a field: that of its attribute `bits`, or that of its type.
#[doc(hidden)]
#[macro_export]
macro_rules! __width {
    ($ty:ident [bits($bits:literal $($rest:tt)*)] $($more:tt)*) => { $bits };
    ($ty:ident [$($other:tt)*] $($more:tt)*) => { $crate::__width!($ty $($more)*) };
    (bool) => { 1 };
    ($ty:ident) => { <$ty>::BITS as usize };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __layout {
    (
        [$($bitfield:tt)*]
        $(#[$($meta:tt)*])*
        $vis:vis struct $ty:ident: $repr:ident, $policy:ident $(, ones = $ones:tt)? {
            $($(#[$($attribute:tt)*])* $access:vis $field:ident: $of:ident),* $(,)?
        }
    ) => {
        $(#[$($meta)*])*
        #[$($bitfield)*]
        $vis struct $ty {
            $($(#[$($attribute)*])* $access $field: $of),*
        }

        impl $ty {
            /// The fields of the layout, lowest bit first.
            pub const FIELDS: &'static [$crate::layout::FieldInfo] = {
                const ALL: &[(&str, usize)] = &[$((
                    {
                        const NAME: [u8; stringify!($field).len()] = $crate::layout::capitals(stringify!($field));
                        $crate::layout::text(&NAME)
                    },
                    $crate::__width!($of $([$($attribute)*])*),
                )),*];
                const PLACED: [$crate::layout::FieldInfo; $crate::layout::named(ALL)] = $crate::layout::placed(ALL);
                &PLACED
            };
            /// The bits that no field covers: reserved.
            pub const RESERVED: $repr = $crate::layout::reserved(<$repr>::BITS as usize, Self::FIELDS) as $repr;
            /// The layout as data.
            pub const LAYOUT: $crate::layout::Layout = $crate::layout::Layout {
                name: stringify!($ty),
                width: <$repr>::BITS as usize,
                fields: Self::FIELDS,
                reserved: Self::RESERVED as u64,
                ones: $crate::layout::within(0 $(| $ones)?, Self::RESERVED as u64),
                policy: $crate::layout::ReservedBits::$policy,
            };

            /// Whether a reserved bit has another value than the manual gives it: 0, or 1 where it reads as 1.
            #[must_use]
            #[allow(clippy::bad_bit_mask, reason = "some layouts have no reserved bits")]
            #[inline]
            pub const fn has_reserved_bits(self) -> bool {
                self.into_bits() & Self::RESERVED != Self::LAYOUT.ones as $repr
            }

            /// A copy to be used with the accessors and `Field`s of `tock-registers`.
            #[must_use]
            #[inline]
            pub const fn to_tock(self) -> $crate::__private::tock_registers::LocalRegisterCopy<$repr, Self> {
                $crate::__private::tock_registers::LocalRegisterCopy::new(self.into_bits())
            }

            /// The field of this name, in capitals as in [`FIELDS`](Self::FIELDS), for `tock-registers`.
            ///
            /// # Panics
            ///
            /// If there is none; meant for constants, where that is an error at compile time.
            #[must_use]
            #[inline]
            pub const fn tock_field(name: &str) -> $crate::__private::tock_registers::fields::Field<$repr, Self> {
                let field = $crate::layout::named_field(Self::FIELDS, name);
                let mask = $crate::layout::mask(field.bits) as $repr;
                $crate::__private::tock_registers::fields::Field::<$repr, Self>::new(mask, field.offset)
            }
        }

        impl $crate::__private::tock_registers::RegisterLongName for $ty {}

        impl PartialEq for $ty {
            fn eq(&self, other: &Self) -> bool {
                self.into_bits() == other.into_bits()
            }
        }
        impl Eq for $ty {}
        impl ::core::hash::Hash for $ty {
            fn hash<H: ::core::hash::Hasher>(&self, state: &mut H) {
                ::core::hash::Hash::hash(&self.into_bits(), state);
            }
        }

        // Whatever the features, a register has the size of its integer.
        const _: () = assert!(size_of::<$ty>() == size_of::<$repr>() && align_of::<$ty>() == align_of::<$repr>());

        $crate::__serde! { $ty: $repr }

        impl From<$crate::__private::tock_registers::LocalRegisterCopy<$repr, $ty>> for $ty {
            fn from(copy: $crate::__private::tock_registers::LocalRegisterCopy<$repr, $ty>) -> Self {
                Self::from_bits(copy.get())
            }
        }
    };
}

#[cfg(feature = "serde")]
#[doc(hidden)]
#[macro_export]
macro_rules! __serde {
    ($ty:ident: $repr:ident) => {
        impl $crate::__private::serde::Serialize for $ty {
            fn serialize<S: $crate::__private::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $crate::__private::serde::Serialize::serialize(&self.into_bits(), serializer)
            }
        }
        impl<'de> $crate::__private::serde::Deserialize<'de> for $ty {
            fn deserialize<D: $crate::__private::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                <$repr as $crate::__private::serde::Deserialize>::deserialize(deserializer).map(Self::from_bits)
            }
        }
    };
}

#[cfg(not(feature = "serde"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __serde {
    ($($nothing:tt)*) => {};
}

/// The clause `msr`, if there is one.
#[doc(hidden)]
#[macro_export]
macro_rules! __msr {
    ($ty:ident) => {};
    ($ty:ident msr $name:literal = unsafe $number:literal, $access:ident $(, caps = $caps:ty)?;) => {
        impl $ty {
            /// Number of the register.
            pub const ADDRESS: u32 = $number;
            /// The register.
            // SAFETY: whoever declares the register vouches for its number by the word `unsafe`.
            pub const MSR: $crate::msr::Msr<Self> = unsafe { $crate::msr::Msr::at(Self::ADDRESS) };
        }
        $crate::__msr_value! { $ty, $name, $access $(, caps = $caps)? }
    };
}

/// Makes a 64-bit layout the content of a register: `__msr_value!(Type, "NAME", read_write, caps = Caps)`.
#[doc(hidden)]
#[macro_export]
macro_rules! __msr_value {
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
        $crate::__msr_value!(@access $ty, $access);
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
