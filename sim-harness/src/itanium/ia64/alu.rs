//! Integer arithmetic and logic: formats A1 to A5.

use super::encoding::{Encoding, signed};
use super::fault::FaultKind;
use super::registers::Registers;

/// The left operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operand {
    Register(u8),
    Immediate(i64),
}

impl Operand {
    pub(super) fn value(self, registers: &Registers) -> u64 {
        match self {
            Self::Register(number) => registers.general(number),
            Self::Immediate(value) => value as u64,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Add,
    /// The sum and 1.
    AddOne,
    /// The sum as a pointer of 32 bits, with bits 31:30 in 62:61.
    AddPointer,
    Subtract,
    /// The difference less 1.
    SubtractOne,
    And,
    AndComplement,
    Or,
    Xor,
    /// The left operand shifted left by this many bits, plus the right one.
    ShiftAdd(u32),
    ShiftAddPointer(u32),
}

/// An instruction of this group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Alu {
    kind: Kind,
    target: u8,
    left: Operand,
    right: u8,
}

/// Returns the instruction of major opcode 8 or 9, or `None` if it is not one of this group.
pub(super) fn decode(code: Encoding) -> Option<Alu> {
    let target = code.r1();
    match code.opcode() {
        8 => {
            let (kind, left) = opcode_8(code)?;
            Some(Alu { kind, target, left, right: code.r3() })
        }
        9 => {
            let immediate =
                code.field(36, 1) << 21 | code.field(22, 5) << 16 | code.field(27, 9) << 7 | code.field(13, 7);
            let left = Operand::Immediate(signed(immediate, 22));
            Some(Alu { kind: Kind::Add, target, left, right: code.small(20, 2) })
        }
        _ => None,
    }
}

fn opcode_8(code: Encoding) -> Option<(Kind, Operand)> {
    if code.bit(33) {
        return None;
    }
    let immediate_14 = signed(code.field(36, 1) << 13 | code.field(27, 6) << 7 | code.field(13, 7), 14);
    match code.field(34, 2) {
        0 => registers_or_8_bits(code),
        2 => Some((Kind::Add, Operand::Immediate(immediate_14))),
        3 => Some((Kind::AddPointer, Operand::Immediate(immediate_14))),
        // Parallel arithmetic.
        _ => None,
    }
}

fn registers_or_8_bits(code: Encoding) -> Option<(Kind, Operand)> {
    let register = Operand::Register(code.r2());
    let immediate = Operand::Immediate(code.imm8());
    let count = code.field(27, 2) as u32 + 1;
    let logical = [Kind::And, Kind::AndComplement, Kind::Or, Kind::Xor][code.field(27, 2) as usize];
    match (code.field(29, 4), code.field(27, 2)) {
        (0x0, 0) => Some((Kind::Add, register)),
        (0x0, 1) => Some((Kind::AddOne, register)),
        (0x1, 0) => Some((Kind::SubtractOne, register)),
        (0x1, 1) => Some((Kind::Subtract, register)),
        (0x2, 0) => Some((Kind::AddPointer, register)),
        (0x3, _) => Some((logical, register)),
        (0x4, _) => Some((Kind::ShiftAdd(count), register)),
        (0x6, _) => Some((Kind::ShiftAddPointer(count), register)),
        (0x9, 1) => Some((Kind::Subtract, immediate)),
        (0xb, _) => Some((logical, immediate)),
        _ => None,
    }
}

impl Alu {
    pub(super) fn execute(self, registers: &mut Registers) -> Result<(), FaultKind> {
        let (left, right) = (self.left.value(registers), registers.general(self.right));
        let value = match self.kind {
            Kind::Add => left.wrapping_add(right),
            Kind::AddOne => left.wrapping_add(right).wrapping_add(1),
            Kind::AddPointer => pointer(left.wrapping_add(right), right),
            Kind::Subtract => left.wrapping_sub(right),
            Kind::SubtractOne => left.wrapping_sub(right).wrapping_sub(1),
            Kind::And => left & right,
            Kind::AndComplement => left & !right,
            Kind::Or => left | right,
            Kind::Xor => left ^ right,
            Kind::ShiftAdd(count) => (left << count).wrapping_add(right),
            Kind::ShiftAddPointer(count) => pointer((left << count).wrapping_add(right), right),
        };
        registers.set_general(self.target, value)
    }
}

/// Returns the lowest 32 bits of a sum, with bits 31:30 of its right operand in 62:61.
fn pointer(sum: u64, right: u64) -> u64 {
    sum & 0xffff_ffff | (right >> 30 & 3) << 61
}
