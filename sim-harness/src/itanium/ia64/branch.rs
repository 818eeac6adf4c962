//! Branches: formats B1 to B5, X3, X4.

use super::bundle::{BUNDLE_BYTES, Unit};
use super::encoding::{Encoding, signed};
use super::fault::FaultKind;
use super::frame::Frame;
use super::registers::Registers;

/// Where a branch goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    /// The distance from the bundle of the branch.
    Relative(i64),
    /// A branch register.
    Register(u8),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Conditional,
    Call {
        link: u8,
    },
    Return,
    /// br.cloop.
    Counted,
    /// br.ctop and br.wtop if `top`, br.cexit and br.wexit if not.
    Pipelined {
        counted: bool,
        top: bool,
    },
}

/// An instruction of this group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Branch {
    kind: Kind,
    target: Target,
    qp: u8,
}

/// Returns the branch of a B unit, or `None` if it is not one.
pub(super) fn decode(code: Encoding) -> Option<Branch> {
    let kind = code.small(6, 3);
    let relative = Target::Relative(code.displacement());
    let register = Target::Register(code.small(13, 3));
    let (kind, target) = match (code.opcode(), code.field(27, 6), kind) {
        (0, 0x20, 0) => (Kind::Conditional, register),
        (0, 0x21, 4) => (Kind::Return, register),
        (1, _, link) => (Kind::Call { link }, register),
        (4, _, 0) => (Kind::Conditional, relative),
        (4, _, 2) => (Kind::Pipelined { counted: false, top: false }, relative),
        (4, _, 3) => (Kind::Pipelined { counted: false, top: true }, relative),
        (4, _, 5) => (Kind::Counted, relative),
        (4, _, 6) => (Kind::Pipelined { counted: true, top: false }, relative),
        (4, _, 7) => (Kind::Pipelined { counted: true, top: true }, relative),
        (5, _, link) => (Kind::Call { link }, relative),
        _ => return None,
    };
    Some(Branch { kind, target, qp: code.qp() })
}

/// Returns the long branch of an X unit, or `None` if it is not one.
pub(super) fn decode_long(code: Encoding, upper: u64) -> Option<Branch> {
    let imm39 = upper >> 2;
    let bundles = code.field(36, 1) << 59 | imm39 << 20 | code.field(13, 20);
    let target = Target::Relative(signed(bundles, 60) << 4);
    let kind = match (code.opcode(), code.small(6, 3)) {
        (0xc, 0) => Kind::Conditional,
        (0xd, link) => Kind::Call { link },
        _ => return None,
    };
    Some(Branch { kind, target, qp: code.qp() })
}

impl Branch {
    /// Returns whether the instruction is turned off if its qualifying predicate is 0. In wtop and wexit the predicate is the
    /// condition of the loop.
    pub(super) fn is_predicated(self) -> bool {
        matches!(self.kind, Kind::Conditional | Kind::Call { .. } | Kind::Return)
    }

    /// Executes the branch of a bundle and returns the address that it goes to, or `None` if it is not taken. A return may
    /// change the level.
    pub(super) fn execute(
        self,
        registers: &mut Registers,
        (ip, slot, unit): (u64, u8, Unit),
        cpl: &mut u8,
    ) -> Result<Option<u64>, FaultKind> {
        let target = match self.target {
            Target::Relative(distance) => ip.wrapping_add(distance as u64),
            Target::Register(number) => registers.branch[usize::from(number)] & !(BUNDLE_BYTES - 1),
        };
        let taken = match self.kind {
            Kind::Conditional => true,
            Kind::Call { link } => {
                call(registers, *cpl);
                registers.branch[usize::from(link)] = ip.wrapping_add(BUNDLE_BYTES);
                true
            }
            Kind::Return => {
                leave(registers, cpl)?;
                true
            }
            Kind::Counted | Kind::Pipelined { .. } if slot != 2 || !matches!(unit, Unit::B) => {
                return Err(FaultKind::IllegalOperation("a loop branch outside slot 2"));
            }
            Kind::Counted | Kind::Pipelined { counted: true, .. } if self.qp != 0 => {
                return Err(FaultKind::IllegalOperation("a counted loop branch with a predicate"));
            }
            Kind::Counted => {
                let again = registers.lc != 0;
                registers.lc = registers.lc.saturating_sub(1);
                again
            }
            Kind::Pipelined { counted, top } => {
                let again = if counted { registers.lc != 0 } else { registers.predicate(self.qp) };
                pipelined(registers, counted, again) == top
            }
        };
        Ok(taken.then_some(target))
    }
}

/// Saves the frame in ar.pfs and begins the one of the callee, which has this frame's outputs.
fn call(registers: &mut Registers, cpl: u8) {
    let frame = registers.frame();
    registers.pfs = frame.bits() | u64::from(registers.ec) << 52 | u64::from(cpl) << 62;
    registers.push_frame(frame.sol, Frame { sof: frame.sof - frame.sol, ..Frame::default() });
}

/// Restores the frame of ar.pfs, and its level if that is lower.
fn leave(registers: &mut Registers, cpl: &mut u8) -> Result<(), FaultKind> {
    let pfs = registers.pfs;
    let frame = Frame::from_bits(pfs);
    registers.pop_frame(frame.sol, frame)?;
    registers.ec = (pfs >> 52 & 0x3f) as u8;
    *cpl = (*cpl).max((pfs >> 62) as u8);
    Ok(())
}

/// Advances a software-pipelined loop and returns whether it continues. `again` says whether another iteration begins.
fn pipelined(registers: &mut Registers, counted: bool, again: bool) -> bool {
    let continues = again || registers.ec > 1;
    if again {
        if counted {
            registers.lc -= 1;
        }
        registers.rotate(counted);
    } else if registers.ec != 0 {
        registers.ec -= 1;
        registers.rotate(false);
    } else {
        registers.set_predicate(63, false);
    }
    continues
}
