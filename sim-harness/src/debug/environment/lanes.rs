//! The core's lanes as the trace fills them.

use super::again::Again;
use super::setup::Stepping;
use crate::core::RetirePort;
use crate::traces::Retired;
use lwp_model::debug::{Inputs, Interrupted, Lane};
use lwp_model::retire::{self, ACCESS_PORTS, Access, Branch, BranchKind, IntKind, Interruption, Mode, Transaction};

/// #BP and #OF, the exceptions that the instruction before them causes.
const TRAPS: [u8; 2] = [3, 4];

/// The inputs of a cycle in which the trace goes on.
pub(super) struct Lanes<'a, const LANES: usize> {
    pub(super) inputs: &'a mut Inputs<LANES>,
    pub(super) again: &'a mut Again<LANES>,
    pub(super) stepping: &'a mut Stepping,
    /// The region of the instruction is undone already.
    pub(super) undone: &'a mut bool,
}

impl<const LANES: usize> RetirePort for Lanes<'_, LANES> {
    const MISSED_LOADS: bool = false;
    const ACCESSES: bool = true;
    const IO: bool = true;
    const INTERRUPTIONS: bool = true;
    const CS_BASE: bool = false;
    /// A build of one lane compares one access of it.
    const ACCESS_PORTS: usize = if LANES == 1 { 1 } else { ACCESS_PORTS };

    #[inline]
    fn is_in(&self, mode: Mode) -> bool {
        self.inputs.mode == mode
    }

    fn enter(&mut self, mode: Mode) {
        self.inputs.mode = mode;
    }

    fn interrupt(&mut self, interruption: &Interruption) {
        let &Interruption { valid, kind, from, vector, .. } = interruption;
        let trap = kind == IntKind::Exception && TRAPS.contains(&vector);
        self.inputs.int = Interrupted { valid, kind, from, trap, ..Interrupted::default() };
    }

    fn show_part(&mut self, retired: &Retired) {
        self.inputs.partial = true;
        self.inputs.lanes[0] = self.lane(retired);
    }

    #[inline]
    fn retire(&mut self, lane: usize, retired: &Retired) -> bool {
        let shown = self.lane(retired);
        self.inputs.lanes[lane] = shown;
        let neighbour = retired.neighbour().unwrap_or(retired.ip);
        self.again.show(lane, &shown, retired.branch.map_or(neighbour, |branch| branch.next));
        if retired.io.valid {
            self.inputs.io = retired.io;
            self.again.show_io(retired.io);
        }
        !retired.io.valid
    }

    #[inline]
    fn show_access(&mut self, lane: usize, port: usize, access: Access) {
        self.inputs.lanes[lane].accesses[port] = access;
        if !self.inputs.partial {
            self.again.show_access(lane, port, access);
        }
    }
}

impl<const LANES: usize> Lanes<'_, LANES> {
    /// A lane with an instruction and without its accesses.
    #[inline]
    fn lane(&mut self, retired: &Retired) -> Lane {
        let mut flags = retired.flags;
        flags.tf |= self.stepping.steps(retired.ip);
        Lane {
            retired: retire::Retired { valid: true, counts: flags.rep.counts(), ip: retired.ip },
            branch: branch(retired),
            flags,
            transaction: self.transaction(retired.transaction),
            ..Lane::default()
        }
    }

    /// What the trace shows of a region that is undone is outside of it.
    #[inline]
    fn transaction(&mut self, transaction: Transaction) -> Transaction {
        *self.undone &= transaction.in_tx || transaction.tx_abort;
        if *self.undone { Transaction::default() } else { transaction }
    }
}

#[inline]
fn branch(retired: &Retired) -> Branch {
    let Some(branch) = &retired.branch else { return Branch::default() };
    let kind = <BranchKind as lwp_model::Choice>::from_code(branch.kind as u8).unwrap_or_default();
    Branch {
        kind,
        taken: branch.taken,
        pred_valid: branch.predicted.is_some(),
        pred_ok: branch.predicted == Some(true),
        next: branch.next,
    }
}
