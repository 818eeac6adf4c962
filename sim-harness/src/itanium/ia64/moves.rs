//! Moves from and to application, branch and predicate registers, and of long immediates: formats I21 to I28, M29 to M31, X2.

use super::alu::Operand;
use super::bundle::Unit;
use super::encoding::{Encoding, signed};
use super::fault::FaultKind;
use super::registers::Registers;

/// The predicates that rotate.
const ROTATING: u64 = !0xffff;

/// An instruction of this group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Move {
    FromBranch {
        target: u8,
        source: u8,
    },
    ToBranch {
        target: u8,
        source: u8,
    },
    FromApplication {
        target: u8,
        source: u8,
    },
    ToApplication {
        target: u8,
        source: Operand,
    },
    FromPredicates {
        target: u8,
    },
    /// All predicates of the mask.
    ToPredicates {
        source: u8,
        mask: u64,
    },
    ToRotating {
        value: u64,
    },
    FromIp {
        target: u8,
    },
    Long {
        target: u8,
        value: u64,
    },
}

/// Returns the move of an I unit, or `None` if it is not one.
pub(super) fn decode_i(code: Encoding) -> Option<Move> {
    let (r1, r2) = (code.r1(), code.r2());
    if code.opcode() != 0 {
        return None;
    }
    match (code.field(33, 3), code.field(27, 6)) {
        (0, 0x0a) => application(code, Some(Operand::Immediate(code.imm8())), Unit::I),
        (0, 0x2a) => application(code, Some(Operand::Register(r2)), Unit::I),
        (0, 0x32) => application(code, None, Unit::I),
        (0, 0x30) => Some(Move::FromIp { target: r1 }),
        (0, 0x31) => Some(Move::FromBranch { target: r1, source: code.small(13, 3) }),
        (0, 0x33) => Some(Move::FromPredicates { target: r1 }),
        (2, _) => {
            let value = signed(code.field(36, 1) << 43 | code.field(6, 27) << 16, 44) as u64;
            Some(Move::ToRotating { value })
        }
        (3, _) => {
            let mask = signed(code.field(36, 1) << 16 | code.field(24, 8) << 8 | code.field(6, 7) << 1, 17) as u64;
            Some(Move::ToPredicates { source: r2, mask })
        }
        (7, _) => Some(Move::ToBranch { target: code.small(6, 3), source: r2 }),
        _ => None,
    }
}

/// Returns the move of an M unit, or `None` if it is not one.
pub(super) fn decode_m(code: Encoding) -> Option<Move> {
    let (x3, x6) = (code.field(33, 3), code.field(27, 6));
    match (code.opcode(), x3, x6) {
        // x4 = 8 and x2 = 2.
        (0, 0, 0x28) => application(code, Some(Operand::Immediate(code.imm8())), Unit::M),
        (1, 0, 0x22) => application(code, None, Unit::M),
        (1, 0, 0x2a) => application(code, Some(Operand::Register(code.r2())), Unit::M),
        _ => None,
    }
}

/// M units have the registers 0 to 47, I units 64 to 111.
fn application(code: Encoding, source: Option<Operand>, unit: Unit) -> Option<Move> {
    let register = code.r3();
    let has = if unit == Unit::M { register < 48 } else { (64..112).contains(&register) };
    let register = has.then_some(register)?;
    Some(match source {
        Some(source) => Move::ToApplication { target: register, source },
        None => Move::FromApplication { target: code.r1(), source: register },
    })
}

/// Returns the movl of an X unit, or `None` if it is not one.
pub(super) fn decode_long(code: Encoding, upper: u64) -> Option<Move> {
    if code.opcode() != 6 || code.bit(20) {
        return None;
    }
    let low = code.field(21, 1) << 21 | code.field(22, 5) << 16 | code.field(27, 9) << 7 | code.field(13, 7);
    Some(Move::Long { target: code.r1(), value: code.field(36, 1) << 63 | upper << 22 | low })
}

const LACKING: FaultKind = FaultKind::Lacking("this application register");

impl Move {
    pub(super) fn execute(self, registers: &mut Registers, ip: u64, cpl: u8) -> Result<(), FaultKind> {
        match self {
            Self::FromBranch { target, source } => registers.set_general(target, registers.branch[usize::from(source)]),
            Self::ToBranch { target, source } => {
                registers.branch[usize::from(target)] = registers.general(source);
                Ok(())
            }
            Self::FromApplication { target, source } => {
                let value = read(registers, source)?;
                registers.set_general(target, value)
            }
            Self::ToApplication { target, source } => write(registers, target, source.value(registers), cpl),
            Self::FromPredicates { target } => registers.set_general(target, registers.predicates()),
            Self::ToPredicates { source, mask } => {
                registers.set_predicates(registers.general(source), mask);
                Ok(())
            }
            Self::ToRotating { value } => {
                registers.set_predicates(value, ROTATING);
                Ok(())
            }
            Self::FromIp { target } => registers.set_general(target, ip),
            Self::Long { target, value } => registers.set_general(target, value),
        }
    }
}

fn read(registers: &Registers, number: u8) -> Result<u64, FaultKind> {
    Ok(match number {
        0..8 => registers.kernel[usize::from(number)],
        16 => registers.rsc,
        32 => registers.ccv,
        36 => registers.unat,
        40 => registers.fpsr,
        64 => registers.pfs,
        65 => registers.lc,
        66 => registers.ec.into(),
        _ => return Err(LACKING),
    })
}

fn write(registers: &mut Registers, number: u8, value: u64, cpl: u8) -> Result<(), FaultKind> {
    let register = match number {
        0..8 if cpl != 0 => return Err(FaultKind::PrivilegedRegister),
        0..8 => &mut registers.kernel[usize::from(number)],
        16 => &mut registers.rsc,
        32 => &mut registers.ccv,
        36 => &mut registers.unat,
        40 => &mut registers.fpsr,
        64 => &mut registers.pfs,
        65 => &mut registers.lc,
        66 => {
            registers.ec = (value & 0x3f) as u8;
            return Ok(());
        }
        _ => return Err(LACKING),
    };
    *register = value;
    Ok(())
}
