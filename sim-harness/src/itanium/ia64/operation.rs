//! The instruction in a slot.

use super::alu::{self, Alu};
use super::branch::{self, Branch};
use super::bundle::Unit;
use super::compare::{self, Compare, Targets};
use super::encoding::Encoding;
use super::float::{self, FloatOperation};
use super::memory::{self, Memory};
use super::moves::{self, Move};
use super::shift::{self, Shift};
use super::system::{self, System};

/// An instruction that the executor knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Alu(Alu),
    Compare(Compare),
    Shift(Shift),
    Memory(Memory),
    Float(FloatOperation),
    Move(Move),
    Branch(Branch),
    System(System),
}

impl Operation {
    /// Returns the instruction of a slot, or `None` if the executor does not know it. `upper` is the slot in front of that
    /// of a long instruction.
    pub(super) fn decode(unit: Unit, code: Encoding, upper: u64) -> Option<Self> {
        match unit {
            Unit::M => common(code)
                .or_else(|| memory::decode(code).map(Self::Memory))
                .or_else(|| float::decode_move(code).map(Self::Float))
                .or_else(|| moves::decode_m(code).map(Self::Move))
                .or_else(|| system::decode_m(code).map(Self::System)),
            Unit::I => common(code)
                .or_else(|| compare::decode_bit(code).map(Self::Compare))
                .or_else(|| shift::decode(code).map(Self::Shift))
                .or_else(|| moves::decode_i(code).map(Self::Move))
                .or_else(|| system::decode_i_or_f(code, unit).map(Self::System)),
            Unit::F => {
                system::decode_i_or_f(code, unit).map(Self::System).or_else(|| float::decode(code).map(Self::Float))
            }
            Unit::B => branch::decode(code).map(Self::Branch).or_else(|| system::decode_b(code).map(Self::System)),
            Unit::X => moves::decode_long(code, upper)
                .map(Self::Move)
                .or_else(|| branch::decode_long(code, upper).map(Self::Branch))
                .or_else(|| system::decode_long(code, upper).map(Self::System)),
            Unit::L => None,
        }
    }

    /// Returns whether the instruction is turned off if the predicate in bits 5:0 is 0.
    pub(super) fn is_predicated(self) -> bool {
        match self {
            Self::Branch(branch) => branch.is_predicated(),
            Self::System(system) => !matches!(
                system,
                System::Alloc { .. }
                    | System::Cover
                    | System::ClearBases { .. }
                    | System::Bank { .. }
                    | System::Epc
                    | System::Rfi
            ),
            _ => true,
        }
    }

    /// Returns whether the instruction is a branch.
    pub(super) fn is_branch(self) -> bool {
        matches!(self, Self::Branch(_) | Self::System(System::Rfi))
    }

    /// Returns the predicates that a comparison writes.
    pub(super) fn targets(self) -> Option<Targets> {
        match self {
            Self::Compare(compare) => Some(compare.targets),
            Self::Float(float) => float.targets(),
            _ => None,
        }
    }
}

/// Instructions that M and I units execute.
fn common(code: Encoding) -> Option<Operation> {
    alu::decode(code).map(Operation::Alu).or_else(|| compare::decode(code).map(Operation::Compare))
}
