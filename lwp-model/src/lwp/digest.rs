//! Cycle summary: inputs of one cycle in eight bytes, enough to decide whether the unit only counts in it.

use super::inputs::{BranchKind, Inputs};

/// Cycle summary: the instructions, branches and missed loads that retire in a cycle, and flags for everything else that its inputs
/// can cause. [`Lwp::skip`](super::Lwp::skip) takes one for each cycle.
///
/// Bits 7:0 instructions that count, 15:8 branches that count unless a filter leaves them out, 23:16 of them direct jumps,
/// 31:24 flags, 63:40 loads that missed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Digest(u64);

/// Bits of [`Digest`].
pub(super) mod flag {
    /// The processor is in ring 3.
    pub(in super::super) const RING3: u64 = 1 << 24;
    /// The processor is outside ring 3.
    pub(in super::super) const OUTSIDE: u64 = 1 << 25;
    /// There is an operation, an acknowledgement, or an input for the miss address buffer.
    pub(in super::super) const EVENT: u64 = 1 << 26;
    /// The cycle presents only loads of an instruction that retires later.
    pub(in super::super) const PARTIAL: u64 = 1 << 27;
    /// Number of retiring loads that missed.
    pub(in super::super) const MISSES: u64 = !0 << 40;
}

/// What one instruction without missed loads adds to a summary, by the code of its [`BranchKind`].
const KINDS: [u64; 16] = {
    let (mut kinds, mut code) = ([1; 16], 0);
    while code < kinds.len() {
        let kind = BranchKind::from_code(code as u8);
        let branch = !matches!(kind, BranchKind::None | BranchKind::System);
        let jump = matches!(kind, BranchKind::Jmp);
        kinds[code] += ((branch as u64) << 8) + ((jump as u64) << 16);
        code += 1;
    }
    kinds
};

impl Digest {
    /// Returns the summary of a cycle's inputs. Memory's response and the random word are left out: a unit at rest uses neither.
    #[must_use]
    #[inline]
    pub fn of<const W: usize>(inputs: &Inputs<W>) -> Self {
        let mut digest = Self::new(inputs.mode.ring3(), asks(inputs), inputs.partial);
        for lane in &inputs.lanes {
            let misses = lane.loads.iter().map(|load| u64::from(load.miss)).sum();
            digest.retire(lane.valid & lane.counts, lane.branch_kind as u8, misses);
        }
        digest
    }

    /// Returns the summary of a cycle in which nothing retires.
    pub(super) const fn new(ring3: bool, event: bool, partial: bool) -> Self {
        let mode = if ring3 { flag::RING3 } else { flag::OUTSIDE };
        Self(mode | if event { flag::EVENT } else { 0 } | if partial { flag::PARTIAL } else { 0 })
    }

    /// Adds the instruction of a lane if it `counts`; `misses` of its loads missed. Without branches: which lanes hold a branch is as
    /// hard to predict as the program.
    #[inline]
    pub(super) fn retire(&mut self, counts: bool, kind: u8, misses: u64) {
        let one = KINDS[usize::from(kind & 15)] + (misses << 40);
        self.0 += one & u64::from(counts).wrapping_neg();
    }

    pub(super) const fn bits(self) -> u64 {
        self.0
    }
}

/// Whether there is an operation, an acknowledgement, or an input for the miss address buffer.
const fn asks<const W: usize>(inputs: &Inputs<W>) -> bool {
    let buffer = &inputs.buffer;
    inputs.ctl.valid
        || inputs.pf_ack
        || inputs.irq_ack
        || buffer.fill_valid
        || buffer.alloc_valid
        || buffer.replay_abort
}

/// Instructions, branches, direct jumps and missed loads of several cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) instructions: u32,
    pub(super) branches: u32,
    pub(super) jumps: u32,
    pub(super) misses: u32,
}

impl Counts {
    /// Returns the counts in the sum of the summaries of at most 31 cycles: with 8 lanes no byte overflows, and flags do not reach the
    /// misses.
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
