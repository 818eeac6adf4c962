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
        let [first, second, third] = self.slots;
        let agree = matcher.agrees(first.get()) as u8
            | (matcher.agrees(second.get()) as u8) << 1
            | (matcher.agrees(third.get()) as u8) << 2;
        let x = (third.get() >> Self::X & 1) as u8;
        let template = self.template.get() | x << 5;
        SLOTS[matcher.slot_types() as usize & 0xF][template as usize & 0x3F] & agree
    }

    /// The bit of an encoding in an X slot that tells its kind.
    const X: u32 = 40;

    /// The slots whose kind is among those that can match.
    const fn slots_of(&self, matcher: Pmc89) -> u8 {
        let (kinds, mut slots, mut s) = (self.kinds(), 0, 0);
        while s < kinds.len() {
            if let Some(kind) = kinds[s] {
                slots |= (matcher.has_slot(kind) as u8) << s;
            }
            s += 1;
        }
        slots
    }
}

/// [`Bundle::slots_of`] by the kinds that can match, and by template, to which an X slot adds bit 5.
static SLOTS: [[u8; 64]; 16] = {
    let (mut all, mut types) = ([[0; 64]; 16], 0);
    while types < 16 {
        let matcher = Pmc89::from_bits((types as u64) << 60);
        let mut template = 0;
        while template < 64 {
            let x = U41::masked((template as u64 >> 5) << Bundle::X);
            let bundle = Bundle { template: U5::masked(template as u8), slots: [U41::ZERO, U41::ZERO, x] };
            all[types][template] = bundle.slots_of(matcher);
            template += 1;
        }
        types += 1;
    }
    all
};

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

    // each slot by itself, with each set of kinds, each template and each major opcode of an X slot
    #[test]
    fn slots_match_as_instructions_do() {
        let nop = U41::of::<0x000_0800_0000>();
        for types in 0..16 {
            let any = Pmc89::UNCONSTRAINED.into_bits() & !(0xF << 60) | types << 60;
            let nops = Pmc89::for_instruction(Instruction { slot: B, encoding: nop.get() }, u64::MAX).with_b(false);
            for matcher in [any, nops.into_bits() | types << 60].map(Pmc89::from_bits) {
                for (template, major) in (0..32).flat_map(|template| (0..16).map(move |major| (template, major))) {
                    let third = U41::masked(major << 37 | nop.get());
                    let bundle = Bundle { template: U5::masked(template), slots: [nop, U41::ZERO, third] };
                    let one = |instruction: Option<Instruction>| instruction.is_some_and(|one| matcher.matches(one));
                    let expected = bundle.instructions().map(one);
                    let slots = [0, 1, 2].map(|s| bundle.matches(matcher) >> s & 1 == 1);
                    assert_eq!(slots, expected, "kinds {types:04b}, template {template:#04x}, major {major:X}");
                    assert_eq!(bundle.matches(matcher) >> 3, 0, "there are three slots");
                }
            }
        }
    }
}
