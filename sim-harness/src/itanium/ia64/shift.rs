//! Shifts, fields, extension and counts of bits: formats I5, I7, I9 to I15, I29.

use super::alu::Operand;
use super::encoding::Encoding;
use super::fault::FaultKind;
use super::registers::Registers;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// shr: the value in the register, by the count in the other.
    RightSigned {
        value: u8,
        count: u8,
    },
    RightUnsigned {
        value: u8,
        count: u8,
    },
    Left {
        value: u8,
        count: u8,
    },
    /// extr: a field of a register.
    ExtractSigned {
        value: u8,
        position: u32,
        length: u32,
    },
    ExtractUnsigned {
        value: u8,
        position: u32,
        length: u32,
    },
    /// dep: the lowest bits of the first operand in a field of the background, a register.
    Deposit {
        value: Operand,
        background: u8,
        position: u32,
        length: u32,
    },
    /// shrp: the lowest 64 bits of a pair of registers, shifted right.
    RightPair {
        high: u8,
        low: u8,
        count: u32,
    },
    PopulationCount {
        value: u8,
    },
}

/// An instruction of this group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shift {
    kind: Kind,
    target: u8,
}

/// Returns the instruction of an I unit, or `None` if it is not one of this group.
pub(super) fn decode(code: Encoding) -> Option<Shift> {
    let kind = match code.opcode() {
        0 => extension(code),
        4 => Some(deposit_register(code)),
        5 => field(code),
        7 => variable(code),
        _ => None,
    }?;
    Some(Shift { kind, target: code.r1() })
}

/// zxt and sxt: a field from bit 0 upwards.
fn extension(code: Encoding) -> Option<Kind> {
    if code.field(33, 3) != 0 {
        return None;
    }
    let value = code.r3();
    let length = 8 << (code.field(27, 2) as u32);
    match code.field(27, 6) {
        0x10..=0x12 => Some(Kind::ExtractUnsigned { value, position: 0, length }),
        0x14..=0x16 => Some(Kind::ExtractSigned { value, position: 0, length }),
        _ => None,
    }
}

/// dep of at most 16 bits of a register into another.
fn deposit_register(code: Encoding) -> Kind {
    let (position, length) = (63 - code.field(31, 6) as u32, code.field(27, 4) as u32 + 1);
    Kind::Deposit { value: Operand::Register(code.r2()), background: code.r3(), position, length }
}

fn field(code: Encoding) -> Option<Kind> {
    let length = code.field(27, 6) as u32 + 1;
    let from_right = 63 - code.field(20, 6) as u32;
    match (code.field(34, 2), code.bit(33)) {
        (1, false) => {
            let (value, position) = (code.r3(), code.field(14, 6) as u32);
            let signed = code.bit(13);
            Some(if signed {
                Kind::ExtractSigned { value, position, length }
            } else {
                Kind::ExtractUnsigned { value, position, length }
            })
        }
        (1, true) => {
            let value = if code.bit(26) { Operand::Immediate(code.imm8()) } else { Operand::Register(code.r2()) };
            Some(Kind::Deposit { value, background: 0, position: from_right, length })
        }
        (3, false) => Some(Kind::RightPair { high: code.r2(), low: code.r3(), count: code.field(27, 6) as u32 }),
        (3, true) => {
            let value = Operand::Immediate(-(code.field(36, 1) as i64));
            let position = 63 - code.field(14, 6) as u32;
            Some(Kind::Deposit { value, background: code.r3(), position, length })
        }
        _ => None,
    }
}

/// Shifts by the count in a register, and popcnt.
fn variable(code: Encoding) -> Option<Kind> {
    let (r2, r3) = (code.r2(), code.r3());
    let (za, zb, ve) = (code.bit(36), code.bit(33), code.bit(32));
    let (x2a, x2c, x2b) = (code.field(34, 2), code.field(30, 2), code.field(28, 2));
    match (za, zb, ve, x2a, x2c, x2b) {
        (true, true, false, 0, 0, 0) => Some(Kind::RightUnsigned { value: r3, count: r2 }),
        (true, true, false, 0, 0, 2) => Some(Kind::RightSigned { value: r3, count: r2 }),
        (true, true, false, 0, 1, 0) => Some(Kind::Left { value: r2, count: r3 }),
        (false, true, false, 1, 2, 1) => Some(Kind::PopulationCount { value: r3 }),
        _ => None,
    }
}

/// Returns `length` ones, 1 to 64.
fn ones(length: u32) -> u64 {
    u64::MAX >> (64 - length.clamp(1, 64))
}

impl Shift {
    pub(super) fn execute(self, registers: &mut Registers) -> Result<(), FaultKind> {
        let read = |number: u8| registers.general(number);
        let value = match self.kind {
            Kind::RightSigned { value, count } => (read(value) as i64 >> read(count).min(63)) as u64,
            Kind::RightUnsigned { value, count } => read(value).checked_shr(small(read(count))).unwrap_or(0),
            Kind::Left { value, count } => read(value).checked_shl(small(read(count))).unwrap_or(0),
            Kind::ExtractUnsigned { value, position, length } => read(value) >> position & ones(length),
            Kind::ExtractSigned { value, position, length } => {
                // A field beyond bit 63 ends there.
                let unused = 64 - length.min(64 - position);
                let aligned = read(value) >> position << unused;
                (aligned as i64 >> unused) as u64
            }
            Kind::Deposit { value, background, position, length } => {
                let mask = ones(length) << position;
                read(background) & !mask | value.value(registers) << position & mask
            }
            Kind::RightPair { high, low, count } => {
                ((u128::from(read(high)) << 64 | u128::from(read(low))) >> count) as u64
            }
            Kind::PopulationCount { value } => read(value).count_ones().into(),
        };
        registers.set_general(self.target, value)
    }
}

fn small(count: u64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
