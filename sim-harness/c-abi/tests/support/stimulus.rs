//! A memory and a core that does random things, in the terms of the C ABI.

use lwp_model_c::api::{LwpInputs, LwpLane, LwpLoad, LwpOutputs};
use std::collections::HashMap;

const BLOCK: u64 = 0x1_0000;
const BUFFER: u64 = 0x2_0000;
const LLWPCB: u8 = 0;
const WRITE_MSR0: u8 = 3;

pub(crate) struct Stimulus {
    lanes: usize,
    random: u64,
    memory: HashMap<u64, u64>,
    inputs: LwpInputs,
    owed: Option<u64>,
    operations: Vec<(u8, u64)>,
    waiting: bool,
    records: usize,
}

impl Stimulus {
    pub(crate) fn new(lanes: usize, slots: usize, seed: u64) -> Self {
        assert!(slots >= 3, "a slot for each event");
        let mut new = Self {
            lanes,
            random: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1,
            memory: HashMap::new(),
            inputs: LwpInputs::default(),
            owed: None,
            operations: Vec::new(),
            waiting: false,
            records: 0,
        };
        new.restart();
        new
    }

    /// After a reset: the block as new, LWP off.
    pub(crate) fn restart(&mut self) {
        self.memory = HashMap::from([(BLOCK, 512 << 32 | 1 << 31), (BLOCK + 8, BUFFER), (BLOCK + 32, 256)]);
        for event in 0..3 {
            self.memory.insert(BLOCK + 40 + 8 * event, 5 << 32 | (event + 1) << 26 | (12 + 9 * event));
        }
        self.inputs = LwpInputs { op_mode: 4, ..LwpInputs::default() };
        self.owed = None;
        self.operations = vec![(LLWPCB, BLOCK), (WRITE_MSR0, 0x8000_000F)];
        self.waiting = false;
    }

    /// Records that were written.
    pub(crate) const fn records(&self) -> usize {
        self.records
    }

    fn below(&mut self, most: u64) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 16) % most
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// What the unit sees in a cycle in which it shows `outputs`.
    pub(crate) fn inputs(&mut self, outputs: &LwpOutputs) -> LwpInputs {
        self.answer(outputs);
        self.operate(outputs);
        self.retire();
        self.inputs.irq_ack = u8::from(outputs.irq == 1 && self.one_in(4));
        if self.inputs.irq_ack == 1 {
            let head = self.memory.get(&(BLOCK + 16)).copied().unwrap_or_default() & 0xFFFF_FFFF;
            self.memory.insert(BLOCK + 16, head << 32 | head);
        }
        self.inputs.pf_ack = u8::from(outputs.pf_valid == 1 && self.one_in(4));
        self.inputs
    }

    fn answer(&mut self, outputs: &LwpOutputs) {
        self.inputs.mem_rvalid = u8::from(self.owed.is_some() && !self.one_in(3));
        if self.inputs.mem_rvalid == 1 {
            self.inputs.mem_rdata = self.owed.take().unwrap_or_default();
            self.inputs.mem_err = u8::from(self.one_in(300));
        }
        self.inputs.mem_gnt = u8::from(outputs.mem_req == 1 && !self.one_in(3));
        if self.inputs.mem_gnt == 1 {
            let old = self.memory.get(&outputs.mem_addr).copied().unwrap_or_default();
            if outputs.mem_cmd == 1 {
                let lanes = (0..8).filter(|byte| outputs.mem_be >> byte & 1 == 1);
                let mask = lanes.fold(0, |mask, byte| mask | 0xFF << (8 * byte));
                self.memory.insert(outputs.mem_addr, old & !mask | outputs.mem_wdata);
                self.records += usize::from(outputs.mem_addr >= BUFFER && outputs.mem_addr.is_multiple_of(32));
            }
            self.owed = Some(old);
        }
    }

    fn operate(&mut self, outputs: &LwpOutputs) {
        self.inputs.ctl_valid = 0;
        if self.waiting {
            self.waiting = outputs.rsp_valid == 0;
        } else if outputs.stall == 0 {
            if let Some((op, value)) = self.operations.pop() {
                self.inputs.ctl_op = op;
                self.inputs.ctl_wdata = value;
                self.inputs.ctl_valid = 1;
                self.waiting = true;
            } else {
                self.inputs.cpl = if self.one_in(100) { 0 } else { 3 };
                if self.one_in(200) {
                    let op = self.below(7) as u8;
                    self.operations = vec![(LLWPCB, BLOCK), (op, BLOCK)];
                }
            }
        }
    }

    fn retire(&mut self) {
        self.inputs.partial = u8::from(self.one_in(40));
        self.inputs.entropy = self.below(1 << 32) as u32;
        self.inputs.fill_valid = u8::from(self.one_in(5));
        self.inputs.fill_ip = self.below(1 << 47);
        self.inputs.fill_latency = self.below(400) as u32;
        self.inputs.fill_source = self.below(8) as u8;
        self.inputs.replay_abort = u8::from(self.one_in(50));
        for index in 0..self.lanes {
            self.inputs.lanes[index] = if self.one_in(3) { self.lane() } else { LwpLane::default() };
        }
    }

    fn lane(&mut self) -> LwpLane {
        LwpLane {
            ip: self.below(1 << 47),
            branch_next: self.below(1 << 47),
            loads: [self.load(), self.load()],
            valid: u8::from(self.inputs.ctl_valid == 0),
            counts: 1,
            branch_kind: self.below(16) as u8,
            branch_taken: self.below(2) as u8,
            branch_pred_valid: self.below(2) as u8,
            branch_pred_ok: self.below(2) as u8,
            reserved: [0; 2],
        }
    }

    fn load(&mut self) -> LwpLoad {
        LwpLoad {
            addr: self.below(1 << 47),
            latency: self.below(0x8000_0000) as u32,
            source: self.below(8) as u8,
            miss: u8::from(self.one_in(4)),
            addr_valid: self.below(2) as u8,
            tagged: self.below(2) as u8,
        }
    }
}
