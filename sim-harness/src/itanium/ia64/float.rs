//! Floating-point arithmetic and the moves between register files: formats F1 to F4, F9 to F11, M18, M19.

use super::compare::{Targets, Update};
use super::encoding::Encoding;
use super::fault::FaultKind;
use super::float_format::Float;
use super::registers::Registers;

/// The precision of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Precision {
    Single,
    Double,
    /// That of the status field: here only where nothing is rounded.
    Register,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    Equal,
    Less,
    LessOrEqual,
    Unordered,
}

/// The form in which setf and getf move a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Significand,
    Exponent,
    Single,
    Double,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// fma, fms, fnma: the product of two registers, negated or not, plus or minus the third.
    MultiplyAdd {
        precision: Precision,
        negate_product: bool,
        negate_addend: bool,
    },
    /// xma: the low or the high half of an integer product plus the third significand.
    IntegerMultiplyAdd {
        high: bool,
        signed: bool,
    },
    Compare {
        relation: Relation,
        update: Update,
    },
    /// fmerge: sign, or sign and exponent, of f2, the rest of f3; the sign negated or not.
    Merge {
        exponent: bool,
        negate: bool,
    },
    /// fcvt.xf: a signed integer as a number.
    FromInteger,
    /// fcvt.fx.trunc: a number as a signed integer.
    ToInteger,
    Set(Form),
    Get(Form),
}

/// An instruction of this group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FloatOperation {
    kind: Kind,
    code: Encoding,
}

/// Returns the instruction of an F unit, or `None` if it is not one of this group.
pub(super) fn decode(code: Encoding) -> Option<FloatOperation> {
    let kind = match code.opcode() {
        0 => miscellaneous(code)?,
        4 => compare(code),
        8..=0xd => multiply_add(code)?,
        0xe if code.bit(36) => match code.field(34, 2) {
            0 => Kind::IntegerMultiplyAdd { high: false, signed: true },
            2 => Kind::IntegerMultiplyAdd { high: true, signed: false },
            3 => Kind::IntegerMultiplyAdd { high: true, signed: true },
            _ => return None,
        },
        _ => return None,
    };
    Some(FloatOperation { kind, code })
}

/// Returns the move between the register files of an M unit, or `None` if it is not one.
pub(super) fn decode_move(code: Encoding) -> Option<FloatOperation> {
    if code.bit(36) || !code.bit(27) {
        return None;
    }
    let x6 = code.small(30, 6);
    let form = [Form::Significand, Form::Exponent, Form::Single, Form::Double][usize::from(x6 & 3)];
    let kind = match (code.opcode(), x6) {
        (6, 0x1c..=0x1f) => Kind::Set(form),
        (4, 0x1c..=0x1f) => Kind::Get(form),
        _ => return None,
    };
    Some(FloatOperation { kind, code })
}

fn miscellaneous(code: Encoding) -> Option<Kind> {
    // Bit 33 selects approximations.
    if code.bit(33) {
        return None;
    }
    match code.field(27, 6) {
        0x10 => Some(Kind::Merge { exponent: false, negate: false }),
        0x11 => Some(Kind::Merge { exponent: false, negate: true }),
        0x12 => Some(Kind::Merge { exponent: true, negate: false }),
        0x1a => Some(Kind::ToInteger),
        0x1c => Some(Kind::FromInteger),
        _ => None,
    }
}

fn compare(code: Encoding) -> Kind {
    let relation = match (code.bit(33), code.bit(36)) {
        (false, false) => Relation::Equal,
        (false, true) => Relation::Less,
        (true, false) => Relation::LessOrEqual,
        (true, true) => Relation::Unordered,
    };
    Kind::Compare { relation, update: if code.bit(12) { Update::Unconditional } else { Update::Normal } }
}

fn multiply_add(code: Encoding) -> Option<Kind> {
    let precision = match (code.opcode() & 1 == 1, code.bit(36)) {
        (false, false) => Precision::Register,
        (false, true) => Precision::Single,
        (true, false) => Precision::Double,
        // Two singles in parallel.
        (true, true) => return None,
    };
    let (negate_product, negate_addend) = match code.opcode() {
        8 | 9 => (false, false),
        0xa | 0xb => (false, true),
        _ => (true, false),
    };
    Some(Kind::MultiplyAdd { precision, negate_product, negate_addend })
}

impl FloatOperation {
    /// Returns the target predicates of a comparison.
    pub(super) fn targets(self) -> Option<Targets> {
        match self.kind {
            Kind::Compare { update, .. } => Some(Targets::new(self.code, update)),
            _ => None,
        }
    }

    pub(super) fn execute(self, registers: &mut Registers) -> Result<(), FaultKind> {
        let code = self.code;
        let (f1, f2, f3) = (code.r1(), registers.float(code.r2()), registers.float(code.r3()));
        let value = match self.kind {
            Kind::MultiplyAdd { precision, negate_product, negate_addend } => {
                let factor = if negate_product { negated(f3) } else { f3 };
                let addend = if negate_addend { negated(f2) } else { f2 };
                // f0 as the addend makes it a product alone, and its zero has the sign of the product.
                let addend = (code.r2() != 0).then_some(addend);
                multiply_and_add(precision, factor, registers.float(code.small(27, 7)), addend)?
            }
            Kind::IntegerMultiplyAdd { high, signed } => {
                let f4 = registers.float(code.small(27, 7));
                Float::integer(integer_product(f3.significand, f4.significand, f2.significand, high, signed))
            }
            Kind::Compare { relation, update } => {
                let result = holds(relation, f2, f3)?;
                return Targets::new(code, update).write(registers, result);
            }
            Kind::Merge { exponent, negate } => Float {
                negative: f2.negative != negate,
                exponent: if exponent { f2.exponent } else { f3.exponent },
                significand: f3.significand,
            },
            Kind::FromInteger => Float::of_integer(f2.significand),
            Kind::ToInteger => Float::integer(truncated(f2)?),
            Kind::Set(form) => set(form, registers.general(code.r2())),
            Kind::Get(form) => return registers.set_general(f1, get(form, f2)),
        };
        registers.set_float(f1, value)
    }
}

fn negated(value: Float) -> Float {
    Float { negative: !value.negative, ..value }
}

const WIDER: FaultKind = FaultKind::Lacking("operands wider than the precision of the result");
const ROUNDED: FaultKind = FaultKind::Lacking("sums and products in register precision; use .s or .d");

fn multiply_and_add(precision: Precision, a: Float, b: Float, c: Option<Float>) -> Result<Float, FaultKind> {
    match precision {
        Precision::Single => {
            let (a, b) = (a.single().ok_or(WIDER)?, b.single().ok_or(WIDER)?);
            let Some(c) = c else { return Ok(Float::of_single(a * b)) };
            Ok(Float::of_single(a.mul_add(b, c.single().ok_or(WIDER)?)))
        }
        Precision::Double => {
            let (a, b) = (a.double().ok_or(WIDER)?, b.double().ok_or(WIDER)?);
            let Some(c) = c else { return Ok(Float::of_double(a * b)) };
            Ok(Float::of_double(a.mul_add(b, c.double().ok_or(WIDER)?)))
        }
        // fnorm, which is the product with 1.
        Precision::Register if c.is_none() && b == Float::ONE => Ok(a.normal()),
        Precision::Register => Err(ROUNDED),
    }
}

fn integer_product(a: u64, b: u64, c: u64, high: bool, signed: bool) -> u64 {
    let product =
        if signed { (i128::from(a as i64) * i128::from(b as i64)) as u128 } else { u128::from(a) * u128::from(b) };
    let sum = product.wrapping_add(c.into());
    if high { (sum >> 64) as u64 } else { sum as u64 }
}

fn holds(relation: Relation, left: Float, right: Float) -> Result<bool, FaultKind> {
    let (left, right) = (left.double().ok_or(WIDER)?, right.double().ok_or(WIDER)?);
    Ok(match relation {
        Relation::Equal => left == right,
        Relation::Less => left < right,
        Relation::LessOrEqual => left <= right,
        Relation::Unordered => left.is_nan() || right.is_nan(),
    })
}

/// Returns the integer part; the indefinite integer, bit 63 alone, for what has none.
fn truncated(value: Float) -> Result<u64, FaultKind> {
    let value = value.double().ok_or(WIDER)?;
    let range = -(2f64.powi(63))..2f64.powi(63);
    Ok(if range.contains(&value) { value as i64 as u64 } else { 1 << 63 })
}

fn set(form: Form, bits: u64) -> Float {
    match form {
        Form::Significand => Float::integer(bits),
        Form::Exponent => {
            Float { negative: bits >> 17 & 1 == 1, exponent: (bits & 0x1_ffff) as u32, significand: 1 << 63 }
        }
        Form::Single => Float::from_single(bits & 0xffff_ffff),
        Form::Double => Float::from_double(bits),
    }
}

fn get(form: Form, value: Float) -> u64 {
    match form {
        Form::Significand => value.significand,
        Form::Exponent => u64::from(value.negative) << 17 | u64::from(value.exponent),
        Form::Single => value.to_single(),
        Form::Double => value.to_double(),
    }
}
