//! The unit's ports, driven by hand.

use lwp_model::lwp::{Config, CtlOp, Inputs, Lane, MemCmd, Mode, OpMode, Outputs};
use proptests::lwp::reading::{Coverage, Reading};

pub(super) const BLOCK: u64 = 0x1000;
pub(super) const RING: u64 = 0x2000;
pub(super) const USER: Mode = Mode { cpl: 3, smm: false, op_mode: OpMode::Long64 };

/// Hand-made ports: one lane, one slot.
pub(super) struct Ports {
    pub(super) reading: Reading<1>,
    mode: Mode,
    msr0: u32,
    pub(super) irq: bool,
    pub(super) pf: Option<(u64, bool)>,
    pub(super) stall: bool,
    seen: Result<(), String>,
}

impl Ports {
    /// After reset, with everything enabled by LWPMSR0.
    pub(super) fn new(straps: &Config) -> Self {
        let reading = Reading::new(straps, 1, 31);
        let (mode, msr0, irq, pf, stall) = (Mode { cpl: 0, ..USER }, 0, false, None, false);
        let mut ports = Self { reading, mode, msr0, irq, pf, stall, seen: Ok(()) };
        ports.seen = ports.reading.cycle(false, &Inputs::default(), &Outputs::default());
        ports.operate(CtlOp::WriteMsr0, 0x8000_000F, |ports| ports.msr0 = 0x8000_000F, 0);
        ports.enter(USER);
        ports
    }

    pub(super) fn cycle(&mut self, inputs: Inputs<1>, out: Outputs) {
        let inputs = Inputs { mode: self.mode, ..inputs };
        let pf_addr = self.pf.map_or(0, |(addr, _)| addr);
        let pf_write = self.pf.is_some_and(|(_, write)| write);
        let (msr0, irq, pf_valid) = (self.msr0, self.irq, self.pf.is_some());
        let out = Outputs { msr0, irq, pf_valid, pf_addr, pf_write, stall: self.stall || out.stall, ..out };
        let now = self.reading.cycle(true, &inputs, &out);
        self.seen = core::mem::replace(&mut self.seen, Ok(())).and(now);
    }

    pub(super) fn idle(&mut self, cycles: usize) {
        (0..cycles).for_each(|_| self.cycle(Inputs::default(), Outputs::default()));
    }

    pub(super) fn enter(&mut self, mode: Mode) {
        self.mode = mode;
        self.idle(1);
    }

    /// An operation from acceptance to its answer.
    pub(super) fn operate(&mut self, op: CtlOp, wdata: u64, during: impl FnOnce(&mut Self), rdata: u64) {
        let mut inputs = Inputs::default();
        (inputs.ctl.valid, inputs.ctl.op, inputs.ctl.wdata) = (true, op, wdata);
        self.cycle(inputs, Outputs::default());
        self.stall = true;
        during(self);
        self.cycle(Inputs::default(), Outputs { rsp_valid: true, rsp_rdata: rdata, ..Outputs::default() });
        self.stall = false;
    }

    /// A context word is saved or restored.
    pub(super) fn context(&mut self, op: CtlOp, word: u8, wdata: u64, rdata: u64) {
        let mut inputs = Inputs::default();
        (inputs.ctl.valid, inputs.ctl.op, inputs.ctl.word, inputs.ctl.wdata) = (true, op, word, wdata);
        self.cycle(inputs, Outputs::default());
        self.stall = true;
        self.cycle(Inputs::default(), Outputs { rsp_valid: true, rsp_rdata: rdata, ..Outputs::default() });
        self.stall = false;
    }

    /// An access that is granted at once and answered in the next cycle.
    pub(super) fn access(&mut self, mem_cmd: MemCmd, mem_addr: u64, mem_be: u8, mem_wdata: u64, answer: Option<u64>) {
        let out = Outputs { mem_req: true, mem_cmd, mem_addr, mem_be, mem_wdata, ..Outputs::default() };
        let mut inputs = Inputs::default();
        inputs.mem.gnt = true;
        self.cycle(inputs, out);
        let mut inputs = Inputs::default();
        inputs.mem.rvalid = true;
        (inputs.mem.err, inputs.mem.rdata) = (answer.is_none(), answer.unwrap_or_default());
        self.cycle(inputs, Outputs::default());
    }

    pub(super) fn read(&mut self, addr: u64, value: u64) {
        self.access(MemCmd::Read, addr, 0xFF, 0, Some(value));
    }

    pub(super) fn write(&mut self, addr: u64, be: u8, value: u64) {
        self.access(MemCmd::Write, addr, be, value, Some(0));
    }

    /// LLWPCB of a block with this ring, threshold and first slot; Flags are what is written.
    pub(super) fn load(&mut self, size: u64, threshold: u64, slot: u64, flags: u64) {
        let load = |ports: &mut Self| {
            ports.access(MemCmd::Probe, BLOCK, 0xFF, 0, Some(0));
            for (offset, word) in [(0, size << 32), (8, RING), (16, 0), (32, threshold), (40, slot)] {
                ports.read(BLOCK + offset, word);
            }
            ports.write(BLOCK, 0x0F, flags);
        };
        self.operate(CtlOp::Llwpcb, BLOCK, load, 0);
    }

    pub(super) fn retire(&mut self, ip: u64) {
        let mut inputs = Inputs::default();
        inputs.lanes[0] = Lane { valid: true, counts: true, ip, ..Lane::default() };
        self.cycle(inputs, Outputs::default());
    }

    /// The four words of an instructions-retired record.
    pub(super) fn record(&mut self, head: u64, ip: u64) {
        for (at, word) in [1, ip, 0, 0].into_iter().enumerate() {
            self.write(RING + head + 8 * at as u64, 0xFF, word);
        }
    }

    /// Record, look at the tail, head.
    pub(super) fn store(&mut self, head: u64, ip: u64, tail: u64, next: u64) {
        self.record(head, ip);
        self.access(MemCmd::Read, BLOCK + 16, 0xF0, 0, Some(tail << 32));
        self.write(BLOCK + 16, 0x0F, next);
    }

    pub(super) fn end(self) -> Result<Coverage, String> {
        self.seen.and_then(|()| self.reading.finish())
    }

    /// The sequence must have been accepted, or refused for this reason.
    #[track_caller]
    pub(super) fn accepted_or_refused(self, accepted: bool, reason: &str) {
        if accepted {
            self.end().unwrap();
        } else {
            self.refused(reason);
        }
    }

    /// The sequence must have been refused, for this reason.
    #[track_caller]
    pub(super) fn refused(self, reason: &str) {
        let text = self.end().expect_err(reason);
        assert!(text.contains(reason), "{text}");
    }
}

/// A slot word of the instructions-retired event, and its counter.
pub(super) const fn slot(interval: u64, counter: u64) -> u64 {
    1 << 26 | interval | counter << 32
}
