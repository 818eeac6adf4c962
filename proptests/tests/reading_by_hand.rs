//! The third reading, followed by hand: sequences at the ports, to be read with the proposal open. They say what the reading takes
//! for right and what for wrong.

use lwp_model::lwp::{Config, CtlOp, FaultPolicy, Inputs, Lane, MemCmd, Mode, OpMode, Outputs};
use proptests::lwp::reading::{Coverage, Disputed, Reading};

const BLOCK: u64 = 0x1000;
const RING: u64 = 0x2000;
const USER: Mode = Mode { cpl: 3, smm: false, op_mode: OpMode::Long64 };

/// Hand-made ports: one lane, one slot.
struct Ports {
    reading: Reading<1>,
    mode: Mode,
    msr0: u32,
    irq: bool,
    pf: Option<(u64, bool)>,
    stall: bool,
    seen: Result<(), String>,
}

impl Ports {
    /// After reset, with everything enabled by LWPMSR0.
    fn new(straps: &Config) -> Self {
        let reading = Reading::new(straps, 1, 31);
        let (mode, msr0, irq, pf, stall) = (Mode { cpl: 0, ..USER }, 0, false, None, false);
        let mut ports = Self { reading, mode, msr0, irq, pf, stall, seen: Ok(()) };
        ports.seen = ports.reading.cycle(false, &Inputs::default(), &Outputs::default());
        ports.operate(CtlOp::WriteMsr0, 0x8000_000F, |ports| ports.msr0 = 0x8000_000F, 0);
        ports.enter(USER);
        ports
    }

    fn cycle(&mut self, inputs: Inputs<1>, out: Outputs) {
        let inputs = Inputs { mode: self.mode, ..inputs };
        let pf_addr = self.pf.map_or(0, |(addr, _)| addr);
        let pf_write = self.pf.is_some_and(|(_, write)| write);
        let (msr0, irq, pf_valid) = (self.msr0, self.irq, self.pf.is_some());
        let out = Outputs { msr0, irq, pf_valid, pf_addr, pf_write, stall: self.stall || out.stall, ..out };
        let now = self.reading.cycle(true, &inputs, &out);
        self.seen = core::mem::replace(&mut self.seen, Ok(())).and(now);
    }

    fn idle(&mut self, cycles: usize) {
        (0..cycles).for_each(|_| self.cycle(Inputs::default(), Outputs::default()));
    }

    fn enter(&mut self, mode: Mode) {
        self.mode = mode;
        self.idle(1);
    }

    /// An operation from acceptance to its answer.
    fn operate(&mut self, op: CtlOp, wdata: u64, during: impl FnOnce(&mut Self), rdata: u64) {
        let mut inputs = Inputs::default();
        (inputs.ctl.valid, inputs.ctl.op, inputs.ctl.wdata) = (true, op, wdata);
        self.cycle(inputs, Outputs::default());
        self.stall = true;
        during(self);
        self.cycle(Inputs::default(), Outputs { rsp_valid: true, rsp_rdata: rdata, ..Outputs::default() });
        self.stall = false;
    }

    /// A context word is saved or restored.
    fn context(&mut self, op: CtlOp, word: u8, wdata: u64, rdata: u64) {
        let mut inputs = Inputs::default();
        (inputs.ctl.valid, inputs.ctl.op, inputs.ctl.word, inputs.ctl.wdata) = (true, op, word, wdata);
        self.cycle(inputs, Outputs::default());
        self.stall = true;
        self.cycle(Inputs::default(), Outputs { rsp_valid: true, rsp_rdata: rdata, ..Outputs::default() });
        self.stall = false;
    }

    /// An access that is granted at once and answered in the next cycle.
    fn access(&mut self, mem_cmd: MemCmd, mem_addr: u64, mem_be: u8, mem_wdata: u64, answer: Option<u64>) {
        let out = Outputs { mem_req: true, mem_cmd, mem_addr, mem_be, mem_wdata, ..Outputs::default() };
        let mut inputs = Inputs::default();
        inputs.mem.gnt = true;
        self.cycle(inputs, out);
        let mut inputs = Inputs::default();
        inputs.mem.rvalid = true;
        (inputs.mem.err, inputs.mem.rdata) = (answer.is_none(), answer.unwrap_or_default());
        self.cycle(inputs, Outputs::default());
    }

    fn read(&mut self, addr: u64, value: u64) {
        self.access(MemCmd::Read, addr, 0xFF, 0, Some(value));
    }

    fn write(&mut self, addr: u64, be: u8, value: u64) {
        self.access(MemCmd::Write, addr, be, value, Some(0));
    }

    /// LLWPCB of a block with this ring, threshold and first slot; Flags are what is written.
    fn load(&mut self, size: u64, threshold: u64, slot: u64, flags: u64) {
        let load = |ports: &mut Self| {
            ports.access(MemCmd::Probe, BLOCK, 0xFF, 0, Some(0));
            for (offset, word) in [(0, size << 32), (8, RING), (16, 0), (32, threshold), (40, slot)] {
                ports.read(BLOCK + offset, word);
            }
            ports.write(BLOCK, 0x0F, flags);
        };
        self.operate(CtlOp::Llwpcb, BLOCK, load, 0);
    }

    fn retire(&mut self, ip: u64) {
        let mut inputs = Inputs::default();
        inputs.lanes[0] = Lane { valid: true, counts: true, ip, ..Lane::default() };
        self.cycle(inputs, Outputs::default());
    }

    /// The four words of an instructions-retired record.
    fn record(&mut self, head: u64, ip: u64) {
        for (at, word) in [1, ip, 0, 0].into_iter().enumerate() {
            self.write(RING + head + 8 * at as u64, 0xFF, word);
        }
    }

    /// Record, look at the tail, head.
    fn store(&mut self, head: u64, ip: u64, tail: u64, next: u64) {
        self.record(head, ip);
        self.access(MemCmd::Read, BLOCK + 16, 0xF0, 0, Some(tail << 32));
        self.write(BLOCK + 16, 0x0F, next);
    }

    fn end(self) -> Result<Coverage, String> {
        self.seen.and_then(|()| self.reading.finish())
    }

    /// The sequence must have been accepted, or refused for this reason.
    #[track_caller]
    fn accepted_or_refused(self, accepted: bool, reason: &str) {
        if accepted {
            self.end().unwrap();
        } else {
            self.refused(reason);
        }
    }

    /// The sequence must have been refused, for this reason.
    #[track_caller]
    fn refused(self, reason: &str) {
        let text = self.end().expect_err(reason);
        assert!(text.contains(reason), "{text}");
    }
}

/// A slot word of the instructions-retired event, and its counter.
const fn slot(interval: u64, counter: u64) -> u64 {
    1 << 26 | interval | counter << 32
}

// LWP-CNT-01, LWP-GAT-01, LWP-STO-01, LWP-STO-02, LWP-RST-01, LWP-LLW-27: the first record after EventCounter events, the next
// ones an interval apart.
#[test]
fn every_third_instruction_is_recorded() {
    let mut ports = Ports::new(&Config::default());
    ports.load(256, 0, slot(3, 2), 0x8000_0003);
    ports.retire(0xA0);
    ports.retire(0xA1);
    ports.store(0, 0xA1, 0, 32);
    ports.idle(20);
    for ip in 0xB0..0xB3 {
        ports.retire(ip);
    }
    ports.store(32, 0xB2, 0, 64);
    ports.idle(20);
    let seen = ports.end().unwrap();
    assert_eq!((seen.exact, seen.bounded, seen.operations, seen.lost), (2, 0, 2, 0));
}

// LWP-STO-11, LWP-STO-12: when the store ends is not seen, so the next record may be one of two.
#[test]
fn a_store_that_runs_beside_the_program_leaves_a_choice() {
    for recorded in [0xB0, 0xB1] {
        let mut ports = Ports::new(&Config::default());
        ports.load(256, 0, slot(1, 1), 0x8000_0003);
        ports.retire(0xA0);
        ports.store(0, 0xA0, 0, 32);
        ports.retire(0xB0);
        ports.retire(0xB1);
        ports.idle(2);
        ports.store(32, recorded, 0, 64);
        let seen = ports.end().unwrap();
        assert_eq!((seen.exact, seen.bounded), (1, 1));
    }
}

// LWP-STO-14, LWP-FLT-11: the head is written when the record is complete, not before.
#[test]
fn a_head_before_its_record_is_refused() {
    let mut ports = Ports::new(&Config::default());
    ports.load(256, 0, slot(1, 1), 0x8000_0003);
    ports.retire(0xA0);
    ports.access(MemCmd::Read, BLOCK + 16, 0xF0, 0, Some(0));
    ports.write(RING, 0xFF, 1);
    ports.write(BLOCK + 16, 0x0F, 32);
    ports.refused("a record is finished with bytes");
}

// LWP-LCB-15, LWP-LCB-09: BufferTailOffset and Flags are not the hardware's to write.
#[test]
fn fields_of_software_are_not_written() {
    for (be, value) in [(0xF0, 0), (0xFF, 32)] {
        let mut ports = Ports::new(&Config::default());
        ports.load(256, 0, slot(1, 1), 0x8000_0003);
        ports.retire(0xA0);
        ports.record(0, 0xA0);
        ports.write(BLOCK + 16, be, value);
        ports.refused("no step of storing");
    }
}

// LWP-FLG-01, LWP-FLG-07, LWP-LLW-14: Flags name what is collected and nothing else.
#[test]
fn wrong_flags_are_refused() {
    for flags in [0, 1, 3, 0x8000_0007, 0xC000_0003] {
        let mut ports = Ports::new(&Config::default());
        ports.load(256, 0, slot(1, 1), flags);
        ports.refused("Flags");
    }
}

// LWP-LLW-16, LWP-LCB-42: a ring of one record cannot be used, so nothing is collected.
#[test]
fn an_unusable_ring_ends_the_session() {
    let mut ports = Ports::new(&Config::default());
    ports.load(32, 0, slot(1, 1), 0);
    ports.retire(0xA0);
    ports.operate(CtlOp::Slwpcb, 0, |_| {}, 0);
    ports.idle(20);
    assert_eq!(ports.end().map(|seen| seen.exact), Ok(0));
}

// LWP-SLW-01, LWP-SLW-02, LWP-CNT-16: SLWPCB writes head and counter and returns the pointer.
#[test]
fn a_flush_tells_the_counter() {
    for (value, right) in [(3_u64, true), (4, false), (2, false)] {
        let mut ports = Ports::new(&Config::default());
        ports.load(256, 0, slot(9, 5), 0x8000_0003);
        ports.retire(0xA0);
        ports.retire(0xA1);
        let flush = |ports: &mut Ports| {
            ports.write(BLOCK + 16, 0x0F, 0);
            ports.write(BLOCK + 40, 0xF0, value << 32);
        };
        ports.operate(CtlOp::Slwpcb, 0, flush, BLOCK);
        ports.accepted_or_refused(right, "the counter of event 1 is flushed as");
    }
}

// LWP-RST-08, AMB-19: word 9 of the context is the LFSR: 0 until the first reload, then its seed (1) advanced once for each
// record; and what was restored.
#[test]
fn the_saved_lfsr_is_that_of_the_reloads() {
    const ONCE: u64 = 0xB6F6_B6C3;
    const TWICE: u64 = 0x8A0F_3DB5;
    const RESTORED: u64 = 0x1234_5678;
    let cases = [
        (0, 0, RESTORED, true),
        (1, ONCE, RESTORED, true),
        (2, TWICE, RESTORED, true),
        (0, 1, RESTORED, false),
        (1, 0, RESTORED, false),
        (2, ONCE, RESTORED, false),
        (1, ONCE | 1 << 32, RESTORED, false),
        (1, ONCE, ONCE, false),
    ];
    for (records, first, second, right) in cases {
        let mut ports = Ports::new(&Config::default());
        ports.load(256, 0, slot(1, 1), 0x8000_0003);
        for at in 0..records {
            ports.retire(0xA0);
            ports.store(32 * at, 0xA0, 0, 32 * at + 32);
            ports.idle(20);
        }
        ports.enter(Mode { cpl: 0, ..USER });
        ports.context(CtlOp::Save, 9, 0, first);
        ports.context(CtlOp::Restore, 9, RESTORED, 0);
        ports.context(CtlOp::Save, 9, 0, second);
        ports.accepted_or_refused(right, "context word 9 is");
    }
}

/// Two records in a ring of eight with a threshold of 64 bytes; true if the interrupt comes.
fn cross(straps: &Config, interrupt: bool) -> Ports {
    let mut ports = Ports::new(straps);
    ports.load(256, 64, slot(1, 1), 0x8000_0003);
    for head in [0, 32] {
        ports.retire(0xA0 + head);
        ports.store(head, 0xA0 + head, 0, head + 32);
        ports.idle(4);
    }
    ports.irq = interrupt;
    ports
}

// LWP-RPT-03, LWP-RPT-06, LWP-RPT-11: one interrupt when the used space equals the threshold, after the head is in memory.
#[test]
fn the_threshold_interrupts_once() {
    let straps = Config::default();
    let mut ports = cross(&straps, true);
    ports.idle(60);
    assert_eq!(ports.end().map(|seen| seen.interrupts), Ok(1));
    let mut ports = cross(&straps, false);
    ports.idle(60);
    ports.refused("the threshold was crossed, but there was no interrupt");
    let mut ports = cross(&straps, true);
    ports.idle(1);
    ports.cycle(Inputs { irq_ack: true, ..Inputs::default() }, Outputs::default());
    ports.idle(1);
    ports.refused("the threshold was not crossed since");
}

// LWP-RPT-08: a delay that a strap names is kept.
#[test]
fn an_early_interrupt_is_refused() {
    cross(&Config { irq_delay: 30, ..Config::default() }, true).also_idle().refused("the threshold was not crossed");
}

impl Ports {
    fn also_idle(mut self) -> Self {
        self.idle(2);
        self
    }
}

// LWP-STO-05, LWP-STO-07, LWP-RPT-07: the second record of a ring of two finds it full; the head stays, MissedEvents counts.
#[test]
fn a_full_ring_counts_missed_events() {
    for (sum, right) in [(8, true), (9, false), (7, false)] {
        let mut ports = Ports::new(&Config::default());
        ports.load(64, 0, slot(1, 1), 0x8000_0003);
        ports.retire(0xA0);
        ports.store(0, 0xA0, 0, 32);
        ports.idle(20);
        ports.retire(0xA1);
        ports.record(32, 0xA1);
        ports.access(MemCmd::Read, BLOCK + 16, 0xF0, 0, Some(0));
        ports.access(MemCmd::Read, BLOCK + 24, 0xFF, 0, Some(7));
        ports.write(BLOCK + 24, 0xFF, sum);
        ports.idle(20);
        ports.accepted_or_refused(right, "is written, expected 0x8");
    }
}

// LWP-SEC-08, LWP-CTX-13: no access outside ring 3.
#[test]
fn the_kernel_sees_no_access() {
    let mut ports = Ports::new(&Config::default());
    ports.load(256, 0, slot(1, 1), 0x8000_0003);
    ports.retire(0xA0);
    ports.enter(Mode { cpl: 0, ..USER });
    ports.write(RING, 0xFF, 1);
    ports.refused("outside ring 3");
}

// LWP-FLT-06, LWP-FLT-14, LWP-RST-04: with policy trap the record is gone and the counter still at zero.
#[test]
fn after_a_trap_the_next_instruction_is_recorded() {
    let mut ports = Ports::new(&Config { fault_policy: FaultPolicy::Trap, ..Config::default() });
    ports.load(256, 0, slot(5, 1), 0x8000_0003);
    ports.retire(0xA0);
    ports.access(MemCmd::Write, RING, 0xFF, 1, None);
    ports.pf = Some((RING, true));
    ports.idle(1);
    ports.enter(Mode { cpl: 0, ..USER });
    ports.cycle(Inputs { pf_ack: true, ..Inputs::default() }, Outputs::default());
    ports.pf = None;
    ports.enter(USER);
    ports.retire(0xA1);
    ports.store(0, 0xA1, 0, 32);
    ports.idle(20);
    assert_eq!(ports.end().map(|seen| (seen.traps, seen.exact)), Ok((1, 1)));
}

// LWP-LLW-26: after a page fault of LLWPCB the old session goes on. A unit that loads it anew is let off only if asked for.
#[test]
fn a_faulting_llwpcb_changes_nothing() {
    for allowed in [false, true] {
        let mut ports = Ports::new(&Config::default());
        ports.reading = ports.reading.allowing(Disputed { reload_after_fault: allowed, ..Disputed::default() });
        ports.load(256, 0, slot(9, 5), 0x8000_0003);
        let mut inputs = Inputs::default();
        (inputs.ctl.valid, inputs.ctl.op, inputs.ctl.wdata) = (true, CtlOp::Llwpcb, BLOCK);
        ports.cycle(inputs, Outputs::default());
        ports.stall = true;
        ports.access(MemCmd::Probe, BLOCK, 0xFF, 0, Some(0));
        ports.write(BLOCK + 16, 0x0F, 0);
        ports.write(BLOCK + 40, 0xF0, 5 << 32);
        ports.access(MemCmd::Read, BLOCK, 0xFF, 0, None);
        let fault = lwp_model::lwp::Fault::PageFault;
        let out = Outputs { rsp_valid: true, rsp_fault: fault, rsp_fault_addr: BLOCK, ..Outputs::default() };
        ports.cycle(Inputs::default(), out);
        ports.idle(2);
        // The old block is loaded although it was never unloaded.
        ports.read(BLOCK, 256 << 32);
        ports.accepted_or_refused(allowed, "no record is on its way, but the unit accesses memory");
    }
}
