//! Step 2 of a cycle, lines: the event bus, and what the lanes and other parts of the port add to it.

use super::inputs::{Inputs, Lane, Lp};
use crate::retire::{BranchKind, IntKind};

/// A line that the unit makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Made {
    Instructions,
    Branches,
    BranchesTaken,
    BranchesMissed,
    BranchesTakenMissed,
    Interrupts,
    Unhalted,
}

impl Made {
    /// Bits of each line among those of all.
    pub(super) const BITS: u32 = 4;

    /// The lowest bit of the line.
    pub(super) const fn shift(self) -> u32 {
        Self::BITS * self as u32
    }
}

/// The lines that the unit makes for each logical processor in a cycle, [side by side](Made::shift): at most 8 lanes count. 0 where a
/// counter does not want them.
#[inline]
pub(super) fn made_of_all<const LP: usize, const LANES: usize>(
    inputs: &Inputs<LP, LANES>,
    wanted: &[bool; LP],
) -> [u32; LP] {
    let mut all = [0; LP];
    for (lp, made) in all.iter_mut().enumerate() {
        if wanted[lp] {
            *made = self::made(&inputs.lp[lp], &inputs.lanes[lp]);
        }
    }
    all
}

fn made<const LANES: usize>(lp: &Lp, lanes: &[Lane; LANES]) -> u32 {
    let line = |made: Made, value: bool| u32::from(value) << made.shift();
    let mut made = 0;
    for lane in lanes {
        let branch = lane.valid & !matches!(lane.branch_kind, BranchKind::None);
        let taken = branch & lane.branch_taken;
        let missed = branch & lane.branch_pred_valid & !lane.branch_pred_ok;
        made += line(Made::Instructions, lane.valid & lane.counts)
            + line(Made::Branches, branch)
            + line(Made::BranchesTaken, taken)
            + line(Made::BranchesMissed, missed)
            + line(Made::BranchesTakenMissed, taken & missed);
    }
    // Nothing retires in a cycle with an interruption, nor in a partial one.
    made *= u32::from(!(lp.int_valid | lp.partial));
    line(Made::Unhalted, !lp.halted) + line(Made::Interrupts, lp.int_valid & is_interrupt(lp.int_kind)) + made
}

/// Whether it is a hardware interrupt: by vector or NMI, and no exception, SMI or RSM.
const fn is_interrupt(kind: IntKind) -> bool {
    !matches!(kind, IntKind::Exception | IntKind::Smi | IntKind::Rsm)
}
