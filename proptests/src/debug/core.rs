//! A core that keeps to the rules of the ports, beside the model.

use super::program::{FAR, Group, Handler, Mov, Step};
use crate::lockstep::UnitCycle;
use lwp_model::debug::{Ask, Config, DbClass, DebugUnit, Inputs, Interrupted, Lane, LaneKind, Outputs};
use lwp_model::retire::{
    Branch, BranchKind, IntKind, Mode, OpMode, RegOp, RegRequest, RegResult, Rep, Retired, Transaction,
};
use lwp_model::{Moore, Unit};

/// A core and the unit beside it.
pub(super) struct Core<const LANES: usize, const ACCESSES: usize> {
    unit: DebugUnit<LANES, ACCESSES>,
    cycles: Vec<UnitCycle<Inputs<LANES>>>,
    /// Mode and control bits.
    stays: Inputs<LANES>,
    /// The mode that RSM restores, in SMM.
    interrupted: Option<Mode>,
    /// Address of the repeated string instruction in progress.
    string: Option<u64>,
    /// Address of one that an interruption has ended, and that may go on.
    resumes: Option<u64>,
    /// The last instruction was inside a region.
    region: bool,
    /// A handler begins, with TF = 0.
    entered: bool,
}

impl<const LANES: usize, const ACCESSES: usize> Core<LANES, ACCESSES>
where
    DebugUnit<LANES, ACCESSES>: Moore<Inputs = Inputs<LANES>, Outputs = Outputs> + Unit,
{
    /// Returns a core in reset.
    pub(super) fn new(straps: Config) -> Self {
        let unit = DebugUnit::new(straps).unwrap_or_else(|_| panic!("illegal straps: {straps:?}"));
        let mode = Mode { cpl: 0, smm: false, op_mode: OpMode::Long64 };
        let mut core = Self {
            unit,
            cycles: Vec::new(),
            stays: Inputs { mode, de: true, ..Inputs::default() },
            interrupted: None,
            string: None,
            resumes: None,
            region: false,
            entered: false,
        };
        core.reset();
        core
    }

    /// The cycles that were shown, and one more in which nothing happens.
    pub(super) fn into_cycles(mut self) -> Vec<UnitCycle<Inputs<LANES>>> {
        self.rest();
        self.cycles
    }

    /// Does a step, as far as the rules allow it.
    pub(super) fn step(&mut self, step: Step) {
        match step {
            Step::Group(group) => self.group(group),
            Step::Mov(mov) if self.string.is_none() => self.mov(&mov),
            Step::Interrupt(int) => self.interrupt(int),
            // String instructions and regions stay in one mode.
            Step::Mode(mode, [de, btf, rtm_debug]) if self.string.is_none() && !self.region => {
                let smm = self.interrupted.is_some();
                self.stays = Inputs { mode: Mode { smm, ..mode }, de, btf, rtm_debug, ..Inputs::default() };
                self.rest();
            }
            Step::Mov(_) | Step::Mode(..) | Step::Rest => {
                self.rest();
            }
            Step::Reset => self.reset(),
        }
    }

    fn reset(&mut self) {
        self.cycles.push(UnitCycle { reset: true, inputs: Inputs::default() });
        self.unit.reset();
        self.stays.mode.smm = false;
        (self.interrupted, self.string, self.resumes, self.region, self.entered) = (None, None, None, false, false);
    }

    /// Shows a cycle, and returns the outputs of the next one.
    fn cycle(&mut self, inputs: Inputs<LANES>) -> Outputs {
        let Inputs { mode, de, btf, rtm_debug, .. } = self.stays;
        let inputs = Inputs { mode, de, btf, rtm_debug, ..inputs };
        self.cycles.push(UnitCycle { reset: false, inputs });
        self.unit.step(&inputs);
        self.unit.outputs()
    }

    fn rest(&mut self) -> Outputs {
        self.cycle(Inputs::default())
    }

    /// Instructions, and again what the unit cut off.
    fn group(&mut self, group: Group) {
        let Group { lanes, mut io, parts, asks, handler } = group;
        let mut lanes = self.legal(lanes, io.valid);
        // One time too many ends elsewhere: a breakpoint that RF does not silence would come for ever.
        for _ in 0..4 {
            let Some(first) = lanes.first().copied() else { return };
            io.valid &= !first.transaction.tx_abort;
            if (asks || io.valid) && self.string.is_none() && !first.transaction.tx_abort {
                let (ip, in_tx) = (first.retired.ip, first.transaction.in_tx);
                let out = self.cycle(Inputs { ask: Ask { valid: true, in_tx, ip }, ..Inputs::default() });
                if out.db_valid {
                    if !self.debug(handler, ip) {
                        return;
                    }
                    lanes = self.legal(lanes, io.valid);
                    continue;
                }
            }
            for part in &parts {
                let shown = [Lane { accesses: part.accesses, ..first }; LANES];
                self.cycle(Inputs { partial: true, lanes: shown, ..Inputs::default() });
            }
            let shown = core::array::from_fn(|at| lanes.get(at).copied().unwrap_or_default());
            let out = self.cycle(Inputs { lanes: shown, io, ..Inputs::default() });
            let accepted =
                if out.cut_valid { usize::from(out.cut_lane) + usize::from(!out.cut_before) } else { lanes.len() };
            let left = lanes.split_off(accepted);
            lanes.iter().for_each(|lane| self.accept(lane));
            let next = left.first().map_or(handler.next, |lane| lane.retired.ip);
            if !out.db_valid || !self.debug(handler, next) {
                return;
            }
            lanes = self.legal(left, io.valid);
        }
    }

    /// Returns the lanes as an instruction stream may show them.
    fn legal(&self, mut lanes: Vec<Lane>, io: bool) -> Vec<Lane> {
        let (mut string, mut region, mut handler) = (self.string, self.region, self.entered);
        let mut last = false;
        if io {
            lanes.truncate(1);
        }
        lanes.retain_mut(|lane| {
            if last {
                return false;
            }
            legalise(lane, string, self.resumes, region);
            lane.flags.tf &= !handler;
            handler = matches!(lane.debug.kind, LaneKind::IntN | LaneKind::Int3);
            last = lane.debug.kind == LaneKind::TaskSwitch;
            string = continues(lane);
            region = lane.transaction.in_tx;
            true
        });
        lanes
    }

    /// A lane that the unit accepted.
    fn accept(&mut self, lane: &Lane) {
        self.string = continues(lane);
        self.region = lane.transaction.in_tx;
        self.resumes = None;
        self.entered = matches!(lane.debug.kind, LaneKind::IntN | LaneKind::Int3);
    }

    /// Does what a pending request says, before the instruction at `from`. Returns whether the core comes back to what was cut off.
    fn debug(&mut self, handler: Handler, from: u64) -> bool {
        for _ in 0..handler.waits {
            self.rest();
        }
        let class = self.unit.outputs().db_class;
        let exception = Interrupted { valid: true, kind: IntKind::Exception, from, ..Interrupted::default() };
        match class {
            DbClass::Abort => {
                self.cycle(Inputs { db_ack: true, ..Inputs::default() });
                self.abort(handler.next);
                return true;
            }
            DbClass::Trap | DbClass::Fault if handler.lost => {
                // #MC in a region aborts it; nothing retires before it, so that the lane comes behind it.
                self.deliver(Interrupted { trap: true, ..exception }, false);
                return false;
            }
            DbClass::Trap | DbClass::Fault | DbClass::Rollback => {
                let from = if class == DbClass::Rollback { handler.next } else { from };
                let [rf, t] = handler.gate.unwrap_or_default();
                let (task, trap) = (handler.gate.is_some(), class == DbClass::Trap);
                self.deliver(Interrupted { from, trap, task, rf, t, ..exception }, true);
            }
        }
        // T of a task that the gate entered.
        if self.unit.outputs().db_valid {
            let next = Handler { gate: None, lost: false, ..handler };
            self.deliver(Interrupted { trap: true, from: next.next, ..exception }, true);
        }
        if handler.reads && self.stays.mode.op_mode.level(self.stays.mode.cpl) == 0 {
            let back = Handler { reads: false, back: None, ..handler };
            self.mov(&Mov { op: RegOp::ReadDr, number: 6, wdata: 0, ip: FAR, handler: back });
        }
        let Some(rf_image) = handler.back else { return false };
        let mut iret = Lane { retired: Retired { valid: true, counts: true, ip: FAR }, ..Lane::default() };
        iret.branch = Branch { kind: BranchKind::System, taken: true, next: from, ..Branch::default() };
        (iret.debug.kind, iret.debug.rf_image) = (LaneKind::Iret, rf_image);
        let mut shown = [Lane::default(); LANES];
        shown[0] = iret;
        let out = self.cycle(Inputs { lanes: shown, ..Inputs::default() });
        if out.db_valid {
            // A breakpoint at the handler's own instruction.
            self.deliver(Interrupted { from: FAR, trap: out.db_class == DbClass::Trap, ..exception }, true);
            return false;
        }
        self.entered = false;
        true
    }

    /// An interruption, with the acknowledgement of the pending request if it is its delivery.
    fn deliver(&mut self, int: Interrupted, db_ack: bool) {
        self.cycle(Inputs { int, db_ack, ..Inputs::default() });
        self.resumes = self.string.take();
        (self.region, self.entered) = (false, true);
        // Nothing retires in the next cycle.
        self.rest();
    }

    /// The lane that ends a region.
    fn abort(&mut self, ip: u64) {
        let mut shown = [Lane::default(); LANES];
        shown[0].retired = Retired { valid: true, counts: true, ip };
        legalise_abort(&mut shown[0]);
        self.cycle(Inputs { lanes: shown, ..Inputs::default() });
        (self.region, self.string, self.resumes) = (false, None, None);
    }

    /// An interruption that the program did not ask for.
    fn interrupt(&mut self, int: Interrupted) {
        let exception = int.kind == IntKind::Exception;
        let smm = self.interrupted;
        let may = match int.kind {
            IntKind::Exception => true,
            IntKind::Smi => smm.is_none(),
            IntKind::Rsm => smm.is_some() && self.string.is_none(),
            _ => true,
        };
        if !int.valid || !may || self.unit.outputs().hold && !exception {
            self.rest();
            return;
        }
        let handler = Handler { waits: 0, lost: false, gate: None, next: int.from, reads: true, back: None };
        let from = self.string.unwrap_or(int.from);
        // A fault of an instruction: a breakpoint at it comes first.
        if exception && !int.trap && self.string.is_none() {
            let ask = Ask { valid: true, in_tx: self.region, ip: from };
            if self.cycle(Inputs { ask, ..Inputs::default() }).db_valid {
                self.debug(handler, from);
                return;
            }
        }
        if self.region {
            self.abort(from);
        }
        let system = matches!(int.kind, IntKind::Smi | IntKind::Rsm);
        let int = Interrupted { from, task: int.task && !system, ..int };
        self.cycle(Inputs { int, ..Inputs::default() });
        self.resumes = self.string.take();
        self.entered = !system;
        match int.kind {
            IntKind::Smi => {
                self.interrupted = Some(self.stays.mode);
                self.stays.mode.smm = true;
            }
            IntKind::Rsm => self.stays.mode = self.interrupted.take().unwrap_or_default(),
            _ => (),
        }
        self.rest();
        // T of a task that a gate entered.
        if self.unit.outputs().db_valid {
            self.debug(handler, int.from);
        }
    }

    /// A MOV: the question, the request, and what the answer says.
    fn mov(&mut self, mov: &Mov) {
        let Mov { op, number, wdata, ip, handler } = *mov;
        let in_tx = self.region;
        let ask = Ask { valid: true, in_tx, ip };
        if self.cycle(Inputs { ask, ..Inputs::default() }).db_valid {
            self.debug(handler, ip);
            return;
        }
        let reg = RegRequest { valid: true, op, lp: 0, number, wdata };
        let out = self.cycle(Inputs { ask: Ask { in_tx, ..Ask::default() }, reg, ..Inputs::default() });
        match out.reg_result {
            RegResult::Done => {
                let mut shown = [Lane::default(); LANES];
                shown[0].retired = Retired { valid: true, counts: true, ip };
                shown[0].transaction.in_tx = in_tx;
                let out = self.cycle(Inputs { lanes: shown, ..Inputs::default() });
                self.accept(&shown[0]);
                if out.db_valid {
                    self.debug(handler, handler.next);
                }
            }
            RegResult::Debug => {
                self.debug(handler, ip);
            }
            _ => {
                if in_tx {
                    self.abort(ip);
                }
                let int = Interrupted { valid: true, kind: IntKind::Exception, from: ip, ..Interrupted::default() };
                self.deliver(int, false);
            }
        }
    }
}

/// Address of the string instruction that this lane is an iteration of, if it is not the last one.
fn continues(lane: &Lane) -> Option<u64> {
    matches!(lane.flags.rep, Rep::First | Rep::Further).then_some(lane.retired.ip)
}

/// Makes a lane one that an instruction stream may show behind this one.
fn legalise(lane: &mut Lane, string: Option<u64>, resumes: Option<u64>, region: bool) {
    lane.retired.valid = true;
    if lane.transaction.tx_abort && region {
        legalise_abort(lane);
        return;
    }
    lane.transaction.tx_abort = false;
    if let Some(ip) = string {
        lane.retired.ip = ip;
        lane.flags.rep = if lane.flags.rep == Rep::Last { Rep::Last } else { Rep::Further };
        // The region of an iteration is that of the others.
        lane.transaction.in_tx = region;
    } else if lane.flags.rep == Rep::Further {
        match resumes {
            Some(ip) => lane.retired.ip = ip,
            None => lane.flags.rep = Rep::First,
        }
    }
    if lane.flags.rep != Rep::None {
        (lane.debug.kind, lane.flags.ss_load) = (LaneKind::Other, false);
    }
    let in_tx = lane.transaction.in_tx;
    lane.debug.kind = match lane.debug.kind {
        LaneKind::IntN | LaneKind::Iret | LaneKind::TaskSwitch if in_tx => LaneKind::Other,
        LaneKind::Unused6 | LaneKind::Unused7 => LaneKind::Other,
        kind => kind,
    };
    if lane.debug.kind != LaneKind::Other {
        lane.flags.ss_load = false;
    }
    lane.retired.counts = lane.flags.rep.counts();
    let ip = lane.retired.ip;
    match lane.debug.kind {
        LaneKind::IntN | LaneKind::Int3 | LaneKind::Iret | LaneKind::TaskSwitch => {
            lane.branch = Branch { kind: BranchKind::System, taken: true, next: FAR, ..Branch::default() };
        }
        LaneKind::Int1 => lane.branch = Branch::default(),
        _ if lane.flags.rep != Rep::None => lane.branch = Branch::default(),
        _ => {
            let Branch { kind, taken, .. } = lane.branch;
            let may = matches!(kind, BranchKind::None | BranchKind::Cond);
            lane.branch.taken = if may { taken && kind == BranchKind::Cond } else { true };
            lane.branch.next = ip.wrapping_add(2);
        }
    }
}

/// Makes a lane the one that ends a region.
fn legalise_abort(lane: &mut Lane) {
    let ip = lane.retired.ip;
    *lane = Lane {
        retired: Retired { valid: true, counts: true, ip },
        branch: Branch { kind: BranchKind::System, taken: true, next: FAR, ..Branch::default() },
        transaction: Transaction { in_tx: false, tx_abort: true },
        ..Lane::default()
    };
}
