//! The core's lanes as the trace fills them.

use super::setup::{Event, Levels};
use crate::core::RetirePort;
use crate::traces::Retired;
use lwp_model::retire::{self, Branch, BranchKind, Interruption, Mode, OpMode};
use lwp_model::trace::{Inputs, Lane};

/// The inputs of a cycle in which the trace goes on.
pub(super) struct Lanes<'a, const LANES: usize> {
    pub(super) inputs: &'a mut Inputs<LANES>,
    pub(super) shown: &'a mut Shown,
}

/// What the lanes of a cycle showed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shown {
    /// Lanes that were used.
    pub(super) lanes: usize,
    /// Address of the last instruction, and of the one that comes behind it.
    pub(super) last: u64,
    pub(super) behind: u64,
    /// Events of the precise counter.
    pub(super) events: u64,
    /// What the precise counter counts.
    pub(super) event: Option<Event>,
    /// At which levels it counts.
    pub(super) levels: Levels,
    /// The counter is armed: the group ends behind the instruction with its event.
    pub(super) armed: bool,
    /// The event of an armed counter occurred.
    pub(super) fires: bool,
}

impl<const LANES: usize> RetirePort for Lanes<'_, LANES> {
    const MISSED_LOADS: bool = false;
    const ACCESSES: bool = false;
    const IO: bool = false;
    const INTERRUPTIONS: bool = true;
    const CS_BASE: bool = true;

    #[inline]
    fn is_in(&self, mode: Mode) -> bool {
        self.inputs.mode == mode
    }

    fn enter(&mut self, mode: Mode) {
        self.inputs.mode = mode;
    }

    #[inline]
    fn set_cs_base(&mut self, base: u64) {
        // A trace does not tell what is behind a far transfer: the base stays.
        (self.inputs.cs_base, self.inputs.far_base) = (base, base);
    }

    fn interrupt(&mut self, interruption: &Interruption) {
        self.inputs.int = *interruption;
        self.inputs.far_long = self.inputs.mode.op_mode == OpMode::Long64;
    }

    #[inline]
    fn retire(&mut self, lane: usize, retired: &Retired) -> bool {
        self.inputs.lanes[lane] = Lane {
            retired: retire::Retired { valid: true, counts: retired.flags.rep.counts(), ip: retired.ip },
            branch: branch(retired),
            transaction: retired.transaction,
        };
        self.inputs.far_long = self.inputs.mode.op_mode == OpMode::Long64;
        let shown = &mut *self.shown;
        shown.lanes = lane + 1;
        shown.last = retired.ip;
        shown.behind = retired.branch.map_or_else(|| retired.neighbour().unwrap_or(retired.ip), |branch| branch.next);
        let counts = match shown.levels {
            Levels::User => retired.cpl != 0,
            Levels::Kernel => retired.cpl == 0,
            Levels::All => true,
        };
        let occurs = match shown.event.filter(|_| counts) {
            None => false,
            Some(Event::Instructions) => retired.flags.rep.counts(),
            Some(Event::Branches) => retired.branch.is_some_and(|branch| branch.taken),
        };
        shown.events += u64::from(occurs);
        shown.fires |= occurs && shown.armed;
        !shown.fires
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
