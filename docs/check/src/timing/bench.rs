//! A core and a memory around one unit with two retire lanes and one event slot, and a recorder of what happens.

use lwp_model::lwp::{Config, Control, CtlOp, Inputs, Lane, Load, Lwp, MemCmd, Memory, Mode, OpMode, Outputs, State};
use std::collections::BTreeMap;

/// Retire lanes; most scenarios use one.
pub(crate) const LANES: usize = 2;
/// Where the control block lives.
pub(crate) const LWPCB: u64 = 0x1000;
/// Where the ring buffer lives.
pub(crate) const BUFFER: u64 = 0x8000;

/// One cycle: what the registers held before the rising edge that ends it, and the inputs.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    pub(crate) inputs: Inputs<LANES>,
    pub(crate) state: State,
    pub(crate) outputs: Outputs,
    /// BufferHeadOffset and MissedEvents as memory holds them.
    pub(crate) memory_head: u64,
    pub(crate) memory_missed: u64,
    pub(crate) memory_flags: u64,
}

/// The unit in its surroundings.
#[derive(Debug)]
pub(crate) struct Bench {
    unit: Lwp<LANES, 1, 31>,
    memory: BTreeMap<u64, u64>,
    /// Accesses to this page fault.
    pub(crate) absent: Option<u64>,
    /// The memory grants nothing while this is set.
    pub(crate) busy: bool,
    pub(crate) cpl: u8,
    /// Cycles by which the next response comes late.
    pub(crate) late: usize,
    owed: Option<Memory>,
    samples: Vec<Sample>,
}

impl Bench {
    /// LWP enabled by the system, the control block of one event in memory, ring 3.
    pub(crate) fn new(straps: Config, event: u64, interval: u64, counter: u64, tail: u64) -> Self {
        let mut bench = Self {
            unit: Lwp::new(straps).expect("the scenarios have legal straps"),
            memory: BTreeMap::new(),
            absent: None,
            busy: false,
            cpl: 0,
            late: 0,
            owed: None,
            samples: Vec::new(),
        };
        bench.memory.insert(LWPCB, 128 << 32);
        bench.memory.insert(LWPCB + 8, BUFFER);
        bench.memory.insert(LWPCB + 16, tail << 32);
        bench.memory.insert(LWPCB + 24, 6);
        bench.memory.insert(LWPCB + 32, 32);
        bench.memory.insert(LWPCB + 40, counter << 32 | event << 26 | interval);
        bench.operate(CtlOp::WriteMsr0, 0x8000_000F);
        bench.cpl = 3;
        bench.idle(1);
        bench.samples.clear();
        bench
    }

    /// The same with the session running.
    pub(crate) fn running(straps: Config, event: u64, interval: u64, counter: u64, tail: u64) -> Self {
        let mut bench = Self::new(straps, event, interval, counter, tail);
        bench.operate(CtlOp::Llwpcb, LWPCB);
        bench.samples.clear();
        bench
    }

    /// What was recorded since the session began.
    pub(crate) fn into_samples(self) -> Vec<Sample> {
        self.samples
    }

    /// One cycle.
    pub(crate) fn cycle(&mut self, mut inputs: Inputs<LANES>) {
        inputs.mode = Mode { cpl: self.cpl, smm: false, op_mode: OpMode::Long64 };
        if self.owed.is_some() && self.late > 0 {
            self.late -= 1;
        } else {
            inputs.mem = self.owed.take().unwrap_or_default();
        }
        let out = self.unit.outputs();
        inputs.mem.gnt = out.mem_req && !self.busy;
        let word = |address| self.memory.get(&address).copied().unwrap_or_default();
        self.samples.push(Sample {
            inputs,
            state: *self.unit.state(),
            outputs: out,
            memory_head: word(LWPCB + 16) & 0xFFFF_FFFF,
            memory_missed: word(LWPCB + 24),
            memory_flags: word(LWPCB) & 0xFFFF_FFFF,
        });
        if inputs.mem.gnt {
            self.owed = Some(self.answer(out.mem_cmd, out.mem_addr, out.mem_be, out.mem_wdata));
        }
        self.unit.step(&inputs);
    }

    fn answer(&mut self, cmd: MemCmd, address: u64, enables: u8, data: u64) -> Memory {
        if self.absent == Some(address >> 12) {
            return Memory { rvalid: true, err: true, ..Memory::default() };
        }
        let word = self.memory.entry(address).or_default();
        if cmd == MemCmd::Write {
            for byte in (0..8).filter(|byte| enables >> byte & 1 == 1) {
                let mask = 0xFF << (8 * byte);
                *word = *word & !mask | data & mask;
            }
        }
        Memory { rvalid: true, rdata: *word, ..Memory::default() }
    }

    /// Cycles in which the core does nothing.
    pub(crate) fn idle(&mut self, cycles: usize) {
        for _ in 0..cycles {
            self.cycle(Inputs::default());
        }
    }

    /// One instruction retires.
    pub(crate) fn retire(&mut self, ip: u64) {
        self.retire_group(&[ip]);
    }

    /// Instructions retire, from lane 0 on.
    pub(crate) fn retire_group(&mut self, ips: &[u64]) {
        let mut inputs = Inputs::default();
        for (lane, ip) in inputs.lanes.iter_mut().zip(ips) {
            *lane = Lane { valid: true, counts: true, ip: *ip, ..Lane::default() };
        }
        self.cycle(inputs);
    }

    /// One instruction with one load retires.
    pub(crate) fn retire_load(&mut self, ip: u64, load: Load) {
        let mut inputs = Inputs::default();
        inputs.lanes[0] = Lane { valid: true, counts: true, ip, ..Lane::default() };
        inputs.lanes[0].loads[0] = load;
        self.cycle(inputs);
    }

    /// One cycle in which an operation is requested.
    pub(crate) fn request(&mut self, op: CtlOp, wdata: u64) {
        self.cycle(Inputs { ctl: Control { valid: true, op, wdata, ..Control::default() }, ..Inputs::default() });
    }

    /// An operation from its request to the cycle after its answer.
    pub(crate) fn operate(&mut self, op: CtlOp, wdata: u64) {
        self.request(op, wdata);
        while self.unit.outputs().stall {
            self.idle(1);
        }
    }
}
