//! A bundle: three slots, whose kinds its template tells.

use super::SlotType::{B, F, I, M};
use super::{Instruction, Pmc89, SlotType};
use crate::bits::{U5, U41};

/// A bundle of three instruction slots.
///
/// ```
/// use lwp_regs::bits::{U5, U41};
/// use lwp_regs::itanium::{Bundle, Pmc89, SlotType};
///
/// let nop = U41::of::<0x000_0800_0000>();
/// let mlx = Bundle { template: U5::of::<0x04>(), slots: [nop, nop, U41::of::<0x0C0_0000_0000>()] };
/// assert_eq!(mlx.kinds(), [Some(SlotType::M), None, Some(SlotType::I)]);
/// assert_eq!(mlx.matches(Pmc89::UNCONSTRAINED), 0b101);
/// ```
///
/// Source: Intel Itanium Architecture Software Developer's Manual, volume 3, revision 2.3, "Bundles" (templates) and
/// "L+X Unit Instruction Encodings".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Bundle {
    /// Template, bits 4:0 of the bundle. Stops do not matter here.
    pub template: U5,
    /// Slots 0 to 2: bits 45:5, 86:46 and 127:87 of the bundle.
    pub slots: [U41; 3],
}

impl Bundle {
    /// The kinds of the slots. Slot 1 of MLX, which holds an immediate, and the slots of a reserved template have none:
    /// what they hold matches nothing, and retires like any other.
    #[must_use]
    #[inline]
    pub const fn kinds(&self) -> [Option<SlotType>; 3] {
        match self.template.get() {
            0x00..=0x03 => [Some(M), Some(I), Some(I)],
            0x04 | 0x05 => [Some(M), None, Some(Self::long(self.slots[2].get()))],
            0x08..=0x0B => [Some(M), Some(M), Some(I)],
            0x0C | 0x0D => [Some(M), Some(F), Some(I)],
            0x0E | 0x0F => [Some(M), Some(M), Some(F)],
            0x10 | 0x11 => [Some(M), Some(I), Some(B)],
            0x12 | 0x13 => [Some(M), Some(B), Some(B)],
            0x16 | 0x17 => [Some(B), Some(B), Some(B)],
            0x18 | 0x19 => [Some(M), Some(M), Some(B)],
            0x1C | 0x1D => [Some(M), Some(F), Some(B)],
            _ => [None; 3],
        }
    }

    /// The kind of an instruction in an X slot: its major opcode, bits 40:37, is 0 to 7 on an I-unit, 8 to F on a
    /// B-unit.
    #[inline]
    const fn long(encoding: u64) -> SlotType {
        if encoding >> 37 & 0xF < 8 { I } else { B }
    }

    /// The instructions that can match.
    #[must_use]
    #[inline]
    pub const fn instructions(&self) -> [Option<Instruction>; 3] {
        let kinds = self.kinds();
        [self.at(kinds[0], 0), self.at(kinds[1], 1), self.at(kinds[2], 2)]
    }

    #[inline]
    const fn at(&self, kind: Option<SlotType>, s: usize) -> Option<Instruction> {
        match kind {
            Some(slot) => Some(Instruction { slot, encoding: self.slots[s].get() }),
            None => None,
        }
    }

    /// The slots whose instruction matches: bit s is slot s.
    #[must_use]
    #[inline]
    pub const fn matches(&self, matcher: Pmc89) -> u8 {
        let instructions = self.instructions();
        Self::bit(matcher, instructions[0])
            | Self::bit(matcher, instructions[1]) << 1
            | Self::bit(matcher, instructions[2]) << 2
    }

    #[inline]
    const fn bit(matcher: Pmc89, instruction: Option<Instruction>) -> u8 {
        match instruction {
            Some(instruction) => matcher.matches(instruction) as u8,
            None => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kinds as letters; `-` for none.
    fn letters(template: u8, x: u64) -> [char; 3] {
        let bundle = Bundle { template: U5::masked(template), slots: [U41::ZERO, U41::ZERO, U41::masked(x << 37)] };
        bundle.kinds().map(|kind| match kind {
            Some(M) => 'M',
            Some(I) => 'I',
            Some(F) => 'F',
            Some(B) => 'B',
            None => '-',
        })
    }

    // volume 3, "Template Field Encoding and Instruction Slot Mapping": each template twice, without and with a stop at the end
    #[test]
    fn templates() {
        let table = [
            "MII", "MII", "M-I", "---", "MMI", "MMI", "MFI", "MMF", "MIB", "MBB", "---", "BBB", "MMB", "---", "MFB",
            "---",
        ];
        for (half, kinds) in table.into_iter().enumerate() {
            for stop in 0..2 {
                let template = half as u8 * 2 + stop;
                assert!(letters(template, 0).into_iter().eq(kinds.chars()), "{template:#04x}");
            }
        }
    }

    // "L+X Major Opcodes 0 - 7 execute on an I-unit. L+X Major Opcodes 8 - F execute on a B-unit."
    #[test]
    fn long_instructions() {
        for major in 0..16 {
            for template in [4, 5] {
                assert_eq!(letters(template, major), ['M', '-', if major < 8 { 'I' } else { 'B' }]);
            }
            assert_eq!(letters(0, major), ['M', 'I', 'I'], "X alone looks at it");
        }
    }

    #[test]
    fn slots_that_match() {
        let slots = [U41::ZERO; 3];
        for slot in 0..3 {
            let mut slots = slots;
            slots[slot] = U41::of::<0x100_0000_0000>();
            let bundle = Bundle { template: U5::of::<0x16>(), slots };
            let one = Pmc89::for_instruction(Instruction { slot: B, encoding: 0x100_0000_0000 }, u64::MAX);
            assert_eq!(bundle.matches(one), 1 << slot);
            assert_eq!(bundle.matches(Pmc89::UNCONSTRAINED), 0b111);
            assert_eq!(bundle.matches(Pmc89::UNCONSTRAINED.with_b(false)), 0);
        }
        let reserved = Bundle { template: U5::of::<0x06>(), slots };
        assert_eq!(reserved.matches(Pmc89::UNCONSTRAINED), 0);
    }
}
