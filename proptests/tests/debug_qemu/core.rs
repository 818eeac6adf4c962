//! A core that runs a scenario with a debug unit, by the rules of the unit's ports, and reports what the kernel reports.

use super::list::{At, CODE, END, Frame, Handler, INTERRUPT, Line, MOST_LINES, Scenario};
use super::program::{Effect, Shown, State};
use lwp_model::debug::{Ask, Config, DbClass, DebugUnit, Inputs, Interrupted, Lane, LaneKind, Outputs};
use lwp_model::retire::{IntKind, Io, Mode, OpMode, RegOp, RegRequest, RegResult, Retired};
use lwp_model::{Moore, Unit};
use lwp_regs::debug::{Dr6, Dr7, Eflags};
use proptests::lockstep::UnitCycle;

/// Where the handlers of the kernel are, for the unit.
const KERNEL: u64 = 0x10_0000;

/// How a core shows its instructions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Habit {
    /// It asks before each instruction, not only before those that cannot be undone.
    pub(super) asks: bool,
    /// It retires so many instructions in a cycle.
    pub(super) width: usize,
}

/// A core with a unit, in the middle of a scenario.
pub(super) struct Core<'s, const LANES: usize, const ACCESSES: usize> {
    unit: DebugUnit<LANES, ACCESSES>,
    cycles: Vec<UnitCycle<Inputs<LANES>>>,
    scenario: &'s Scenario,
    habit: Habit,
    mode: Mode,
    state: State,
    handler: Handler,
    lines: Vec<Line>,
    /// The external interrupt is pending.
    interrupt: bool,
}

/// What a core has done: its cycles, and the lines of the report.
pub(super) type Run<const LANES: usize> = (Vec<UnitCycle<Inputs<LANES>>>, Vec<Line>);

/// Runs a scenario.
pub(super) fn run<const LANES: usize, const ACCESSES: usize>(
    straps: Config,
    scenario: &Scenario,
    habit: Habit,
) -> Run<LANES>
where
    DebugUnit<LANES, ACCESSES>: Moore<Inputs = Inputs<LANES>, Outputs = Outputs> + Unit,
{
    let mut core = Core::<LANES, ACCESSES> {
        unit: DebugUnit::new(straps).expect("legal straps"),
        cycles: vec![UnitCycle { reset: true, inputs: Inputs::default() }],
        scenario,
        habit,
        mode: Mode { cpl: 0, smm: false, op_mode: OpMode::Long64 },
        state: State::new(scenario),
        handler: Handler::NEW,
        lines: Vec::new(),
        interrupt: scenario.interrupt,
    };
    core.begin();
    while !core.has_ended() {
        core.step();
    }
    core.cycle(Inputs::default());
    (core.cycles, core.lines)
}

impl<const LANES: usize, const ACCESSES: usize> Core<'_, LANES, ACCESSES> {
    fn has_ended(&self) -> bool {
        matches!(self.lines.last(), Some(Line::End { .. } | Line::Limit))
    }

    /// Shows a cycle, and returns the outputs of the next one.
    fn cycle(&mut self, inputs: Inputs<LANES>) -> Outputs {
        let inputs = Inputs { mode: self.mode, de: self.scenario.extensions, ..inputs };
        self.cycles.push(UnitCycle { reset: false, inputs });
        self.unit.step(&inputs);
        self.unit.outputs()
    }

    /// Changes the privilege level, which takes a cycle.
    fn set_level(&mut self, cpl: u8) {
        self.mode.cpl = cpl;
        self.cycle(Inputs::default());
    }

    /// The kernel sets the breakpoints and enters the program.
    fn begin(&mut self) {
        let [dr0, dr1, dr2, dr3] = self.scenario.addresses();
        let values = [dr0, dr1, dr2, dr3, self.scenario.status, self.scenario.control().into_bits()];
        for (number, value) in [0, 1, 2, 3, 6, 7].into_iter().zip(values) {
            self.kernel_mov(RegOp::WriteDr, number, value);
        }
        self.iret(self.scenario.image.rf);
        if self.scenario.user {
            self.set_level(3);
        }
    }

    /// One instruction, a group of them, or what comes before.
    fn step(&mut self) {
        let State { interrupts, blocked, .. } = self.state;
        if self.interrupt && interrupts && !blocked && !self.unit.outputs().hold {
            self.interrupt = false;
            self.interruption(IntKind::Interrupt, INTERRUPT);
            return;
        }
        match self.state.effect(self.scenario) {
            Effect::Retires(shown) => self.group(shown),
            Effect::Faults(vector) => {
                if self.may_execute() {
                    self.interruption(IntKind::Exception, vector);
                }
            }
            Effect::Moves(to, number) => self.mov(to, number),
        }
    }

    /// Asks before the next instruction. An instruction breakpoint is delivered.
    fn may_execute(&mut self) -> bool {
        let ip = self.scenario.address(self.state.index);
        let out = self.cycle(Inputs { ask: Ask { valid: true, in_tx: false, ip }, ..Inputs::default() });
        assert!(out.ask_done, "no answer");
        if out.db_valid {
            self.debug(At::Code(ip - CODE));
        }
        !out.db_valid
    }

    /// Retires instructions, the first of which is `first`.
    fn group(&mut self, first: Shown) {
        if (self.habit.asks || first.io.is_some()) && !self.state.continues && !self.may_execute() {
            return;
        }
        let io = first.io.unwrap_or_default();
        let group = self.lanes_from(first);
        let hidden = group[0].accesses.len().saturating_sub(ACCESSES);
        for part in group[0].accesses[..hidden].chunks(ACCESSES) {
            let mut inputs = Inputs { partial: true, ..Inputs::default() };
            inputs.lanes[0] = group[0].lane;
            inputs.lanes[0].accesses[..part.len()].copy_from_slice(part);
            self.cycle(inputs);
        }
        let mut inputs = Inputs { io, ..Inputs::default() };
        for (lane, shown) in inputs.lanes.iter_mut().zip(&group) {
            *lane = shown.lane;
            let accesses = &shown.accesses[shown.accesses.len().saturating_sub(ACCESSES)..];
            lane.accesses[..accesses.len()].copy_from_slice(accesses);
        }
        let out = self.cycle(inputs);
        let accepted =
            if out.cut_valid { usize::from(out.cut_lane) + usize::from(!out.cut_before) } else { group.len() };
        if let Some(last) = accepted.checked_sub(1) {
            self.state = group[last].next;
        }
        // A software interrupt pushes RF as it is once its instruction has retired.
        let rf = self.unit.state().flags.rf;
        if self.state.entered.is_some() && self.mode.cpl != 0 {
            self.set_level(0);
        }
        if out.db_valid {
            self.debug(self.at());
        }
        if let Some(vector) = self.state.entered.filter(|_| !self.has_ended()) {
            self.software(vector, rf);
        }
    }

    /// The instructions that retire together.
    fn lanes_from(&self, first: Shown) -> Vec<Shown> {
        let mut group = vec![first];
        while group.len() < self.habit.width.min(LANES) {
            let last = group.last().expect("the first");
            let State { interrupts, blocked, entered, .. } = last.next;
            if last.io.is_some() || entered.is_some() || self.interrupt && interrupts && !blocked {
                break;
            }
            match last.next.effect(self.scenario) {
                Effect::Retires(shown) if shown.io.is_none() && shown.accesses.len() <= ACCESSES => group.push(shown),
                _ => break,
            }
        }
        group
    }

    /// Where the program is.
    fn at(&self) -> At {
        self.state.entered.map_or_else(|| At::Code(self.scenario.address(self.state.index) - CODE), At::Entry)
    }

    /// The address for the unit.
    fn address(at: At) -> u64 {
        match at {
            At::Code(offset) => CODE + offset,
            At::Entry(vector) => KERNEL + 16 * u64::from(vector),
            At::Kernel => KERNEL,
        }
    }

    /// Delivers the pending #DB.
    fn debug(&mut self, at: At) {
        let trap = self.unit.outputs().db_class == DbClass::Trap;
        let from = Self::address(at);
        let int = Interrupted { valid: true, kind: IntKind::Exception, from, trap, ..Interrupted::default() };
        let rf = self.cycle(Inputs { int, db_ack: true, ..Inputs::default() }).frame_rf;
        self.state = self.state.interrupted();
        let level = self.mode.cpl;
        self.set_level(0);
        let own = matches!(at, At::Code(_));
        let tf = own && self.state.tf;
        if self.interrupt && self.scenario.trap_gate && own && self.state.interrupts {
            self.interrupt = false;
            self.nested();
        }
        let [dr6, dr7] = [6, 7].map(|number| self.kernel_mov(RegOp::ReadDr, number, 0));
        if !self.keep(Line::Debug { at, rf, tf, dr6, dr7 }) {
            return;
        }
        let flags = Eflags::from_bits(0).with_rf(rf).with_tf(tf);
        let mut frame = Frame { ip: from, flags };
        let mut handler = self.handler;
        let writes = handler.debug(self.scenario, &mut frame, Dr6::from_bits(dr6), Dr7::from_bits(dr7));
        self.handler = handler;
        for (number, value) in [(6, writes.dr6), (7, writes.dr7)] {
            if let Some(value) = value {
                self.kernel_mov(RegOp::WriteDr, number, value);
            }
        }
        self.back(level, frame, own);
    }

    /// The external interrupt before the first instruction of the handler of #DB.
    fn nested(&mut self) {
        let at = At::Entry(1);
        let from = Self::address(at);
        let int = Interrupted { valid: true, kind: IntKind::Interrupt, from, ..Interrupted::default() };
        let rf = self.cycle(Inputs { int, ..Inputs::default() }).frame_rf;
        self.set_level(0);
        if self.keep(Line::Other { vector: INTERRUPT, at, rf, tf: false }) {
            self.iret(rf);
        }
    }

    /// An exception that the next instruction raises, or an interrupt before it.
    fn interruption(&mut self, kind: IntKind, vector: u8) {
        let from = self.scenario.address(self.state.index);
        let int = Interrupted { valid: true, kind, from, ..Interrupted::default() };
        let rf = self.cycle(Inputs { int, ..Inputs::default() }).frame_rf;
        self.state = self.state.interrupted();
        let level = self.mode.cpl;
        self.set_level(0);
        self.other(level, At::Code(from - CODE), rf, vector);
    }

    /// The handler of a software interrupt, which has been entered.
    fn software(&mut self, vector: u8, rf: bool) {
        self.state.entered = None;
        if vector == END {
            let [dr6, dr7] = [6, 7].map(|number| self.kernel_mov(RegOp::ReadDr, number, 0));
            if !self.has_ended() {
                self.lines.push(Line::End { dr6, dr7 });
            }
            return;
        }
        let level = if self.scenario.user { 3 } else { 0 };
        self.other(level, self.at(), rf, vector);
    }

    /// The handler of another vector than that of #DB.
    fn other(&mut self, level: u8, at: At, rf: bool, vector: u8) {
        let tf = self.state.tf;
        if !self.keep(Line::Other { vector, at, rf, tf }) {
            return;
        }
        let flags = Eflags::from_bits(0).with_rf(rf).with_tf(tf);
        let mut frame = Frame { ip: Self::address(at), flags };
        if self.handler.other(self.scenario, &mut frame, vector).is_some() {
            self.state.spoiled = false;
        }
        self.back(level, frame, true);
    }

    /// The handler returns, to the program or to another handler.
    fn back(&mut self, level: u8, frame: Frame, to_program: bool) {
        self.iret(frame.flags.rf());
        if to_program {
            self.state.tf = frame.flags.tf();
            self.state.index = self.scenario.at(frame.ip).expect("an instruction of the program");
        }
        if level != self.mode.cpl {
            self.set_level(level);
        }
    }

    /// Keeps a line, if there is room.
    fn keep(&mut self, line: Line) -> bool {
        if self.has_ended() {
            return false;
        }
        let free = self.lines.len() < MOST_LINES;
        self.lines.push(if free { line } else { Line::Limit });
        free
    }

    /// An IRET of the kernel.
    fn iret(&mut self, rf: bool) {
        let mut iret = lane(KERNEL + 0x1000);
        (iret.debug.kind, iret.debug.rf_image) = (LaneKind::Iret, rf);
        let out = self.retire(iret);
        assert!(!out.db_valid, "a #DB in the kernel");
    }

    /// Retires one instruction without I/O.
    fn retire(&mut self, lane: Lane) -> Outputs {
        let mut inputs = Inputs { io: Io::default(), ..Inputs::default() };
        inputs.lanes[0] = lane;
        self.cycle(inputs)
    }

    /// The answer to a MOV at `ip`, which has been asked for.
    fn request(&mut self, op: RegOp, number: u32, wdata: u64) -> (RegResult, u64) {
        let reg = RegRequest { valid: true, op, lp: 0, number, wdata };
        let out = self.cycle(Inputs { reg, ..Inputs::default() });
        assert!(out.reg_done, "no answer");
        (out.reg_result, out.reg_rdata)
    }

    /// A MOV of the kernel; again behind a general detect.
    fn kernel_mov(&mut self, op: RegOp, number: u32, value: u64) -> u64 {
        let ip = KERNEL + 0x2000;
        while !self.has_ended() {
            let out = self.cycle(Inputs { ask: Ask { valid: true, in_tx: false, ip }, ..Inputs::default() });
            assert!(!out.db_valid, "a #DB in the kernel");
            match self.request(op, number, value) {
                (RegResult::Done, value) => {
                    self.retire(lane(ip));
                    return value;
                }
                (RegResult::Debug, _) => self.debug(At::Kernel),
                other => panic!("the kernel may access its debug registers: {other:?}"),
            }
        }
        0
    }

    /// A MOV of the program.
    fn mov(&mut self, to: bool, number: u8) {
        if !self.may_execute() {
            return;
        }
        let op = if to { RegOp::WriteDr } else { RegOp::ReadDr };
        let (result, _) = self.request(op, number.into(), self.state.value);
        match result {
            RegResult::Done => {
                let shown = self.state.plain(self.scenario);
                let out = self.retire(shown.lane);
                self.state = shown.next;
                if out.db_valid {
                    self.debug(self.at());
                }
            }
            RegResult::Debug => self.debug(self.at()),
            RegResult::InvalidOpcode => self.interruption(IntKind::Exception, 6),
            RegResult::GeneralProtection => self.interruption(IntKind::Exception, 13),
            other => panic!("{other:?}"),
        }
    }
}

fn lane(ip: u64) -> Lane {
    Lane { retired: Retired { valid: true, counts: true, ip }, ..Lane::default() }
}
