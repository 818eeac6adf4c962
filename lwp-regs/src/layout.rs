//! What a register layout says about itself, as data that tests can walk over.
//!
//! Positions are never typed twice: [`register!`](crate::register) takes the widths of the fields of a `bitfield-struct`
//! and derives this table, the reserved mask and the fields for `tock-registers` from them.

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

/// `name` in capitals.
#[doc(hidden)]
#[must_use]
pub const fn capitals<const N: usize>(name: &str) -> [u8; N] {
    let mut capitals = [0; N];
    let mut i = 0;
    while i < N {
        capitals[i] = name.as_bytes()[i].to_ascii_uppercase();
        i += 1;
    }
    capitals
}

/// `bytes` as text; "?" if they are none.
#[doc(hidden)]
#[must_use]
pub const fn text(bytes: &[u8]) -> &str {
    match core::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => "?",
    }
}

/// Reserved fields have names of underscores.
const fn is_named(name: &str) -> bool {
    name.as_bytes()[0] != b'_'
}

/// How many of these fields are not reserved.
#[doc(hidden)]
#[must_use]
pub const fn named(fields: &[(&str, usize)]) -> usize {
    let (mut count, mut i) = (0, 0);
    while i < fields.len() {
        count += is_named(fields[i].0) as usize;
        i += 1;
    }
    count
}

/// The fields that are not reserved, from the names and widths of all, lowest bit first.
#[doc(hidden)]
#[must_use]
pub const fn placed<const N: usize>(all: &[(&'static str, usize)]) -> [FieldInfo; N] {
    let mut placed = [FieldInfo { name: "", offset: 0, bits: 0 }; N];
    let (mut next, mut offset, mut i) = (0, 0, 0);
    while i < all.len() {
        let (name, bits) = all[i];
        if is_named(name) {
            placed[next] = FieldInfo { name, offset, bits };
            next += 1;
        }
        offset += bits;
        i += 1;
    }
    placed
}

/// The field of this name.
///
/// # Panics
///
/// If there is none; meant for constants.
#[doc(hidden)]
#[must_use]
pub const fn named_field(fields: &[FieldInfo], name: &str) -> FieldInfo {
    let mut i = 0;
    while i < fields.len() {
        if same(fields[i].name.as_bytes(), name.as_bytes()) {
            return fields[i];
        }
        i += 1;
    }
    panic!("the register has no field of this name")
}

const fn same(one: &[u8], other: &[u8]) -> bool {
    let mut i = 0;
    while i < one.len() && i < other.len() && one[i] == other[i] {
        i += 1;
    }
    i == one.len() && i == other.len()
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
