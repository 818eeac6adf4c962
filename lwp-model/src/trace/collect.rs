//! Stage collect: the transfers of a cycle, in program order.

use super::config::Config;
use super::inputs::{Inputs, Lane};
use super::now::Now;
use crate::retire::{BranchKind, IntKind, Transaction};

/// A branch, an interrupt or an exception.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Transfer {
    pub(super) from: u64,
    pub(super) to: u64,
    /// Whether base of CS and mode may be others behind it.
    pub(super) far: bool,
    /// Known to have been predicted correctly.
    pub(super) predicted: bool,
    /// Known to have been mispredicted.
    pub(super) mispredicted: bool,
    pub(super) transaction: Transaction,
    /// Whether it is a #DB.
    pub(super) debug: bool,
}

/// The transfers of a cycle, in program order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transfers<const LANES: usize> {
    list: [Transfer; LANES],
    count: usize,
}

impl<const LANES: usize> Transfers<LANES> {
    /// The transfers of the interruption or of the lanes.
    #[inline]
    pub(super) fn of(now: &Now, inputs: &Inputs<LANES>, straps: &Config) -> Self {
        let mut all = Self { list: [Transfer::default(); LANES], count: 0 };
        if now.stall {
            return all;
        }
        if let Some(kind) = now.int {
            if is_recorded(kind, now) {
                let (from, to) = (inputs.int.from, inputs.int.to);
                all.push(Transfer { from, to, far: true, debug: now.debug, ..Transfer::default() });
            }
        } else if !inputs.partial {
            for lane in &inputs.lanes {
                if lane.retired.valid && lane.branch.kind != BranchKind::None && lane.branch.taken {
                    all.push(of_lane(lane, straps));
                }
            }
        }
        all
    }

    #[inline]
    fn push(&mut self, transfer: Transfer) {
        self.list[self.count] = transfer;
        self.count += 1;
    }

    /// The transfers, the oldest first.
    #[inline]
    pub(super) fn as_slice(&self) -> &[Transfer] {
        &self.list[..self.count]
    }
}

/// Whether an interruption is a transfer: RSM is shown as a branch, and an SMI that freezes is not recorded.
#[inline]
const fn is_recorded(kind: IntKind, now: &Now) -> bool {
    match kind {
        IntKind::Rsm => false,
        IntKind::Smi => !now.debugctl.freeze_while_smm(),
        _ => true,
    }
}

#[inline]
fn of_lane(lane: &Lane, straps: &Config) -> Transfer {
    let branch = &lane.branch;
    Transfer {
        from: lane.retired.ip,
        to: branch.next,
        far: branch.kind >= BranchKind::FarJmp,
        predicted: branch.pred_valid && branch.pred_ok,
        mispredicted: branch.pred_valid && !branch.pred_ok,
        transaction: if straps.rtm { lane.transaction } else { Transaction::default() },
        debug: false,
    }
}
