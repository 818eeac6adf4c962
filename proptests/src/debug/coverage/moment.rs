//! The bins that a cycle meets.

use super::crosses::Cover;
use crate::coverage::Bins;
use crate::debug::straps::FACTORS;
use lwp_model::debug::{Config, DbClass, Flags, Inputs, Lane, LaneKind, Outputs, State, Status};
use lwp_model::retire::{BranchKind, IntKind, OpMode, RegOp, RegResult, Rep};
use lwp_regs::debug::{Access, BreakpointSet, Dr7, Slot};
use recording::Recording;

/// A cycle out of reset, and the registers of the next one.
struct Moment<'a, const LANES: usize> {
    straps: &'a Config,
    inputs: &'a Inputs<LANES>,
    now: &'a State,
    next: &'a State,
}

/// Counts what a run of a unit with these straps meets, from power-up on.
pub fn sample<const LANES: usize>(
    straps: &Config,
    recording: &Recording<Inputs<LANES>, Outputs, State>,
    bins: &mut Bins,
) {
    let (mut values, mut first) = (Vec::with_capacity(FACTORS.len()), 0);
    for factor in FACTORS.iter() {
        values.push(first + factor.level(straps));
        first += factor.levels;
    }
    values.iter().for_each(|value| bins.hit(Cover::StrapValue, [*value]));
    for pair in recording.cycles.windows(2) {
        let [cycle, after] = pair else { continue };
        if !cycle.rst_n || !after.rst_n {
            continue;
        }
        let moment = Moment { straps, inputs: &cycle.inputs, now: &cycle.state, next: &after.state };
        moment.request(bins);
        moment.raised(&values, bins);
        if cycle.inputs.int.valid || cycle.state.request.db_valid {
            moment.delivery(bins);
        } else if let Some(lane) = moment.oldest() {
            moment.lane(lane, bins);
        } else if cycle.inputs.ask.valid && !cycle.inputs.partial {
            bins.hit(Cover::Question, [usize::from(after.state.request.db_valid), flag(cycle.state.flags)]);
        }
    }
}

/// The flag that keeps the next instruction from being checked.
fn flag(flags: Flags) -> usize {
    match flags {
        Flags { rf: true, .. } => 1,
        Flags { shadow: true, .. } => 2,
        Flags { in_rep: true, .. } => 3,
        Flags { passed: true, .. } => 4,
        Flags { .. } => 0,
    }
}

impl<const LANES: usize> Moment<'_, LANES> {
    /// The first lane that retires something, if it is lane 0 or those before it are empty.
    fn oldest(&self) -> Option<&Lane> {
        let lanes = self.inputs.lanes.iter().filter(|lane| lane.retired.valid);
        lanes.take(1).find(|lane| !(self.inputs.partial || self.straps.rtm && lane.transaction.tx_abort))
    }

    fn set(&self) -> BreakpointSet {
        BreakpointSet { addresses: self.now.registers.address, control: Dr7::from(self.now.registers.dr7) }
    }

    /// Counts a register request that is accepted.
    fn request(&self, bins: &mut Bins) {
        let (reg, answer) = (&self.inputs.reg, &self.next.answer);
        if !reg.valid || self.now.request.db_valid {
            return;
        }
        let operation = match reg.op {
            RegOp::ReadDr => 0,
            RegOp::WriteDr => 1,
            _ => 2,
        };
        let result = match answer.reg_result {
            RegResult::Done => 0,
            RegResult::InvalidOpcode => 1,
            RegResult::GeneralProtection => 2,
            RegResult::Debug => 3,
            _ => 4,
        };
        let register = match reg.number & 7 {
            0..=3 => 0,
            4 | 5 => 1,
            6 => 2,
            _ => 3,
        };
        bins.hit(Cover::Request, [operation, register, result]);
        if operation < 2 {
            let (de, gd) = (usize::from(self.inputs.de), usize::from(self.now.registers.dr7.gd));
            bins.hit(Cover::Access, [register, de, self.level(), gd]);
        }
    }

    fn level(&self) -> usize {
        let mode = self.inputs.mode;
        match mode.op_mode {
            _ if mode.smm => 6,
            OpMode::Real => 0,
            OpMode::Virtual8086 => 1,
            _ => 2 + usize::from(mode.cpl),
        }
    }

    /// Counts a request that was not pending before.
    fn raised(&self, values: &[usize], bins: &mut Bins) {
        let request = &self.next.request;
        if self.now.request.db_valid || !request.db_valid {
            return;
        }
        let class = request.db_class as usize;
        values.iter().for_each(|value| bins.hit(Cover::StrapClass, [*value, class]));
        let several = (request.db_b.bits().count_ones() as usize).min(2);
        let [bs, bt, bd] = [request.db_bs, request.db_bt, request.db_bd].map(usize::from);
        bins.hit(Cover::Causes, [class, several, bs, bt, bd]);
        let cut = &self.next.cut;
        if cut.cut_valid && cut.cut_lane < 4 {
            bins.hit(Cover::Cut, [usize::from(cut.cut_before), cut.cut_lane.into(), class]);
        }
    }

    /// Counts a delivery, and DR6 as it is written.
    fn delivery(&self, bins: &mut Bins) {
        let (int, request) = (&self.inputs.int, &self.now.request);
        let taken = request.db_valid && self.inputs.db_ack;
        if !taken && !int.valid {
            return;
        }
        let delivered = match (taken, request.db_class) {
            (true, DbClass::Trap) => 0,
            (true, DbClass::Fault) => 1,
            (true, DbClass::Rollback) => 2,
            (true, DbClass::Abort) if !int.valid => 9,
            _ => match int.kind.acts_as() {
                IntKind::Exception => 4 + usize::from(int.trap),
                IntKind::Nmi => 6,
                IntKind::Smi => 7,
                IntKind::Rsm => 8,
                _ => 3,
            },
        };
        let pending = if request.db_valid {
            1
        } else if self.now.held.hit.is_empty() {
            0
        } else {
            2
        };
        let frame = &self.next.frame;
        bins.hit(Cover::Delivery, [delivered, pending, usize::from(frame.frame_valid) + usize::from(frame.frame_rf)]);
        if delivered < 3 {
            let Status { b, bd, bs, bt, .. } = self.now.registers.dr6;
            let old = usize::from(!b.is_empty()) + 2 * usize::from(bd || bs || bt);
            bins.hit(Cover::Written, [self.straps.status as usize, old, request.db_class as usize]);
        }
    }

    /// Counts the oldest instruction of a group.
    fn lane(&self, lane: &Lane, bins: &mut Bins) {
        let flags = self.now.flags;
        let met = self.set().conditions(Access::Fetch { address: lane.retired.ip });
        let hit = !met.intersection(self.set().control.enabled()).is_empty();
        bins.hit(Cover::Before, [flag(flags), usize::from(hit)]);
        self.met(lane, bins);
        let first_cut = self.next.cut.cut_valid && self.is_first(self.next.cut.cut_lane);
        if first_cut && self.next.cut.cut_before {
            return;
        }
        let stepped = usize::from(first_cut && self.next.request.db_bs);
        let loads = usize::from(lane.flags.ss_load);
        if lane.flags.tf && loads == 0 {
            let branch = lane.branch.kind != BranchKind::None && lane.branch.taken;
            let btf = if self.inputs.btf { 1 + usize::from(branch) } else { 0 };
            bins.hit(Cover::Step, [lane.debug.kind as usize, btf, stepped]);
        }
        let single = self.inputs.lanes.iter().filter(|lane| lane.retired.valid).count() == 1;
        if single {
            let held = usize::from(!self.next.held.hit.is_empty());
            let (chain, shadow) = (usize::from(self.straps.ss_chain), usize::from(flags.shadow));
            bins.hit(Cover::Shadow, [chain, shadow, loads, held]);
            let group = usize::from(self.straps.string_group).min(3);
            let loads_none = lane.flags.rep == Rep::None || loads == 0;
            if loads_none && lane.debug.kind == LaneKind::Other {
                bins.hit(Cover::Repetition, [group, lane.flags.rep as usize, usize::from(flags.in_rep), held]);
            }
        }
    }

    /// Whether no lane below this one retires anything.
    fn is_first(&self, lane: u8) -> bool {
        self.inputs.lanes.iter().take(usize::from(lane)).all(|lane| !lane.retired.valid)
    }

    /// Counts the breakpoints whose condition the instruction or its first access meets.
    fn met(&self, lane: &Lane, bins: &mut Bins) {
        let set = self.set();
        let access = lane.accesses[0];
        let (address, bytes) = (access.addr, access.bytes().into());
        let data = if access.write { Access::Write { address, bytes } } else { Access::Read { address, bytes } };
        let io = Access::Io { port: self.inputs.io.port, bytes: self.inputs.io.ports().into() };
        let mut met = set.conditions(Access::Fetch { address: lane.retired.ip });
        if access.read || access.write {
            met |= set.conditions(data);
        }
        if self.inputs.io.valid && self.is_first(0) {
            met |= set.conditions(io);
        }
        for slot in met.slots() {
            bins.hit(Cover::Met, self.breakpoint(slot));
        }
    }

    fn breakpoint(&self, slot: Slot) -> [usize; 3] {
        let control = self.set().control;
        let (condition, length) = (control.condition(slot).into_bits(), control.length(slot).into_bits());
        [condition.into(), length.into(), control.enable(slot).bits().into()]
    }
}
