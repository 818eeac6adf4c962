//! A core and a memory that keep to the rules of the ports, beside the model.

use super::program::{Buffer, Fault, Pulse, Step};
use super::scenario::entries_of;
use crate::lockstep::UnitCycle;
use lwp_model::retire::{IntKind, Interruption, MemAnswer, MemCmd, Mode, OpMode, RegOp, RegRequest};
use lwp_model::trace::{Config, Inputs, Lane, Numbers, Outputs, Precise, TraceUnit};
use lwp_model::{Moore, Unit};
use lwp_regs::trace::DebugCtl;

/// Address of the management area.
pub(super) const AREA: u64 = 0x3000;
/// Bytes of memory, from address 0 upwards.
const BYTES: usize = 0x4000;
/// Cycles that the core waits for the unit at most: memory that faults ends every store.
const PATIENCE: usize = 2000;
/// Cycles that it waits for a pulse at most.
const RECORD: usize = 300;

/// A core, memory, and the unit beside them.
pub(super) struct Core<const LANES: usize, const ENTRIES: usize> {
    unit: TraceUnit<LANES, ENTRIES>,
    straps: Config,
    cycles: Vec<UnitCycle<Inputs<LANES>>>,
    /// Mode and segments.
    stays: Inputs<LANES>,
    memory: Vec<u64>,
    present: bool,
    /// The access that page-faults.
    fault: Option<Fault>,
    /// Cycles from request to grant and from grant to response.
    grants: u8,
    answers: u8,
    /// Cycles that the present access has waited.
    waited: u8,
    /// The access that was granted.
    granted: Option<(MemCmd, u64, u8, u64)>,
    /// The bus takes messages at once.
    ready: bool,
    values: u64,
}

impl<const LANES: usize, const ENTRIES: usize> Core<LANES, ENTRIES>
where
    TraceUnit<LANES, ENTRIES>: Moore<Inputs = Inputs<LANES>, Outputs = Outputs> + Unit,
{
    /// Returns a core in reset, whose memory has these latencies and whose bus is ready at once or every other cycle.
    pub(super) fn new(straps: Config, (grants, answers, ready): (u8, u8, bool)) -> Self {
        let unit = TraceUnit::new(straps).unwrap_or_else(|_| panic!("illegal straps: {straps:?}"));
        let mode = Mode { cpl: 0, smm: false, op_mode: OpMode::Long64 };
        let mut core = Self {
            unit,
            straps,
            cycles: Vec::new(),
            stays: Inputs { mode, far_long: true, ..Inputs::default() },
            memory: vec![0; BYTES / 8],
            present: true,
            fault: None,
            grants,
            answers,
            waited: 0,
            granted: None,
            ready,
            values: 0,
        };
        core.reset();
        core
    }

    /// The cycles that were shown, and those in which the unit comes to rest.
    pub(super) fn into_cycles(mut self) -> Vec<UnitCycle<Inputs<LANES>>> {
        self.wait(|out| out.reg_ready);
        self.cycles
    }

    /// Does a step, when the unit lets it.
    pub(super) fn step(&mut self, step: Step) {
        match step {
            Step::Group(lanes, events) => self.group(lanes, events),
            Step::Overflow(overflow) => {
                let pebs = Precise { overflow, ..Precise::default() };
                self.cycle(Inputs { pebs, ..Inputs::default() });
            }
            Step::Pmi => self.cycle(Inputs { pmi: true, ..Inputs::default() }),
            Step::Interrupt(int) => self.interrupt(int),
            Step::Smm(addresses, lanes) => self.smm(addresses, lanes),
            Step::Read(number) => self.request(RegOp::Rdmsr, number, 0),
            Step::Look => self.look(),
            Step::Write(number, wdata) => self.request(RegOp::Wrmsr, number, wdata),
            Step::Enable(counters) => {
                let counters = u64::from(counters) & ((1 << self.straps.pebs_counters) - 1);
                self.request(RegOp::Wrmsr, 0x3F1, counters);
            }
            Step::Control(bits) => {
                let exists = |bit: &u32| DebugCtl::check_write(DebugCtl::new(), 1 << bit, &self.straps.caps()).is_ok();
                let mask = (0..64).filter(exists).fold(0, |mask, bit| mask | 1_u64 << bit);
                self.request(RegOp::Wrmsr, 0x1D9, bits & mask);
            }
            Step::Buffer(buffer) => self.buffer(buffer),
            Step::Present(present) => self.present = present,
            Step::Fault(fault) => self.fault = Some(fault),
            Step::Mode(mode, [cs_base, far_base], far_long) => {
                self.stays = Inputs { mode, cs_base, far_base, far_long, ..Inputs::default() };
                self.cycle(Inputs::default());
            }
            Step::Rest(cycles) => (0..cycles).for_each(|_| self.cycle(Inputs::default())),
            Step::Reset(pulse) => {
                self.wait_for(pulse);
                self.reset();
            }
        }
    }

    fn reset(&mut self) {
        self.cycles.push(UnitCycle { reset: true, inputs: Inputs::default() });
        self.unit.reset();
        (self.waited, self.granted) = (0, None);
    }

    /// Shows a cycle, with memory and bus as they answer in it.
    fn cycle(&mut self, inputs: Inputs<LANES>) {
        let out = self.unit.outputs();
        let Inputs { mode, cs_base, far_base, far_long, .. } = self.stays;
        self.values = self.values.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
        let state_value = self.values ^ u64::from(out.state_index);
        let mem = self.memory(&out);
        let btm_ready = self.ready || self.cycles.len().is_multiple_of(2);
        let pebs = Precise { state_value, ..inputs.pebs };
        let core_clock = self.values >> 62 != 0;
        let inputs = Inputs { mode, cs_base, far_base, far_long, mem, btm_ready, pebs, core_clock, ..inputs };
        self.cycles.push(UnitCycle { reset: false, inputs });
        self.unit.step(&inputs);
    }

    /// What memory answers in a cycle with these outputs.
    fn memory(&mut self, out: &Outputs) -> MemAnswer {
        if let Some((cmd, addr, be, wdata)) = self.granted {
            if self.waited < self.answers {
                self.waited += 1;
                return MemAnswer::default();
            }
            (self.granted, self.waited) = (None, 0);
            let present = self.present && !self.faults(cmd, addr);
            let Some(word) = self.memory.get_mut((addr / 8) as usize).filter(|_| present) else {
                return MemAnswer { rvalid: true, err: true, ..MemAnswer::default() };
            };
            if cmd == MemCmd::Write {
                let mask =
                    (0..8).filter(|byte| be >> byte & 1 != 0).fold(0, |mask, byte| mask | 0xFF_u64 << (8 * byte));
                *word = *word & !mask | wdata & mask;
                return MemAnswer { rvalid: true, ..MemAnswer::default() };
            }
            return MemAnswer { rvalid: true, rdata: *word, ..MemAnswer::default() };
        }
        if !out.mem.req {
            return MemAnswer::default();
        }
        if self.waited < self.grants {
            self.waited += 1;
            return MemAnswer::default();
        }
        (self.granted, self.waited) = (Some((out.mem.cmd, out.mem.addr, out.mem.be, out.mem.wdata)), 0);
        MemAnswer { gnt: true, ..MemAnswer::default() }
    }

    /// Whether this access is the one that page-faults.
    fn faults(&mut self, cmd: MemCmd, addr: u64) -> bool {
        let (faults, next) = match self.fault {
            None => (false, None),
            Some(Fault::Behind(0)) => (true, None),
            Some(Fault::Behind(others)) => (false, Some(Fault::Behind(others - 1))),
            Some(Fault::Index) if cmd == MemCmd::Write && addr >= AREA => (true, None),
            Some(Fault::Index) => (false, Some(Fault::Index)),
        };
        self.fault = next;
        faults
    }

    /// Shows empty cycles until the unit lets the core go on.
    fn wait(&mut self, may: impl Fn(&Outputs) -> bool) {
        for _ in 0..PATIENCE {
            if may(&self.unit.outputs()) {
                return;
            }
            self.cycle(Inputs::default());
        }
        panic!("the unit does not come to rest: {:?}", self.unit.outputs());
    }

    /// Shows empty cycles until a pulse comes, for the time of a record at most.
    fn wait_for(&mut self, pulse: Pulse) {
        let comes = |out: &Outputs| match pulse {
            Pulse::None => true,
            Pulse::Notice => out.stored || out.lost,
            Pulse::Reload => out.reload_valid,
        };
        for _ in 0..RECORD {
            if comes(&self.unit.outputs()) {
                return;
            }
            self.cycle(Inputs::default());
        }
    }

    fn group(&mut self, group: Vec<Lane>, event: u8) {
        self.wait(|out| !out.stall);
        let lanes = core::array::from_fn(|at| group.get(at).copied().unwrap_or_default());
        let pebs = Precise { event, ..Precise::default() };
        self.cycle(Inputs { lanes, pebs, ..Inputs::default() });
    }

    fn interrupt(&mut self, int: Interruption) {
        self.wait(|out| !out.stall);
        self.cycle(Inputs { int, ..Inputs::default() });
    }

    fn smm(&mut self, [program, handler]: [u64; 2], lanes: Vec<Lane>) {
        let int = |kind, from, to| Interruption { valid: true, kind, vector: 0, from, to };
        self.interrupt(int(IntKind::Smi, program, handler));
        self.group(lanes, 0);
        self.interrupt(int(IntKind::Rsm, handler, program));
    }

    /// Reads the newest entries of the stack and the last exception record.
    fn look(&mut self) {
        self.request(RegOp::Rdmsr, 0x1C9, 0);
        let (top, depth) = (self.unit.outputs().reg_rdata as u32, entries_of(self.straps.lbr_depth) as u32);
        let [from, to] = match self.straps.lbr_numbers {
            Numbers::Core => [0x40, 0x60],
            Numbers::Nehalem => [0x680, 0x6C0],
        };
        for entry in (0..4).map(|age| (top + depth - age) % depth) {
            [from, to, 0xDC0].into_iter().for_each(|first| self.request(RegOp::Rdmsr, first + entry, 0));
        }
        [0x1DD, 0x1DE].into_iter().for_each(|number| self.request(RegOp::Rdmsr, number, 0));
    }

    fn request(&mut self, op: RegOp, number: u32, wdata: u64) {
        self.wait(|out| out.reg_ready);
        let reg = RegRequest { valid: true, op, lp: 0, number, wdata };
        self.cycle(Inputs { reg, ..Inputs::default() });
    }

    /// Writes a buffer's four fields, and the reset values of counters, as software does while no record is stored.
    fn buffer(&mut self, buffer: Buffer) {
        self.wait(|out| out.reg_ready);
        let Buffer { pebs, other, records, rest: [rest, misaligned], filled, threshold } = buffer;
        let ia32e = matches!(self.stays.mode.op_mode, OpMode::Long64 | OpMode::Compatibility);
        let wide = (self.straps.dtes64 || ia32e) != other;
        let fields = match (pebs, wide) {
            (false, _) => 3,
            (true, false) => 10,
            (true, true) => [18, 22, 24, 25][usize::from(self.straps.pebs_format & 3)],
        };
        let size = if wide { 8 } else { 4 };
        let bytes = fields * size;
        let base = if pebs { 0x2400 } else { 0x2000 } + misaligned;
        let values = [base, base + bytes * filled, base + bytes * records + rest, base + bytes * threshold];
        let first = if pebs { 4 * size } else { 0 };
        if pebs {
            let (at, counters) = ((AREA + 8 * size) as usize / 8, if wide { 4 } else { 1 });
            (0..counters).for_each(|counter| self.memory[at + counter] = self.values.rotate_left(counter as u32));
        }
        for (at, value) in (0..).zip(values) {
            let addr = AREA + first + size * at;
            let word = &mut self.memory[(addr / 8) as usize];
            *word = match (wide, addr & 4) {
                (true, _) => value,
                (false, 0) => *word & !0xFFFF_FFFF | value,
                (false, _) => *word & 0xFFFF_FFFF | value << 32,
            };
        }
    }
}
