//! A test bench small enough to read at once: the unit, a memory that answers at once, and a core that does one thing at a
//! time. The program around it says what the unit is: here the model, in `sim-harness` the model and the RTL in lockstep.

use super::unit::Unit;
use lwp_model::lwp::{
    BranchKind, Config, Control, CtlOp, Fault, Inputs, Lane, Load, MemCmd, Memory, Mode, OpMode, Outputs,
};
use lwp_regs::lwp::LwpMsr0;
use std::collections::{BTreeMap, BTreeSet};

/// Everything on: Enabled, the three events, the interrupt.
pub(crate) const MSR0_ALL: u64 = 0x8000_000F;
/// Where the block of most tests lives.
pub(crate) const LWPCB: u64 = 0x1_0000;
/// Where the ring buffer of most tests lives.
pub(crate) const BUFFER: u64 = 0x2_0000;
const PAGE: u64 = 0x1000;

pub(crate) struct Bench {
    pub(crate) unit: Unit,
    pub(crate) memory: BTreeMap<u64, u64>,
    /// Pages whose accesses fault.
    pub(crate) absent: BTreeSet<u64>,
    /// Pages that can be read: writes and write probes fault.
    pub(crate) read_only: BTreeSet<u64>,
    pub(crate) mode: Mode,
    /// Every access that was answered: command, address, byte enables.
    pub(crate) log: Vec<(MemCmd, u64, u8)>,
    pub(crate) cycles: u64,
    pub(crate) interrupts: u32,
    pub(crate) page_faults: Vec<(u64, bool)>,
    /// Memory grants nothing.
    pub(crate) busy: bool,
    owed: Option<Memory>,
    irq_before: bool,
}

/// What an operation answered.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Value(u64),
    Fault(Fault),
    PageFault { addr: u64, write: bool },
}

pub(crate) fn user() -> Mode {
    Mode { cpl: 3, smm: false, op_mode: OpMode::Long64 }
}

pub(crate) fn kernel() -> Mode {
    Mode { cpl: 0, ..user() }
}

impl Bench {
    /// A unit that has been enabled by the operating system, in ring 3.
    pub(crate) fn new() -> Self {
        Self::with(Config::default())
    }

    pub(crate) fn with(straps: Config) -> Self {
        let mut bench = Self::off(straps);
        assert_eq!(bench.op(CtlOp::WriteMsr0, LwpMsr0::writable_mask(straps.available())), Answer::Value(0));
        bench.enter(user());
        bench
    }

    /// A unit after reset, in the kernel.
    pub(crate) fn off(straps: Config) -> Self {
        Self {
            unit: Unit::new(straps).unwrap(),
            memory: BTreeMap::new(),
            absent: BTreeSet::new(),
            read_only: BTreeSet::new(),
            mode: kernel(),
            log: Vec::new(),
            cycles: 0,
            interrupts: 0,
            page_faults: Vec::new(),
            busy: false,
            owed: None,
            irq_before: false,
        }
    }

    /// One cycle.
    pub(crate) fn cycle(&mut self, mut inputs: Inputs<4>) -> Outputs {
        let out = self.unit.outputs();
        self.interrupts += u32::from(out.irq && !self.irq_before);
        self.irq_before = out.irq;
        inputs.mode = self.mode;
        inputs.mem = self.owed.take().unwrap_or_default();
        inputs.mem.gnt = out.mem_req && !self.busy;
        if inputs.mem.gnt {
            self.owed = Some(self.answer(&out));
        }
        self.unit.step(&inputs);
        self.cycles += 1;
        self.unit.outputs()
    }

    fn answer(&mut self, out: &Outputs) -> Memory {
        self.log.push((out.mem_cmd, out.mem_addr, out.mem_be));
        let page = out.mem_addr / PAGE;
        if self.absent.contains(&page) || out.mem_cmd != MemCmd::Read && self.read_only.contains(&page) {
            return Memory { rvalid: true, err: true, ..Memory::default() };
        }
        let word = self.memory.entry(out.mem_addr).or_default();
        if out.mem_cmd == MemCmd::Write {
            for byte in (0..8).filter(|byte| out.mem_be >> byte & 1 == 1) {
                let mask = 0xFF << (8 * byte);
                *word = *word & !mask | out.mem_wdata & mask;
            }
        }
        Memory { rvalid: true, rdata: *word, ..Memory::default() }
    }

    /// Changes mode; that takes a cycle.
    pub(crate) fn enter(&mut self, mode: Mode) {
        self.mode = mode;
        self.cycle(Inputs::default());
    }

    pub(crate) fn idle(&mut self, cycles: u32) {
        for _ in 0..cycles {
            self.cycle(Inputs::default());
        }
    }

    /// Runs an operation to its end.
    pub(crate) fn op(&mut self, op: CtlOp, wdata: u64) -> Answer {
        self.op_with_base(op, wdata, 0)
    }

    pub(crate) fn op_with_base(&mut self, op: CtlOp, wdata: u64, ds_base: u64) -> Answer {
        self.control(Control { valid: true, op, wdata, ds_base, ..Control::default() })
    }

    fn control(&mut self, ctl: Control) -> Answer {
        while self.unit.outputs().stall {
            self.idle(1);
        }
        let mut out = self.cycle(Inputs { ctl, ..Inputs::default() });
        while !out.rsp_valid {
            out = self.cycle(Inputs::default());
        }
        self.idle(1);
        match out.rsp_fault {
            Fault::None => Answer::Value(out.rsp_rdata),
            Fault::PageFault => Answer::PageFault { addr: out.rsp_fault_addr, write: out.rsp_fault_write },
            fault => Answer::Fault(fault),
        }
    }

    /// Retires one group of instructions and gives the unit time to finish.
    pub(crate) fn retire(&mut self, lanes: &[Lane]) {
        self.retire_now(lanes);
        self.idle(40);
    }

    /// Retires one group of instructions; whatever follows may still be under way.
    pub(crate) fn retire_now(&mut self, lanes: &[Lane]) {
        while self.unit.outputs().stall {
            self.idle(1);
        }
        let mut inputs = Inputs::default();
        inputs.lanes[..lanes.len()].copy_from_slice(lanes);
        self.cycle(inputs);
    }

    /// One cycle with loads of an instruction that retires later.
    pub(crate) fn partial(&mut self, lane: Lane) {
        let mut inputs = Inputs { partial: true, ..Inputs::default() };
        inputs.lanes[0] = lane;
        self.cycle(inputs);
    }

    /// The core takes the trap: it goes to the kernel, pages in, and comes back.
    pub(crate) fn take_page_fault(&mut self) {
        let out = self.unit.outputs();
        assert!(out.pf_valid, "no page fault to take");
        self.page_faults.push((out.pf_addr, out.pf_write));
        self.visit_kernel_for_page_fault();
        self.idle(60);
    }

    /// The same, without a wait after it.
    pub(crate) fn visit_kernel_for_page_fault(&mut self) {
        self.enter(kernel());
        self.cycle(Inputs { pf_ack: true, ..Inputs::default() });
        self.absent.clear();
        self.read_only.clear();
        self.enter(user());
    }

    pub(crate) fn acknowledge_interrupt(&mut self) {
        self.cycle(Inputs { irq_ack: true, ..Inputs::default() });
    }

    pub(crate) fn read32(&self, addr: u64) -> u32 {
        let word = self.memory.get(&(addr & !7)).copied().unwrap_or_default();
        (word >> (8 * (addr & 4))) as u32
    }

    pub(crate) fn write32(&mut self, addr: u64, value: u32) {
        let word = self.memory.entry(addr & !7).or_default();
        let shift = 8 * (addr & 4);
        *word = *word & !(0xFFFF_FFFF << shift) | u64::from(value) << shift;
    }

    pub(crate) fn read64(&self, addr: u64) -> u64 {
        self.memory.get(&addr).copied().unwrap_or_default()
    }

    /// Writes a block: size and random, base, threshold, filter, then (id, interval, counter) for each slot.
    pub(crate) fn block(&mut self, at: u64, size: u32, threshold: u32, slots: &[(u32, u32, u32)]) {
        self.write32(at + 4, size);
        self.memory.insert(at + 8, BUFFER);
        self.memory.insert(at + 16, 0);
        self.memory.insert(at + 24, 0);
        self.write32(at + 32, threshold);
        for (slot, (id, interval, counter)) in (0..).zip(slots) {
            self.write32(at + 40 + 8 * slot, id << 26 | interval);
            self.write32(at + 44 + 8 * slot, *counter);
        }
    }

    /// A running session with these slots and a ring of 8 records.
    pub(crate) fn session(slots: &[(u32, u32, u32)]) -> Self {
        Self::session_with(Config::default(), 0, slots)
    }

    /// The same on hardware with these straps, and with a threshold.
    pub(crate) fn session_with(straps: Config, threshold: u32, slots: &[(u32, u32, u32)]) -> Self {
        let mut bench = Self::with(straps);
        bench.block(LWPCB, 256, threshold, slots);
        assert_eq!(bench.op(CtlOp::Llwpcb, LWPCB), Answer::Value(0));
        bench.log.clear();
        bench
    }

    /// Reads a context word.
    pub(crate) fn save(&mut self, word: u8) -> u64 {
        match self.context(CtlOp::Save, word, 0) {
            Answer::Value(value) => value,
            other => panic!("save of word {word}: {other:?}"),
        }
    }

    /// The context words of a thread, word 0 first.
    pub(crate) fn save_thread(&mut self) -> [u64; 8] {
        core::array::from_fn(|word| self.save(word as u8))
    }

    /// Writes a context word.
    pub(crate) fn restore(&mut self, word: u8, value: u64) {
        assert_eq!(self.context(CtlOp::Restore, word, value), Answer::Value(0));
    }

    /// Restores a thread, word 7 first.
    pub(crate) fn restore_thread(&mut self, words: &[u64; 8]) {
        for (word, value) in words.iter().enumerate().rev() {
            self.restore(word as u8, *value);
        }
    }

    pub(crate) fn context(&mut self, op: CtlOp, word: u8, wdata: u64) -> Answer {
        self.control(Control { valid: true, op, word, wdata, ..Control::default() })
    }

    /// What memory was asked to do with an address since the log was cleared.
    pub(crate) fn accesses(&self, cmd: MemCmd, addr: u64) -> usize {
        self.log.iter().filter(|(logged, at, _)| (*logged, *at) == (cmd, addr)).count()
    }

    /// The instruction addresses of the records in the ring, from the first place up to the head of the unit.
    pub(crate) fn stored(&self) -> Vec<u64> {
        (0..u64::from(self.unit.state().ring.head / 32)).map(|index| self.record(index)[1]).collect()
    }

    /// Head and tail as memory has them.
    pub(crate) fn head(&self) -> u32 {
        self.read32(LWPCB + 16)
    }

    pub(crate) fn missed(&self) -> u64 {
        self.read64(LWPCB + 24)
    }

    /// The four words of a record in the ring.
    pub(crate) fn record(&self, index: u64) -> [u64; 4] {
        core::array::from_fn(|word| self.read64(BUFFER + 32 * index + 8 * word as u64))
    }

    pub(crate) fn counter(&self, event: usize) -> u32 {
        self.unit.state().events[event - 1].counter
    }
}

pub(crate) fn plain(ip: u64) -> Lane {
    Lane { valid: true, counts: true, ip, ..Lane::default() }
}

pub(crate) fn branch(ip: u64, kind: BranchKind, taken: bool, next: u64) -> Lane {
    Lane {
        branch_kind: kind,
        branch_taken: taken,
        branch_pred_valid: true,
        branch_pred_ok: true,
        branch_next: next,
        ..plain(ip)
    }
}

pub(crate) fn loads(ip: u64, misses: &[(u64, u32, u8)]) -> Lane {
    let mut lane = plain(ip);
    for (load, &(addr, latency, source)) in lane.loads.iter_mut().zip(misses) {
        *load = Load { miss: true, addr_valid: true, tagged: false, addr, latency, source };
    }
    lane
}
