//! The core's retire stage as this unit sees it: missed loads, groups that the unit cuts, addresses that it asks for.
//!
//! Source: "Ports" in the unit's chapters of the book: lanes, partial cycles, and the dead cycle of a mode change.

use super::again::Again;
use super::misses::Misses;
use super::setup::Setup;
use super::stats::Stats;
use crate::core::{Fed, Feeder, Instructions, RetirePort};
use crate::traces::{self, Retired, TraceError};
use lwp_model::lwp::{AddressPolicy, BranchKind, Inputs, LOAD_PORTS, Lane, Mode, OpMode, Outputs};
use lwp_model::retire;

/// The core's [feeder](Feeder), and what only this unit makes it do.
#[derive(Debug)]
pub(super) struct RetireStage<const W: usize, I> {
    feeder: Feeder<I>,
    /// What has been presented and not been accepted, or has been undone.
    again: Again<W>,
    /// Loads that the unit is told of before their instruction retires, if it is so strapped.
    outstanding: Option<Misses>,
    /// Greatest latency that can be reported.
    latency_limit: u32,
    /// Addresses of loads are kept only while the unit asks for them.
    forgetful: bool,
    /// Lanes that this cycle uses, from lane 0 on.
    used: usize,
    /// Lanes that the last cycle used.
    stale: usize,
}

impl<const W: usize, I: Instructions> RetireStage<W, I> {
    /// The retire stage of a core as `setup` describes it. A session is in 64-bit mode.
    pub(super) fn new(instructions: I, setup: &Setup) -> Self {
        Self {
            feeder: Feeder::new(instructions, retire::OpMode::Long64, setup.lanes.clamp(1, W), setup.cpi),
            again: Again::new(),
            outstanding: Misses::new(setup),
            latency_limit: setup.latency_limit(),
            forgetful: setup.straps.address_policy == AddressPolicy::NextLoad,
            used: 0,
            stale: 0,
        }
    }

    /// Ends the trace here. An instruction that the unit knows of in part still retires, and so does what has to come again.
    pub(super) fn stop(&mut self) {
        self.feeder.stop(self.outstanding.as_ref().is_some_and(Misses::is_busy));
    }

    /// Whether the core is between two instructions, where it may take a trap or an interrupt.
    pub(super) fn at_boundary(&self) -> bool {
        self.feeder.is_between() && !self.outstanding.as_ref().is_some_and(Misses::is_busy)
    }

    /// The unit has cut the group that `shown` presented after this lane.
    #[cold]
    pub(super) fn cut(&mut self, lane: u8, shown: &Inputs<W>, stats: &mut Stats) {
        self.again.cut(lane, shown, stats);
    }

    /// The unit has undone the instruction after which it cut the last group.
    #[cold]
    pub(super) fn undo(&mut self, stats: &mut Stats) {
        self.again.undo(stats);
    }

    /// Ring 3 is left for a trap, perhaps in the middle of an instruction. It continues afterwards: the loads that the unit has
    /// seen hit then.
    #[cold]
    pub(super) fn interrupt(&mut self) {
        if let Some(outstanding) = &mut self.outstanding {
            outstanding.interrupt();
        }
    }

    /// A cycle begins: what the last one showed is to be taken back; the mode stays.
    #[inline]
    pub(super) fn begin(&mut self, inputs: &mut Inputs<W>) {
        (self.used, self.stale) = (0, self.used);
        // Written only if need be: the mode is read as one with it.
        if inputs.partial {
            inputs.partial = false;
        }
    }

    /// A cycle ends: lanes that the last one used and this one does not are empty.
    #[inline]
    pub(super) fn end(&self, inputs: &mut Inputs<W>) {
        for lane in inputs.lanes.iter_mut().take(self.stale).skip(self.used) {
            *lane = Lane::default();
        }
    }

    /// Whether loads are to be [begun](Self::begin_loads) and [followed](Self::follow).
    pub(super) const fn follows(&self) -> bool {
        self.outstanding.is_some()
    }

    /// One cycle of the loads that are in flight. Their data returns whatever the core does.
    pub(super) fn follow(&mut self, inputs: &mut Inputs<W>, out: &Outputs) {
        if let Some(outstanding) = &mut self.outstanding
            && outstanding.is_busy()
        {
            outstanding.cycle(self.feeder.ip(), out, &mut inputs.buffer);
        }
    }

    /// The loads of the next instruction miss, if it has any; whether the unit stalls or not.
    pub(super) fn begin_loads(&mut self, inputs: &mut Inputs<W>, out: &Outputs) {
        let mode = inputs.mode;
        let Some(outstanding) = self.outstanding.as_mut().filter(|outstanding| !outstanding.is_busy()) else { return };
        if !self.again.is_empty() || !self.feeder.is_next::<Lanes<'_, W>>(|next| mode == of_unit(next)) {
            return;
        }
        let loads = self.feeder.missed_loads();
        if !loads.is_empty() {
            outstanding.begin(loads, mode.ring3());
            outstanding.cycle(self.feeder.ip(), out, &mut inputs.buffer);
        }
    }

    pub(super) fn take_failure(&mut self) -> Option<TraceError> {
        self.feeder.take_failure()
    }

    pub(super) fn instructions(&self) -> &I {
        self.feeder.instructions()
    }

    pub(super) fn into_instructions(self) -> I {
        self.feeder.into_instructions()
    }

    /// One cycle in which the unit does not stall. `inputs` has the present mode; each lane that is used is written whole.
    #[inline]
    pub(super) fn cycle(&mut self, now: u64, out: &Outputs, inputs: &mut Inputs<W>, stats: &mut Stats) -> Fed {
        let mut first = 0;
        if !self.again.is_empty() {
            if !self.feeder.is_due(now) {
                return Fed::Nothing;
            }
            first = self.again.show(&mut inputs.lanes);
        }
        let mut port = Lanes {
            may_leave: !(out.drain && inputs.mode.ring3()),
            inputs,
            outstanding: self.outstanding.as_ref(),
            latency_limit: self.latency_limit,
            keeps: !self.forgetful || out.addr_track,
            retired: first,
            loads: false,
        };
        let fed = if first == 0 {
            self.feeder.cycle(now, &mut port)
        } else {
            self.feeder.retire_from(first, now, &mut port);
            Fed::Progress
        };
        let Lanes { retired, loads, .. } = port;
        if loads && let Some(outstanding) = &mut self.outstanding {
            outstanding.shown();
        }
        self.used = retired.max(usize::from(inputs.partial));
        stats.instructions += retired as u64;
        stats.ring3_instructions += if inputs.mode.ring3() { retired as u64 } else { 0 };
        fed
    }
}

/// The unit's inputs as the feeder fills them in a cycle.
struct Lanes<'a, const W: usize> {
    inputs: &'a mut Inputs<W>,
    outstanding: Option<&'a Misses>,
    latency_limit: u32,
    may_leave: bool,
    /// Addresses of loads are kept.
    keeps: bool,
    /// Instructions that retire.
    retired: usize,
    /// Missed loads are shown.
    loads: bool,
}

impl<const W: usize> RetirePort for Lanes<'_, W> {
    const MISSED_LOADS: bool = true;
    const ACCESSES: bool = false;
    const IO: bool = false;
    const INTERRUPTIONS: bool = false;
    const CS_BASE: bool = false;

    #[inline]
    fn is_in(&self, mode: retire::Mode) -> bool {
        self.inputs.mode == of_unit(mode)
    }

    fn enter(&mut self, mode: retire::Mode) {
        self.inputs.mode = of_unit(mode);
    }

    /// Leaving ring 3 may drop a record in flight.
    fn may_leave(&self) -> bool {
        self.may_leave
    }

    fn loads_are_ready(&self) -> bool {
        self.outstanding.is_none_or(Misses::are_ready)
    }

    #[inline]
    fn loads_beside(&self) -> usize {
        if self.outstanding.is_some() { 0 } else { LOAD_PORTS }
    }

    fn show_part(&mut self, retired: &Retired) {
        self.inputs.partial = true;
        self.inputs.lanes[0] = lane_of(retired);
    }

    #[inline]
    fn retire(&mut self, lane: usize, retired: &Retired) -> bool {
        self.inputs.lanes[lane] = lane_of(retired);
        self.retired = lane + 1;
        true
    }

    fn show_load(&mut self, lane: usize, number: usize, load: &traces::Load) {
        let port = &mut self.inputs.lanes[lane].loads[number];
        port.miss = true;
        port.addr_valid = self.keeps && load.addr.is_some();
        port.addr = if self.keeps { load.miss_addr().unwrap_or(0) } else { 0 };
        port.latency = load.latency.min(self.latency_limit);
        port.source = load.source & 7;
        if let Some(outstanding) = self.outstanding {
            outstanding.show(number, port);
        }
        self.loads = true;
    }
}

/// A lane with an instruction and without its loads.
#[inline]
fn lane_of(retired: &Retired) -> Lane {
    let lane = Lane { valid: true, counts: retired.flags.rep.counts(), ip: retired.ip, ..Lane::default() };
    match &retired.branch {
        None => lane,
        Some(branch) => Lane {
            branch_kind: branch_kind(branch.kind),
            branch_taken: branch.taken,
            branch_next: branch.next,
            branch_pred_valid: branch.predicted.is_some(),
            branch_pred_ok: branch.predicted == Some(true),
            ..lane
        },
    }
}

/// A mode as the unit's port has it.
#[inline]
const fn of_unit(mode: retire::Mode) -> Mode {
    Mode { cpl: mode.cpl, smm: mode.smm, op_mode: OpMode::from_code(mode.op_mode as u8) }
}

#[inline]
const fn branch_kind(kind: traces::BranchKind) -> BranchKind {
    match kind {
        traces::BranchKind::Jmp => BranchKind::Jmp,
        traces::BranchKind::Jcc => BranchKind::Jcc,
        traces::BranchKind::JmpInd => BranchKind::JmpInd,
        traces::BranchKind::Call => BranchKind::Call,
        traces::BranchKind::CallInd => BranchKind::CallInd,
        traces::BranchKind::Ret => BranchKind::Ret,
        traces::BranchKind::FarJmp => BranchKind::FarJmp,
        traces::BranchKind::FarCall => BranchKind::FarCall,
        traces::BranchKind::FarRet => BranchKind::FarRet,
        traces::BranchKind::System => BranchKind::System,
    }
}

#[cfg(test)]
mod tests;
