//! Programs of two tasks: with the debug unit, and with a processor without time.

use super::differences::{Difference, Differences};
use super::list::tasks::{NOPS, Step, TaskScenario, Way};
use super::list::{At, CODE, Line};
use lwp_model::debug::{Ask, Config, DbClass, DebugUnit, Inputs, Interrupted, Lane, LaneKind, Outputs};
use lwp_model::retire::{IntKind, Mode, OpMode, RegOp, RegRequest, RegResult, Retired};
use lwp_model::{Moore, Unit};
use lwp_regs::debug::{Dr6, Dr7, Slot};
use proptests::lockstep::UnitCycle;

/// Where the kernel is, for the unit.
const KERNEL: u64 = 0x10_0000;

/// The instructions in the order in which they are executed.
fn instructions() -> Vec<u64> {
    let first = (0..=NOPS).map(Step::First);
    first.chain((0..=NOPS).map(Step::Second)).map(TaskScenario::address).collect()
}

/// A core with a unit.
struct Core<const LANES: usize, const ACCESSES: usize> {
    unit: DebugUnit<LANES, ACCESSES>,
    cycles: Vec<UnitCycle<Inputs<LANES>>>,
    lines: Vec<Line>,
}

/// Runs a scenario with the unit: the cycles, and the lines of the report.
pub(super) fn run<const LANES: usize, const ACCESSES: usize>(
    straps: Config,
    scenario: &TaskScenario,
) -> (Vec<UnitCycle<Inputs<LANES>>>, Vec<Line>)
where
    DebugUnit<LANES, ACCESSES>: Moore<Inputs = Inputs<LANES>, Outputs = Outputs> + Unit,
{
    let mut core = Core::<LANES, ACCESSES> {
        unit: DebugUnit::new(straps).expect("legal straps"),
        cycles: vec![UnitCycle { reset: true, inputs: Inputs::default() }],
        lines: Vec::new(),
    };
    core.program(scenario);
    (core.cycles, core.lines)
}

impl<const LANES: usize, const ACCESSES: usize> Core<LANES, ACCESSES> {
    /// Shows a cycle in 32-bit protected mode at level 0, and returns the outputs of the next one.
    fn cycle(&mut self, inputs: Inputs<LANES>) -> Outputs {
        let mode = Mode { cpl: 0, smm: false, op_mode: OpMode::Protected };
        let inputs = Inputs { mode, de: true, ..inputs };
        self.cycles.push(UnitCycle { reset: false, inputs });
        self.unit.step(&inputs);
        self.unit.outputs()
    }

    /// Asks before the instruction at `ip`. Returns whether it may be executed.
    fn ask(&mut self, ip: u64) -> bool {
        !self.cycle(Inputs { ask: Ask { valid: true, in_tx: false, ip }, ..Inputs::default() }).db_valid
    }

    /// Retires an instruction. Returns whether a trap follows.
    fn retire(&mut self, lane: Lane) -> bool {
        let mut inputs = Inputs::default();
        inputs.lanes[0] = lane;
        self.cycle(inputs).db_valid
    }

    /// A MOV of the kernel.
    fn mov(&mut self, op: RegOp, number: u32, wdata: u64) -> u64 {
        assert!(self.ask(KERNEL));
        let reg = RegRequest { valid: true, op, lp: 0, number, wdata };
        let out = self.cycle(Inputs { reg, ..Inputs::default() });
        assert_eq!((out.reg_done, out.reg_result), (true, RegResult::Done));
        assert!(!self.retire(lane(KERNEL)));
        out.reg_rdata
    }

    fn iret(&mut self, rf: bool) {
        let mut iret = lane(KERNEL);
        (iret.debug.kind, iret.debug.rf_image) = (LaneKind::Iret, rf);
        assert!(!self.retire(iret));
    }

    fn program(&mut self, scenario: &TaskScenario) {
        let [dr0, dr1, dr2, dr3] = scenario.addresses();
        let values = [dr0, dr1, dr2, dr3, 0xFFFF_0FF0, scenario.control().into_bits()];
        for (number, value) in [0, 1, 2, 3, 6, 7].into_iter().zip(values) {
            self.mov(RegOp::WriteDr, number, value);
        }
        let [first, second] = scenario.images;
        self.iret(first.rf);
        let instructions = instructions();
        let (mut index, mut tf) = (0, first.tf);
        while let Some(ip) = instructions.get(index) {
            if !self.ask(*ip) {
                self.debug(*ip, tf);
                continue;
            }
            let mut shown = lane(*ip);
            shown.flags.tf = tf;
            index += 1;
            if index as u64 == NOPS + 1 {
                shown.debug.kind = LaneKind::TaskSwitch;
                (shown.debug.rf_image, shown.debug.t_flag) = (second.rf, scenario.trap);
                tf = second.tf;
            } else if index == instructions.len() {
                shown.debug.kind = LaneKind::IntN;
            }
            if self.retire(shown) {
                self.debug(instructions[index], tf);
            }
        }
        let [dr6, dr7] = [6, 7].map(|number| self.mov(RegOp::ReadDr, number, 0));
        self.lines.push(Line::End { dr6, dr7 });
    }

    /// Delivers the pending #DB before the instruction at `from`, and handles it.
    fn debug(&mut self, from: u64, tf: bool) {
        let trap = self.unit.outputs().db_class == DbClass::Trap;
        let int = Interrupted { valid: true, kind: IntKind::Exception, from, trap, ..Interrupted::default() };
        let rf = self.cycle(Inputs { int, db_ack: true, ..Inputs::default() }).frame_rf;
        let [dr6, dr7] = [6, 7].map(|number| self.mov(RegOp::ReadDr, number, 0));
        self.lines.push(Line::Debug { at: At::Code(from - CODE), rf, tf, dr6, dr7 });
        self.mov(RegOp::WriteDr, 6, Dr6::RESET.into_bits());
        self.iret(rf || dr6 & 0xF != 0);
    }
}

fn lane(ip: u64) -> Lane {
    Lane { retired: Retired { valid: true, counts: true, ip }, ..Lane::default() }
}

/// What is reported by a processor with these differences.
pub(super) fn expected(scenario: &TaskScenario, differences: Differences) -> Vec<Line> {
    let instructions = instructions();
    let [first, second] = scenario.images;
    let (mut rf, mut tf, mut dr7) = (first.rf, first.tf, scenario.control());
    let fetch = |dr7: Dr7, ip| {
        let here = Slot::ALL.into_iter().filter(|slot| scenario.addresses()[slot.number()] == ip);
        let all = here.fold(0, |all, slot| all | 1 << slot.number());
        let on = all & u64::from(dr7.enabled().bits());
        [on, if differences.has(Difference::Off) { all & !on } else { 0 }]
    };
    let mut lines = Vec::new();
    let mut debug = |ip: u64, rf: bool, tf, bits: u64, dr7: Dr7| {
        let (at, dr7) = (At::Code(ip - CODE), dr7.into_bits());
        lines.push(Line::Debug { at, rf, tf, dr6: 0xFFFF_0FF0 | bits, dr7 });
        rf || bits & 0xF != 0
    };
    let mut index = 0;
    while let Some(ip) = instructions.get(index) {
        let [on, off] = fetch(dr7, *ip);
        if on != 0 && !rf {
            rf = debug(*ip, false, tf, on | off, dr7);
            continue;
        }
        index += 1;
        let switches = index as u64 == NOPS + 1;
        let steps_switch = differences.has(Difference::TaskStep) && scenario.way != Way::Gate;
        let stepped = tf && (!switches || steps_switch) && index < instructions.len();
        // QEMU clears RF behind an instruction that began with RF = 1, and with it what the switch has loaded.
        let loses = rf && differences.has(Difference::LateRf) && scenario.way != Way::Gate;
        rf = switches && second.rf && !loses;
        if switches {
            (tf, dr7) = (second.tf, dr7.after_task_switch());
        }
        let traps = switches && scenario.trap && !differences.has(Difference::TaskTrap);
        if stepped || traps {
            let next = instructions[index];
            let [on, off] = fetch(dr7, next);
            let merged = if differences.has(Difference::Merge) { on | off } else { 0 };
            rf = debug(next, rf, tf, u64::from(stepped) << 14 | u64::from(traps) << 15 | merged, dr7);
        }
    }
    lines.push(Line::End { dr6: Dr6::RESET.into_bits(), dr7: dr7.into_bits() });
    lines
}
