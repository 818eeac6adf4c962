//! Step 2 of a cycle, lines: the event bus, and what the lanes and other parts of the port add to it.

use super::events::Events;
use super::inputs::{Lane, Lp};
use super::select::Source;
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

/// All lines of a logical processor in a cycle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lines<'a> {
    bus: &'a Events,
    /// In the order of [`Made`].
    made: [u8; 7],
}

impl<'a> Lines<'a> {
    #[inline]
    pub(super) fn of<const LANES: usize>(lp: &'a Lp, lanes: &[Lane; LANES]) -> Self {
        // The numbers side by side, a byte each: at most 8 lanes count.
        let mut sum = 0;
        if !lp.int_valid && !lp.partial {
            for lane in lanes {
                let branch = lane.valid & !matches!(lane.branch_kind, BranchKind::None);
                let taken = branch & lane.branch_taken;
                let missed = branch & lane.branch_pred_valid & !lane.branch_pred_ok;
                let counts = [lane.valid & lane.counts, branch, taken, missed, taken & missed, false, false, false];
                sum += u64::from_le_bytes(counts.map(u8::from));
            }
        }
        let [instructions, branches, taken, missed, taken_missed, ..] = sum.to_le_bytes();
        let mut made = [instructions, branches, taken, missed, taken_missed, 0, 0];
        made[Made::Interrupts as usize] = (lp.int_valid && is_interrupt(lp.int_kind)).into();
        made[Made::Unhalted as usize] = (!lp.halted).into();
        Self { bus: &lp.events, made }
    }

    #[inline]
    pub(super) const fn get(&self, source: Source) -> u8 {
        match source {
            Source::Bus(line) => self.bus.line(line),
            Source::Own(made) => self.made[made as usize],
        }
    }
}

/// Whether it is a hardware interrupt: by vector or NMI, and no exception, SMI or RSM.
const fn is_interrupt(kind: IntKind) -> bool {
    !matches!(kind, IntKind::Exception | IntKind::Smi | IntKind::Rsm)
}
