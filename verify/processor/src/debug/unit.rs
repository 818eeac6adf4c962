//! Runs a program on the unit: a core that shows it to the model, and an operating system that does what Linux does.

use super::calibrate::Facts;
use super::computer::{Computer, Next, Retires, Software};
use super::event::{Cause, Event};
use super::program::{Program, Watch};
use crate::memory::CODE;
use lwp_model::debug::{Ask, Config, DbClass, DebugUnit, Inputs, Interrupted, Lane, LaneKind, Outputs};
use lwp_model::retire::{Access, Branch, BranchKind, IntKind, Mode, OpMode, RegOp, RegRequest, RegResult, Retired};
use lwp_model::{Moore, Unit};
use lwp_regs::debug::{Dr6, Slots};
use proptests::lockstep::{UnitCycle, recorded, rows_agree};
use sim_harness::rtl::{BuildId, Flavour};

/// Address of the operating system's IRET.
const KERNEL: u64 = 0xFFFF_FFFF_8100_0000;
/// Cycles after which a run is given up.
const CYCLES: usize = 20_000;

/// Runs a program on the model and, with the same inputs, on the RTL, and returns its stops.
///
/// # Errors
///
/// The first cycle in which model and RTL differ, or why the run was given up.
pub(super) fn run(program: &Program, facts: &Facts) -> Result<Vec<Event>, String> {
    if program.core.four {
        both::<4, 2>(BuildId::DebugL4a2, program, facts)
    } else {
        both::<1, 1>(BuildId::DebugL1a1, program, facts)
    }
}

fn both<const LANES: usize, const ACCESSES: usize>(
    build: BuildId,
    program: &Program,
    facts: &Facts,
) -> Result<Vec<Event>, String>
where
    DebugUnit<LANES, ACCESSES>: Unit<Config = Config, Inputs = Inputs<LANES>, Outputs = Outputs>,
{
    let straps = facts.straps;
    let (events, cycles) = Core::<LANES, ACCESSES>::new(program, facts)?.run()?;
    let rows = recorded::<DebugUnit<LANES, ACCESSES>>(&straps, &cycles).rows::<DebugUnit<LANES, ACCESSES>>(&straps);
    rows_agree::<DebugUnit<LANES, ACCESSES>>(build, Flavour::Fast, &straps, &rows)?;
    Ok(events)
}

struct Core<'a, const LANES: usize, const ACCESSES: usize> {
    program: &'a Program,
    unit: DebugUnit<LANES, ACCESSES>,
    cycles: Vec<UnitCycle<Inputs<LANES>>>,
    computer: Computer,
    /// The debugger has set TF.
    stepped: bool,
    /// A string instruction is in progress: nothing has come between since its last iteration.
    iterates: bool,
    /// The last instruction that retired, if it ended in the operating system.
    software: Option<Software>,
    events: Vec<Event>,
    /// Breakpoints of a #DB inside of the operating system, which Linux shows with the next stop.
    left: Slots,
    int1_stays: bool,
}

impl<'a, const LANES: usize, const ACCESSES: usize> Core<'a, LANES, ACCESSES>
where
    DebugUnit<LANES, ACCESSES>: Unit<Config = Config, Inputs = Inputs<LANES>, Outputs = Outputs>,
{
    fn new(program: &'a Program, facts: &Facts) -> Result<Self, String> {
        let unit = DebugUnit::new(facts.straps).map_err(|error| error.to_string())?;
        let computer = Computer::new(facts.selectors);
        let (cycles, events) = (Vec::new(), Vec::new());
        let (software, left) = (None, Slots::empty());
        Ok(Self {
            program,
            unit,
            cycles,
            computer,
            stepped: false,
            iterates: false,
            software,
            events,
            left,
            int1_stays: facts.int1_stays,
        })
    }

    fn run(mut self) -> Result<(Vec<Event>, Vec<UnitCycle<Inputs<LANES>>>), String> {
        self.cycles.push(UnitCycle { reset: true, inputs: Inputs::default() });
        let set = self.program.set();
        for (number, address) in set.addresses.into_iter().enumerate() {
            self.mov(RegOp::WriteDr, number as u32, address.into_bits())?;
        }
        self.mov(RegOp::WriteDr, 7, set.control.into_bits())?;
        let (step, rf) = self.program.resume(0, false);
        self.stepped = step;
        self.iret(rf);
        while self.cycles.len() < CYCLES {
            match self.computer.next(self.program, self.stepped) {
                Next::End => {
                    self.cycle(Inputs::default());
                    return Ok((self.events, self.cycles));
                }
                Next::PageFault(page) => self.fault(|core, rf| {
                    core.computer.provide(page);
                    core.iret(rf);
                })?,
                Next::Fault(fault) => self.fault(|core, rf| {
                    let ip = core.ip();
                    core.computer.pass();
                    core.stop(Cause::Fault(fault), ip, rf);
                })?,
                Next::Retires(_) => self.group()?,
            }
        }
        Err(format!("the unit's run does not end: {}", super::event::line(&self.events)))
    }

    /// Shows a cycle of the program, and returns the outputs of the next one.
    fn cycle(&mut self, inputs: Inputs<LANES>) -> Outputs {
        let op_mode = if self.program.wide { OpMode::Long64 } else { OpMode::Compatibility };
        self.shows(Inputs { mode: Mode { cpl: 3, smm: false, op_mode }, ..inputs })
    }

    /// Shows a cycle of the operating system.
    fn kernel(&mut self, inputs: Inputs<LANES>) -> Outputs {
        self.shows(Inputs { mode: Mode { cpl: 0, smm: false, op_mode: OpMode::Long64 }, ..inputs })
    }

    fn shows(&mut self, inputs: Inputs<LANES>) -> Outputs {
        let inputs = Inputs { de: true, ..inputs };
        self.cycles.push(UnitCycle { reset: false, inputs });
        Moore::step(&mut self.unit, &inputs);
        self.unit.outputs()
    }

    fn mov(&mut self, op: RegOp, number: u32, wdata: u64) -> Result<u64, String> {
        let reg = RegRequest { valid: true, op, lp: 0, number, wdata };
        let out = self.kernel(Inputs { reg, ..Inputs::default() });
        match out.reg_result {
            RegResult::Done => Ok(out.reg_rdata),
            result => Err(format!("{op:?} of DR{number} ends with {result:?}")),
        }
    }

    /// Offset of the next instruction.
    fn ip(&self) -> u64 {
        self.program.offset(self.computer.at())
    }

    /// Asks before the next instruction, and returns whether a #DB came first.
    fn asks(&mut self) -> Result<bool, String> {
        let ask = Ask { valid: true, in_tx: false, ip: CODE + self.ip() };
        let stops = self.cycle(Inputs { ask, ..Inputs::default() }).db_valid;
        if stops {
            self.debug()?;
        }
        Ok(stops)
    }

    /// An instruction raises a fault. `handler` is given RF of the frame.
    fn fault(&mut self, handler: impl FnOnce(&mut Self, bool)) -> Result<(), String> {
        if !self.iterates && self.asks()? {
            return Ok(());
        }
        let (kind, from) = (IntKind::Exception, CODE + self.ip());
        let int = Interrupted { valid: true, kind, from, ..Interrupted::default() };
        let rf = self.cycle(Inputs { int, ..Inputs::default() }).frame_rf;
        handler(self, rf);
        Ok(())
    }

    /// Shows a group, and does what follows from it.
    fn group(&mut self) -> Result<(), String> {
        if self.program.core.asks && !self.iterates && self.asks()? {
            return Ok(());
        }
        let group = self.gather();
        for part in group[0].accesses.rchunks(ACCESSES).skip(1).rev() {
            let mut inputs = Inputs { partial: true, ..Inputs::default() };
            inputs.lanes[0] = with_accesses(group[0].lane, part);
            self.cycle(inputs);
        }
        let mut inputs = Inputs::default();
        for (lane, retires) in inputs.lanes.iter_mut().zip(&group) {
            let last = retires.accesses.rchunks(ACCESSES).next().unwrap_or_default();
            *lane = with_accesses(retires.lane, last);
        }
        let out = self.cycle(inputs);
        let accepted =
            if out.cut_valid { usize::from(out.cut_lane) + usize::from(!out.cut_before) } else { group.len() };
        self.software = None;
        if let Some(last) = group[..accepted].last() {
            (self.computer, self.software, self.iterates) = (last.behind, last.software, last.behind.continues());
        }
        if out.db_valid {
            return self.debug();
        }
        match self.software {
            Some(Software::Int1) => Err("INT1 raised no #DB".into()),
            Some(software) => {
                self.handles(software);
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// The operating system handles INT3 or a system call.
    fn handles(&mut self, software: Software) {
        if software == Software::Int3 {
            let ip = self.ip();
            self.stop(Cause::Breakpoint(self.left), ip, false);
        } else {
            self.software = None;
            self.iret(false);
        }
    }

    /// Returns the instructions of the next group; there is at least one.
    fn gather(&self) -> Vec<Retires> {
        let most = usize::from(self.program.core.group).clamp(1, LANES);
        let mut group: Vec<Retires> = Vec::with_capacity(most);
        let mut computer = self.computer;
        while group.len() < most && group.last().is_none_or(|last| last.software.is_none()) {
            let Next::Retires(retires) = computer.next(self.program, self.stepped) else { break };
            if retires.accesses.len() > ACCESSES && !group.is_empty() {
                break;
            }
            computer = retires.behind;
            group.push(*retires);
        }
        group
    }

    /// The core takes the pending #DB, and the operating system handles it.
    fn debug(&mut self) -> Result<(), String> {
        let class = self.unit.outputs().db_class;
        let trap = match class {
            DbClass::Trap => true,
            DbClass::Fault => false,
            class => return Err(format!("a #DB of class {class:?} outside of a region")),
        };
        let inside = self.software.filter(|software| *software != Software::Int1);
        let (kind, from) = (IntKind::Exception, if inside.is_some() { KERNEL } else { CODE + self.ip() });
        let int = Interrupted { valid: true, kind, from, trap, ..Interrupted::default() };
        let rf = self.cycle(Inputs { int, db_ack: true, ..Inputs::default() }).frame_rf;
        let status = Dr6::from_bits(self.mov(RegOp::ReadDr, 6, 0)?);
        self.mov(RegOp::WriteDr, 6, Dr6::RESET.into_bits())?;
        let slots = Slots::from_bits_truncate(status.into_bits() as u8 & 0xF);
        if let Some(software) = inside {
            // The first instruction of the handler was interrupted (DBG-60).
            self.left = slots;
            self.iret(rf);
            self.handles(software);
            return Ok(());
        }
        let int1 = trap && self.software == Some(Software::Int1);
        let ip = self.ip() - u64::from(int1 && self.int1_stays);
        self.stop(Cause::Debug(slots, status.bs()), ip, rf || self.executes(slots));
        Ok(())
    }

    /// Whether one of these breakpoints is of an instruction: Linux sets RF then, also if a trap reports it with others.
    fn executes(&self, slots: Slots) -> bool {
        let mut watches = self.program.breakpoints.iter().enumerate();
        watches.any(|(number, watch)| slots.bits() >> number & 1 != 0 && matches!(watch, Watch::Execute(_)))
    }

    /// The debugger sees a stop, and lets the program go on.
    fn stop(&mut self, cause: Cause, ip: u64, rf: bool) {
        self.events.push(Event { cause, ip, rf, count: self.computer.count() });
        let (step, rf) = self.program.resume(self.events.len(), rf);
        self.stepped = step;
        (self.software, self.left) = (None, Slots::empty());
        self.iret(rf);
    }

    /// The operating system returns to the program.
    fn iret(&mut self, rf: bool) {
        let mut lane = Lane { retired: Retired { valid: true, counts: true, ip: KERNEL }, ..Lane::default() };
        lane.branch = Branch { kind: BranchKind::System, taken: true, next: CODE + self.ip(), ..Branch::default() };
        (lane.debug.kind, lane.debug.rf_image) = (LaneKind::Iret, rf);
        self.iterates = false;
        let mut inputs = Inputs::default();
        inputs.lanes[0] = lane;
        self.kernel(inputs);
    }
}

fn with_accesses(mut lane: Lane, accesses: &[Access]) -> Lane {
    for (place, access) in lane.accesses.iter_mut().zip(accesses) {
        *place = *access;
    }
    lane
}
