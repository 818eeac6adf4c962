//! Comparisons and tests of a bit: formats A6 to A8 and I16.

use super::alu::Operand;
use super::encoding::Encoding;
use super::fault::FaultKind;
use super::registers::Registers;

/// How the result changes the two target predicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Update {
    /// Result and complement, if the qualifying predicate is 1.
    Normal,
    /// As `Normal`, but both are cleared if the qualifying predicate is 0.
    Unconditional,
    /// A false result clears both.
    And,
    /// A true result sets both.
    Or,
    /// A true result sets the first and clears the second.
    OrAndComplement,
}

/// The two target predicates of a comparison and how it changes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Targets {
    pub(super) first: u8,
    pub(super) second: u8,
    pub(super) update: Update,
}

impl Targets {
    pub(super) fn new(code: Encoding, update: Update) -> Self {
        Self { first: code.p1(), second: code.p2(), update }
    }

    /// Faults if the targets are the same, in an instruction that writes them.
    fn check(self) -> Result<(), FaultKind> {
        let same = self.first == self.second;
        if same { Err(FaultKind::IllegalOperation("a comparison with the same target twice")) } else { Ok(()) }
    }

    /// Writes the result of an instruction whose qualifying predicate is 1.
    pub(super) fn write(self, registers: &mut Registers, result: bool) -> Result<(), FaultKind> {
        self.check()?;
        let (first, second) = match self.update {
            Update::Normal | Update::Unconditional => (result, !result),
            Update::And if !result => (false, false),
            Update::Or if result => (true, true),
            Update::OrAndComplement if result => (true, false),
            Update::And | Update::Or | Update::OrAndComplement => return Ok(()),
        };
        registers.set_predicate(self.first, first);
        registers.set_predicate(self.second, second);
        Ok(())
    }

    /// Writes what an instruction whose qualifying predicate is 0 writes.
    pub(super) fn write_off(self, registers: &mut Registers) -> Result<(), FaultKind> {
        if self.update == Update::Unconditional {
            self.check()?;
            registers.set_predicate(self.first, false);
            registers.set_predicate(self.second, false);
        }
        Ok(())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    Equal,
    NotEqual,
    Less,
    LessUnsigned,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Test {
    /// The left operand compared with a register, all of them or the lowest 32 bits.
    Relation { relation: Relation, left: Operand, right: u8, half: bool },
    /// Whether bit `index` of a register is `value`.
    Bit { register: u8, index: u8, value: bool },
}

/// An instruction of this group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Compare {
    test: Test,
    pub(super) targets: Targets,
}

/// The update of a parallel comparison of a major opcode.
fn parallel(opcode: u8) -> Option<Update> {
    match opcode {
        0xc => Some(Update::And),
        0xd => Some(Update::Or),
        0xe => Some(Update::OrAndComplement),
        _ => None,
    }
}

/// Returns the comparison of major opcode C, D or E, or `None` if it is not one.
pub(super) fn decode(code: Encoding) -> Option<Compare> {
    let parallel = parallel(code.opcode())?;
    let immediate = code.field(34, 2) >= 2;
    let half = code.bit(34);
    let (ta, complement) = (code.bit(33), code.bit(12));
    // In the form with an immediate bit 36 is its sign.
    let zero = !immediate && code.bit(36);
    let plain = [Relation::Less, Relation::LessUnsigned, Relation::Equal][usize::from(code.opcode() - 0xc)];
    let (relation, update) = match (zero, ta, complement) {
        (false, false, false) => (plain, Update::Normal),
        (false, false, true) => (plain, Update::Unconditional),
        (false, true, false) => (Relation::Equal, parallel),
        (false, true, true) => (Relation::NotEqual, parallel),
        (true, false, false) => (Relation::Greater, parallel),
        (true, false, true) => (Relation::LessOrEqual, parallel),
        (true, true, false) => (Relation::GreaterOrEqual, parallel),
        (true, true, true) => (Relation::Less, parallel),
    };
    // Only r0 is compared with zero; another left register is reserved.
    if zero && code.r2() != 0 {
        return None;
    }
    let left = if immediate { Operand::Immediate(code.imm8()) } else { Operand::Register(code.r2()) };
    let test = Test::Relation { relation, left, right: code.r3(), half };
    Some(Compare { test, targets: Targets::new(code, update) })
}

/// Returns the test of a bit of major opcode 5, or `None` if it is not one.
pub(super) fn decode_bit(code: Encoding) -> Option<Compare> {
    if code.opcode() != 5 || code.field(34, 2) != 0 {
        return None;
    }
    // tnat and tf are left out: there are no NaT bits.
    if code.bit(13) {
        return None;
    }
    let complement = code.bit(12);
    let update = match (code.bit(33), code.bit(36)) {
        (false, false) if complement => Update::Unconditional,
        (false, false) => Update::Normal,
        (false, true) => Update::And,
        (true, false) => Update::Or,
        (true, true) => Update::OrAndComplement,
    };
    let value = complement && update != Update::Unconditional;
    let test = Test::Bit { register: code.r3(), index: code.small(14, 6), value };
    Some(Compare { test, targets: Targets::new(code, update) })
}

impl Compare {
    pub(super) fn execute(self, registers: &mut Registers) -> Result<(), FaultKind> {
        let result = match self.test {
            Test::Relation { relation, left, right, half } => {
                let narrow = |value: u64| if half { value as i32 as u64 } else { value };
                holds(relation, narrow(left.value(registers)), narrow(registers.general(right)))
            }
            Test::Bit { register, index, value } => (registers.general(register) >> index & 1 == 1) == value,
        };
        self.targets.write(registers, result)
    }
}

/// Compares two values; sign extension keeps the unsigned order of 32 bits.
fn holds(relation: Relation, left: u64, right: u64) -> bool {
    let (signed_left, signed_right) = (left as i64, right as i64);
    match relation {
        Relation::Equal => left == right,
        Relation::NotEqual => left != right,
        Relation::Less => signed_left < signed_right,
        Relation::LessUnsigned => left < right,
        Relation::LessOrEqual => signed_left <= signed_right,
        Relation::Greater => signed_left > signed_right,
        Relation::GreaterOrEqual => signed_left >= signed_right,
    }
}
