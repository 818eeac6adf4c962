//! How many entries the LBR stack has.

use super::LbrTos;

/// Number of entries of an LBR stack: a power of two, at most 32.
///
/// Source: Intel SDM volume 3B, "LBR Stack", table "LBR Stack Size and TOS Pointer Range".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LbrDepth(u8);

impl LbrDepth {
    /// Core 2.
    pub const FOUR: Self = Self(4);
    /// Atom, up to Silvermont; Knights Landing.
    pub const EIGHT: Self = Self(8);
    /// Nehalem to Broadwell.
    pub const SIXTEEN: Self = Self(16);
    /// Skylake to Tiger Lake; Goldmont to Tremont.
    pub const THIRTY_TWO: Self = Self(32);

    /// A depth of `entries`; `None` unless it is 1, 2, 4, 8, 16 or 32.
    #[must_use]
    #[inline]
    pub const fn new(entries: u8) -> Option<Self> {
        if entries.is_power_of_two() && entries <= 32 { Some(Self(entries)) } else { None }
    }

    /// Number of entries.
    #[must_use]
    #[inline]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// Number of bits of the top-of-stack pointer, M: log2 of the depth.
    #[must_use]
    #[inline]
    pub const fn tos_bits(self) -> u32 {
        self.0.trailing_zeros()
    }

    /// Number of the entry with the most recent record: the lowest M bits of the pointer, whatever stands above them.
    #[must_use]
    #[inline]
    pub const fn newest(self, tos: LbrTos) -> u8 {
        tos.into_bits() as u8 & (self.0 - 1)
    }

    /// Number of the entry that is `age` records older than the newest; 0 is the newest itself. `None` when the stack
    /// does not reach back so far.
    #[must_use]
    #[inline]
    pub const fn entry(self, tos: LbrTos, age: u8) -> Option<u8> {
        if age < self.0 { Some(self.newest(tos).wrapping_sub(age) & (self.0 - 1)) } else { None }
    }

    /// The pointer after one more record, which overwrites the oldest.
    #[must_use]
    #[inline]
    pub const fn next(self, tos: LbrTos) -> LbrTos {
        LbrTos::from_bits((self.newest(tos) as u64 + 1) & (self.0 as u64 - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::{LbrDepth, LbrTos};

    const ALL: [LbrDepth; 4] = [LbrDepth::FOUR, LbrDepth::EIGHT, LbrDepth::SIXTEEN, LbrDepth::THIRTY_TWO];

    // LBR-04, LBR-07: M = log2 N
    #[test]
    fn bits_of_the_pointer() {
        assert_eq!(ALL.map(LbrDepth::tos_bits), [2, 3, 4, 5]);
        assert_eq!(ALL.map(|depth| depth.newest(LbrTos::from_bits(0xFFFF_FFFF_FFFF_FFED))), [1, 5, 13, 13]);
        assert_eq!(LbrDepth::new(16), Some(LbrDepth::SIXTEEN));
        for entries in [0, 3, 12, 24, 33, 64, 128, 255] {
            assert_eq!(LbrDepth::new(entries), None);
        }
    }

    // LBR-08, LBR-23: after N+1 records entry 0 has been overwritten and the pointer has wrapped
    #[test]
    fn the_pointer_wraps() {
        for depth in ALL {
            let n = depth.get();
            let before_first = LbrTos::from_bits(u64::from(n) - 1);
            let mut tos = before_first;
            for written in 0..=n {
                tos = depth.next(tos);
                assert_eq!(tos.index(), written % n);
            }
            assert_eq!(tos.index(), 0);
        }
    }

    // LBR-26: newest to oldest
    #[test]
    fn entries_by_age() {
        let tos = LbrTos::from_bits(1);
        assert_eq!(
            [0, 1, 2, 3, 4].map(|age| LbrDepth::FOUR.entry(tos, age)),
            [Some(1), Some(0), Some(3), Some(2), None]
        );
        assert_eq!(LbrDepth::THIRTY_TWO.entry(tos, 31), Some(2));
    }
}
