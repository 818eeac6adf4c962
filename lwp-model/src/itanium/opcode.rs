//! Stage opcode: kinds of the slots of a bundle, and both opcode matchers.

use super::inputs::Issue;
use lwp_regs::itanium::SlotType::{B, F, I, M};
use lwp_regs::itanium::{Instruction, Pmc89, SlotType};

/// Kinds of the slots 0 to 2. A slot without a kind holds no instruction that can match.
#[inline]
const fn kinds(issue: &Issue) -> [Option<SlotType>; 3] {
    match issue.template_code {
        0x00..=0x03 => [Some(M), Some(I), Some(I)],
        0x04 | 0x05 => [Some(M), None, Some(long(issue.slot2))],
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

/// Kind of the long instruction with this slot 2: that of its unit, which bits 40:37 tell.
#[inline]
const fn long(slot2: u64) -> SlotType {
    if slot2 >> 37 & 0xF < 8 { I } else { B }
}

/// The instructions of a bundle that can match.
#[inline]
pub(super) fn instructions(issue: &Issue) -> [Option<Instruction>; 3] {
    let ([first, second, third], encodings) = (kinds(issue), [issue.slot0, issue.slot1, issue.slot2]);
    let at = |slot: Option<SlotType>, s: usize| slot.map(|slot| Instruction { slot, encoding: encodings[s] });
    [at(first, 0), at(second, 1), at(third, 2)]
}

/// Slots whose instruction matches, 3 bits.
#[inline]
pub(super) fn matches(matcher: Pmc89, instructions: &[Option<Instruction>; 3]) -> u8 {
    let bit = |s: usize| u8::from(instructions[s].is_some_and(|instruction| matcher.matches(instruction))) << s;
    bit(0) | bit(1) | bit(2)
}
