//! A cycle's inputs in eight bytes: enough to see that the cycle can do no more than count.

use super::inputs::{BranchKind, Inputs};

/// What the inputs of a cycle can bring about, and how many instructions and branches retire in it; made once for
/// each cycle, for [`Lwp::skip`](super::Lwp::skip).
///
/// Bits 7:0 instructions that count, 15:8 branches that count unless a filter leaves them out, 23:16 of them direct jumps,
/// 31:24 flags, 63:40 loads that missed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Digest(u64);

/// Bits of [`Digest`].
pub(super) mod flag {
    /// In ring 3.
    pub(in super::super) const RING3: u64 = 1 << 24;
    /// Outside ring 3.
    pub(in super::super) const OUTSIDE: u64 = 1 << 25;
    /// An operation, an acknowledgement, or something for the miss address buffer.
    pub(in super::super) const EVENT: u64 = 1 << 26;
    /// Part of an instruction.
    pub(in super::super) const PARTIAL: u64 = 1 << 27;
    /// A load that missed retires: their number.
    pub(in super::super) const MISSES: u64 = !0 << 40;
}

impl Digest {
    /// Reads a cycle's inputs. What memory answers and the random word are left out: neither is looked at while the unit is at rest.
    #[must_use]
    #[inline]
    pub fn of<const W: usize>(inputs: &Inputs<W>) -> Self {
        let mut digest = Self::new(inputs.mode.ring3(), asks(inputs), inputs.partial);
        for lane in inputs.lanes.iter().filter(|lane| lane.valid && lane.counts) {
            digest.retire(lane.branch_kind, lane.loads.iter().map(|load| u64::from(load.miss)).sum());
        }
        digest
    }

    /// A cycle in which nothing retires.
    pub(super) const fn new(ring3: bool, event: bool, partial: bool) -> Self {
        let mode = if ring3 { flag::RING3 } else { flag::OUTSIDE };
        Self(mode | if event { flag::EVENT } else { 0 } | if partial { flag::PARTIAL } else { 0 })
    }

    /// One instruction that counts, and how many of its loads missed.
    #[inline]
    pub(super) fn retire(&mut self, kind: BranchKind, misses: u64) {
        let branch = !matches!(kind, BranchKind::None | BranchKind::System);
        let jump = kind == BranchKind::Jmp;
        self.0 += 1 + (u64::from(branch) << 8) + (u64::from(jump) << 16) + (misses << 40);
    }

    pub(super) const fn bits(self) -> u64 {
        self.0
    }
}

/// Whether more than lanes ask for the unit's attention: an operation, an acknowledgement, something for the miss address buffer.
const fn asks<const W: usize>(inputs: &Inputs<W>) -> bool {
    let buffer = &inputs.buffer;
    inputs.ctl.valid
        || inputs.pf_ack
        || inputs.irq_ack
        || buffer.fill_valid
        || buffer.alloc_valid
        || buffer.replay_abort
}

/// Instructions, branches, direct jumps and missed loads of some cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) instructions: u32,
    pub(super) branches: u32,
    pub(super) jumps: u32,
    pub(super) misses: u32,
}

impl Counts {
    /// From the sum of digests of at most 31 cycles: 8 lanes overflow no byte, and flags do not reach the misses.
    pub(super) const fn of(sum: u64) -> Self {
        let low = sum as u32;
        Self {
            instructions: low & 0xFF,
            branches: low >> 8 & 0xFF,
            jumps: low >> 16 & 0xFF,
            misses: (sum >> 40) as u32,
        }
    }

    pub(super) const fn plus(self, other: Self) -> Self {
        Self {
            instructions: self.instructions + other.instructions,
            branches: self.branches + other.branches,
            jumps: self.jumps + other.jumps,
            misses: self.misses + other.misses,
        }
    }
}
