//! PMC\[8\] and PMC\[9\]: opcode matching.

use super::pmc::pmc_value;
use super::{Instruction, Pmc, SlotType};
use crate::bits::U27;

layout! {
    /// PMC\[8\] and PMC\[9\]: which instructions match, by kind of slot and by 27 bits of their encoding.
    ///
    /// A 1 in `mask` means that the bit does not matter; so all ones match everything. Only what PMC\[8\] matches qualifies
    /// other events; what PMC\[9\] matches can be counted, no more.
    ///
    /// Source: Intel Itanium Processor Reference Manual for Software Development, "IA-64 Opcode Match Registers
    /// (PMC\[8,9\])"; libpfm, `pfmlib_itanium.h`.
    #[doc(alias = "PMC[8]")]
    #[doc(alias = "PMC[9]")]
    pub struct Pmc89: u64, Ignored {
        #[bits(3)]
        __: u8,
        /// The bits of the encoding that do not matter, {40:27}{12:0}.
        #[inline]
        #[bits(27)]
        pub mask: U27,
        #[bits(3)]
        __: u8,
        /// What the others have to be, {40:27}{12:0}; `match` in the manual.
        #[inline]
        #[bits(27)]
        pub match_value: U27,
        /// Instructions in B slots can match.
        #[inline]
        pub b: bool,
        /// Instructions in F slots can match.
        #[inline]
        pub f: bool,
        /// Instructions in I slots can match.
        #[inline]
        pub i: bool,
        /// Instructions in M slots can match.
        #[inline]
        pub m: bool,
    }
}

pmc_value!(Pmc89, "PMC[8], PMC[9]");

impl Pmc89 {
    /// PMC\[8\], whose tag qualifies all downstream events.
    pub const PMC8: Pmc<Self> = Pmc::new(8);
    /// PMC\[9\], whose tag can only be counted.
    pub const PMC9: Pmc<Self> = Pmc::new(9);
    /// No constraint: every instruction matches.
    pub const UNCONSTRAINED: Self = Self::from_bits(u64::MAX);

    /// Matches the one instruction, in its kind of slot, as far as its bits are in `care`: a mask over the encoding, of
    /// which bits 40:27 and 12:0 can matter.
    #[must_use]
    #[inline]
    pub const fn for_instruction(instruction: Instruction, care: u64) -> Self {
        let cared = Instruction { encoding: care, ..instruction }.matched_bits();
        Self::new()
            .with_mask(U27::masked(!cared))
            .with_match_value(U27::masked(instruction.matched_bits() & cared))
            .with_slot(instruction.slot)
    }

    /// The same, with instructions in this kind of slot among those that can match.
    #[must_use]
    #[inline]
    pub const fn with_slot(self, slot: SlotType) -> Self {
        match slot {
            SlotType::M => self.with_m(true),
            SlotType::I => self.with_i(true),
            SlotType::F => self.with_f(true),
            SlotType::B => self.with_b(true),
        }
    }

    /// Whether instructions in this kind of slot can match.
    #[must_use]
    #[inline]
    pub const fn has_slot(self, slot: SlotType) -> bool {
        match slot {
            SlotType::M => self.m(),
            SlotType::I => self.i(),
            SlotType::F => self.f(),
            SlotType::B => self.b(),
        }
    }

    /// Whether the instruction matches, if it is IA-64 code.
    #[must_use]
    #[inline]
    pub const fn matches(self, instruction: Instruction) -> bool {
        self.has_slot(instruction.slot) && self.agrees(instruction.encoding)
    }

    /// Whether the bits of an encoding that matter are what they have to be.
    #[inline]
    pub(super) const fn agrees(self, encoding: u64) -> bool {
        (Instruction::matched(encoding) ^ self.match_value().get()) & !self.mask().get() == 0
    }

    /// The kinds of slots that can match, as one field: `m`, `i`, `f`, `b`.
    #[inline]
    pub(super) const fn slot_types(self) -> u8 {
        (self.into_bits() >> 60) as u8
    }

    /// Whether every instruction matches.
    #[must_use]
    #[inline]
    pub const fn matches_everything(self) -> bool {
        self.mask().get() == U27::MAX.get() && self.b() && self.f() && self.i() && self.m()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SLOTS: [SlotType; 4] = [SlotType::M, SlotType::I, SlotType::F, SlotType::B];

    // ITA-06: two registers of this layout
    #[test]
    fn positions() {
        assert_eq!((Pmc89::PMC8.index(), Pmc89::PMC9.index()), (8, 9));
        assert_eq!(Pmc89::new().with_mask(U27::of::<0x7FF_FFFF>()).into_bits(), 0x0000_0000_3FFF_FFF8);
        assert_eq!(Pmc89::new().with_match_value(U27::of::<0x7FF_FFFF>()).into_bits(), 0x0FFF_FFFE_0000_0000);
        assert_eq!(Pmc89::new().with_b(true).into_bits(), 1 << 60);
        assert_eq!(Pmc89::new().with_f(true).into_bits(), 1 << 61);
        assert_eq!(Pmc89::new().with_i(true).into_bits(), 1 << 62);
        assert_eq!(Pmc89::new().with_m(true).into_bits(), 1 << 63);
        assert_eq!(Pmc89::RESERVED, 0x0000_0001_C000_0007);
    }

    // ITA-30: all ones match every instruction, and so does what Linux starts with, which leaves out what is ignored
    #[test]
    fn all_ones_match_everything() {
        assert_eq!(Pmc89::UNCONSTRAINED.into_bits(), 0xFFFF_FFFF_FFFF_FFFF);
        for register in [Pmc89::UNCONSTRAINED, Pmc89::from_bits(0xF000_0000_3FFF_FFF8)] {
            assert!(register.matches_everything());
            for slot in SLOTS {
                for bit in 0..41 {
                    assert!(register.matches(Instruction { slot, encoding: 1 << bit }));
                }
            }
        }
    }

    // ITA-06: one bit that matters and differs is enough; elsewhere nothing matters
    #[test]
    fn each_bit_matters_unless_masked() {
        let nop_m = Instruction { slot: SlotType::M, encoding: 0x000_0800_0000 };
        let register = Pmc89::for_instruction(nop_m, u64::MAX);
        assert_eq!(register.into_bits(), 0x8000_4000_0000_0000);
        assert!(register.matches(nop_m) && !register.matches_everything());
        assert_eq!(Pmc89::for_instruction(nop_m, 0).match_value(), 0, "what does not matter is left 0");
        for bit in 0..41 {
            let other = Instruction { encoding: nop_m.encoding ^ 1 << bit, ..nop_m };
            assert_eq!(register.matches(other), (13..27).contains(&bit), "bit {bit}");
            let masked = Pmc89::for_instruction(nop_m, !(1 << bit));
            assert!(masked.matches(other), "bit {bit}");
        }
    }

    // ITA-06: by kind of slot
    #[test]
    fn kinds_of_slots() {
        for slot in SLOTS {
            let register = Pmc89::for_instruction(Instruction { slot, encoding: 0 }, 0);
            for other in SLOTS {
                assert_eq!(register.matches(Instruction { slot: other, encoding: 7 }), other == slot);
            }
        }
        let three = Pmc89::from_bits(0x7FFF_FFFF_FFFF_FFFF);
        assert!(!three.matches_everything(), "without M");
    }
}
