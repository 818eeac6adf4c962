//! Turns the trace into retire lanes.
//!
//! Source: "Ports" in the unit's chapters of the book: lanes, partial cycles, and the dead cycle of a mode change.

use super::again::Again;
use super::instructions::Instructions;
use super::misses::Misses;
use super::setup::Setup;
use super::stats::Stats;
use crate::trace::{self, Retired, TraceError};
use lwp_model::lwp::{AddressPolicy, BranchKind, Inputs, LOAD_PORTS, Lane, Load, Mode, OpMode, Outputs};

/// What the feeder did in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fed {
    /// Nothing retires: it is not time yet.
    Nothing,
    /// Something happened: an instruction retired, or loads of one were shown, or the mode changed.
    Progress,
    /// There are no more instructions.
    End,
}

/// The core's retire stage: it holds one instruction that has been read and not yet retired.
#[derive(Debug)]
pub(super) struct Feeder<const W: usize, I> {
    instructions: I,
    next: Retired,
    /// Whether `next` holds an instruction.
    ready: bool,
    /// The mode of `next`.
    mode: Mode,
    /// No more is to be read.
    ended: bool,
    failure: Option<TraceError>,
    /// Missing loads of `next`; only these take ports.
    misses: usize,
    /// How many of them were shown in partial cycles.
    shown: usize,
    /// Position in `loads` after the last one shown.
    position: usize,
    lanes: usize,
    cpi: u64,
    /// First cycle in which the next group may retire.
    due: u64,
    latency_limit: u32,
    /// What has been presented and not been accepted, or has been undone.
    again: Again<W>,
    /// Loads that the unit is told of before their instruction retires, if it is so strapped.
    outstanding: Option<Misses>,
    /// Missing loads that an instruction may have in another lane than 0.
    beside: usize,
    /// Addresses of loads are kept only while the unit asks for them.
    forgetful: bool,
    /// They are kept in this cycle.
    keeps: bool,
}

impl<const W: usize, I: Instructions> Feeder<W, I> {
    /// The retire stage of a core as `setup` describes it.
    pub(super) fn new(instructions: I, setup: &Setup) -> Self {
        let outstanding = Misses::new(setup);
        Self {
            instructions,
            next: Retired::default(),
            ready: false,
            mode: Mode::default(),
            ended: false,
            failure: None,
            misses: 0,
            shown: 0,
            position: 0,
            lanes: setup.lanes.clamp(1, W),
            cpi: setup.cpi.max(1),
            due: 0,
            latency_limit: setup.latency_limit(),
            again: Again::new(),
            beside: if outstanding.is_some() { 0 } else { LOAD_PORTS },
            outstanding,
            forgetful: setup.straps.address_policy == AddressPolicy::NextLoad,
            keeps: true,
        }
    }

    /// Ends the trace here. An instruction that the unit knows of in part still retires, and so does what has to come again.
    pub(super) fn stop(&mut self) {
        self.ended = true;
        self.ready &= !self.at_boundary();
    }

    /// Whether the core is between two instructions, where it may take a trap or an interrupt.
    pub(super) fn at_boundary(&self) -> bool {
        self.shown == 0 && !self.outstanding.as_ref().is_some_and(Misses::is_busy)
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

    /// Ring 3 is left for a trap, perhaps in the middle of an instruction. It goes on afterwards: the loads that the unit has
    /// seen hit then.
    #[cold]
    pub(super) fn interrupt(&mut self) {
        if let Some(outstanding) = &mut self.outstanding {
            outstanding.interrupt();
        }
    }

    /// Whether loads are to be [begun](Self::begin_loads) and [followed](Self::follow).
    pub(super) const fn follows(&self) -> bool {
        self.outstanding.is_some()
    }

    /// One cycle of the loads that are on their way. Their data returns whatever the core does.
    pub(super) fn follow(&mut self, inputs: &mut Inputs<W>, out: &Outputs) {
        if let Some(outstanding) = &mut self.outstanding
            && outstanding.is_busy()
        {
            outstanding.cycle(self.next.ip, out, &mut inputs.buffer);
        }
    }

    /// The loads of the next instruction miss, if it has any; whether the unit stalls or not.
    pub(super) fn begin_loads(&mut self, inputs: &mut Inputs<W>, out: &Outputs) {
        if !self.again.is_empty() || !self.peek() || self.is_elsewhere(inputs.mode) || self.misses == self.shown {
            return;
        }
        if let Some(outstanding) = &mut self.outstanding
            && !outstanding.is_busy()
        {
            outstanding.begin(&self.next.loads[self.position..], inputs.mode.ring3());
            outstanding.cycle(self.next.ip, out, &mut inputs.buffer);
        }
    }

    pub(super) fn take_failure(&mut self) -> Option<TraceError> {
        self.failure.take()
    }

    pub(super) fn instructions(&self) -> &I {
        &self.instructions
    }

    pub(super) fn into_instructions(self) -> I {
        self.instructions
    }

    /// One cycle in which the unit does not stall. `inputs` has no lanes yet and the present mode.
    #[inline]
    pub(super) fn cycle(&mut self, now: u64, out: &Outputs, inputs: &mut Inputs<W>, stats: &mut Stats) -> Fed {
        if self.again.is_empty() {
            if !self.peek() {
                return Fed::End;
            }
            if self.is_elsewhere(inputs.mode) {
                return self.change_mode(now, out, &mut inputs.mode);
            }
            if self.outstanding.is_some() && !self.loads_are_ready() {
                return Fed::Nothing;
            }
        }
        if now < self.due {
            return Fed::Nothing;
        }
        self.keeps = !self.forgetful || out.addr_track;
        if self.again.is_empty() && self.misses - self.shown > LOAD_PORTS {
            self.show_part(inputs);
            return Fed::Progress;
        }
        self.retire_group(inputs, stats);
        self.due = now + self.cpi;
        Fed::Progress
    }

    /// Whether the next instruction belongs to another mode.
    #[inline]
    fn is_elsewhere(&self, mode: Mode) -> bool {
        mode != self.mode
    }

    /// The change is as late as the spacing allows: leaving ring 3 may drop a record on its way.
    fn change_mode(&mut self, now: u64, out: &Outputs, mode: &mut Mode) -> Fed {
        if now + 1 < self.due || (out.drain && mode.ring3()) {
            return Fed::Nothing;
        }
        *mode = self.mode;
        Fed::Progress
    }

    /// Whether the loads that are next at the retire port have their data.
    fn loads_are_ready(&self) -> bool {
        self.misses == self.shown || self.outstanding.as_ref().is_none_or(Misses::are_ready)
    }

    /// Retires what has to come again or `next` in lane 0, and as many behind as fit.
    #[inline]
    fn retire_group(&mut self, inputs: &mut Inputs<W>, stats: &mut Stats) {
        let again = if self.again.is_empty() { 0 } else { self.again.show(&mut inputs.lanes) };
        let mut count = again;
        for lane in inputs.lanes.iter_mut().take(self.lanes).skip(again) {
            if count > 0 && (!self.peek() || self.is_elsewhere(inputs.mode) || self.misses > self.beside) {
                break;
            }
            self.show(lane);
            count += 1;
            self.ready = false;
            self.shown = 0;
        }
        stats.instructions += count as u64;
        stats.ring3_instructions += if inputs.mode.ring3() { count as u64 } else { 0 };
    }

    /// Shows the next two missing loads of an instruction that has more than fit into its lane.
    fn show_part(&mut self, inputs: &mut Inputs<W>) {
        inputs.partial = true;
        self.show(&mut inputs.lanes[0]);
        self.shown += LOAD_PORTS;
    }

    /// Makes sure that `next` holds an instruction, if there is one left.
    #[inline]
    fn peek(&mut self) -> bool {
        if self.ready || self.ended {
            return self.ready;
        }
        match self.instructions.next(&mut self.next) {
            Ok(ready) => self.ready = ready,
            Err(failure) => self.failure = Some(failure),
        }
        self.ended = !self.ready;
        // A session is in 64-bit mode.
        let op_mode = self.next.op_mode.map_or(OpMode::Long64, |mode| OpMode::from_code(mode as u8));
        self.mode = Mode { cpl: self.next.cpl, smm: self.next.smm, op_mode };
        self.misses = self.next.loads.iter().filter(|load| load.miss).count();
        (self.shown, self.position) = (0, 0);
        self.ready
    }

    /// Shows `next` in an empty lane, with as many of its missing loads as there are ports.
    #[inline]
    fn show(&mut self, lane: &mut Lane) {
        lane.valid = true;
        lane.counts = self.next.flags.rep.counts();
        lane.ip = self.next.ip;
        if let Some(branch) = &self.next.branch {
            lane.branch_kind = branch_kind(branch.kind);
            lane.branch_taken = branch.taken;
            lane.branch_next = branch.next;
            lane.branch_pred_valid = branch.predicted.is_some();
            lane.branch_pred_ok = branch.predicted == Some(true);
        }
        if self.misses > 0 {
            self.fill_ports(&mut lane.loads);
        }
    }

    /// An instruction may have many loads; only those that missed are the unit's business.
    fn fill_ports(&mut self, ports: &mut [Load; LOAD_PORTS]) {
        let (limit, keeps) = (self.latency_limit, self.keeps);
        let mut ports = ports.iter_mut().enumerate();
        for load in &self.next.loads[self.position..] {
            if load.miss {
                let Some((number, port)) = ports.next() else { break };
                port.miss = true;
                port.addr_valid = keeps && load.addr.is_some();
                port.addr = if keeps { load.miss_addr().unwrap_or(0) } else { 0 };
                port.latency = load.latency.min(limit);
                port.source = load.source & 7;
                if let Some(outstanding) = &self.outstanding {
                    outstanding.show(number, port);
                }
            }
            self.position += 1;
        }
        if let Some(outstanding) = &mut self.outstanding {
            outstanding.shown();
        }
    }
}

#[inline]
const fn branch_kind(kind: trace::BranchKind) -> BranchKind {
    match kind {
        trace::BranchKind::Jmp => BranchKind::Jmp,
        trace::BranchKind::Jcc => BranchKind::Jcc,
        trace::BranchKind::JmpInd => BranchKind::JmpInd,
        trace::BranchKind::Call => BranchKind::Call,
        trace::BranchKind::CallInd => BranchKind::CallInd,
        trace::BranchKind::Ret => BranchKind::Ret,
        trace::BranchKind::FarJmp => BranchKind::FarJmp,
        trace::BranchKind::FarCall => BranchKind::FarCall,
        trace::BranchKind::FarRet => BranchKind::FarRet,
        trace::BranchKind::System => BranchKind::System,
    }
}

#[cfg(test)]
mod tests;
