//! A test bench: the unit, logical processors that do one thing in a cycle, and memory. Unless a test says otherwise, memory grants in
//! the first cycle, as local, and answers in the next.

use crate::unit::Rdt;
use lwp_model::rdt::{Config, Inputs, LpInputs, Memory, ModeInputs, Power, Step, Vendor};
use lwp_model::retire::{IntKind, RegOp, RegRequest, RegResult};

pub(super) const L3_QOS_CFG: u32 = 0xC81;
pub(super) const L2_QOS_CFG: u32 = 0xC82;
pub(super) const EVTSEL: u32 = 0xC8D;
pub(super) const CTR: u32 = 0xC8E;
pub(super) const PQR_ASSOC: u32 = 0xC8F;
pub(super) const L3_MASK: u32 = 0xC90;
pub(super) const L2_MASK: u32 = 0xD10;
pub(super) const THROTTLE: u32 = 0xD50;

/// Flags of IA32_QM_CTR.
pub(super) const ERROR: Answer = Ok(1 << 63);
pub(super) const UNAVAILABLE: Answer = Ok(1 << 62);

/// Cycles that a test waits at most.
const PATIENCE: usize = 2000;

/// What a request is answered: the value of one that is done.
pub(super) type Answer = Result<u64, RegResult>;

pub(super) const DONE: Answer = Ok(0);
pub(super) const GP: Answer = Err(RegResult::GeneralProtection);
pub(super) const NOT_MINE: Answer = Err(RegResult::NotMine);

/// The small build: two logical processors, 8 sets of 4 ways, 4 sets of 2 ways, four RMIDs and classes.
pub(super) type Bench = Of<2, 8, 4, 4, 2, 4, 4>;
/// The large build.
pub(super) type Large = Of<4, 64, 16, 16, 8, 16, 8>;

/// Where an access found its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    L2,
    L3,
    Nowhere,
}

/// A line that memory took or was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moved {
    pub(super) write: bool,
    pub(super) line: u64,
    pub(super) rmid: u8,
    pub(super) cos: u8,
}

#[derive(Debug)]
pub(super) struct Of<
    const LPS: usize,
    const L3_SETS: usize,
    const L3_WAYS: usize,
    const L2_SETS: usize,
    const L2_WAYS: usize,
    const RMIDS: usize,
    const CLASSES: usize,
> {
    pub(super) unit: Rdt<LPS, L3_SETS, L3_WAYS, L2_SETS, L2_WAYS, RMIDS, CLASSES>,
    pub(super) power: Power,
    /// Whether monitoring data are not available.
    pub(super) unavailable: bool,
    /// Mode of the logical processor that makes a register request.
    pub(super) mode: ModeInputs,
    /// The interruption that every logical processor shows in every cycle.
    pub(super) int: Option<IntKind>,
    /// Whether memory is that of this package.
    pub(super) local: bool,
    /// Cycles that memory lets pass before it grants, and again before the line arrives.
    pub(super) late: usize,
    /// What memory took and was asked for, in this order.
    pub(super) moved: Vec<Moved>,
    /// Number of the cycle.
    pub(super) now: usize,
    waited: usize,
}

/// The default straps without the L2 cache.
pub(super) fn l3_only() -> Config {
    let straps = Config { l2: false, l2_sets: 0, l2_ways: 0, ..Config::default() };
    Config { l2_cat: false, l2_cdp: false, l2_cos: 0, ..straps }
}

/// The straps with the masks of AMD.
pub(super) fn amd(straps: Config) -> Config {
    Config { vendor: Vendor::Amd, width: 44, ..straps }
}

/// A read of an address.
pub(super) fn read(addr: u64) -> LpInputs {
    LpInputs { req_valid: true, req_addr: addr, ..LpInputs::default() }
}

/// A write to an address.
pub(super) fn write(addr: u64) -> LpInputs {
    LpInputs { req_write: true, ..read(addr) }
}

/// A read of a line of 64 bytes.
pub(super) fn load(line: u64) -> LpInputs {
    read(line << 6)
}

/// A write to a line of 64 bytes.
pub(super) fn store(line: u64) -> LpInputs {
    write(line << 6)
}

/// A fetch of code from a line of 64 bytes.
pub(super) fn fetch(line: u64) -> LpInputs {
    LpInputs { req_code: true, ..load(line) }
}

/// A line that was read, by an access of class 0.
pub(super) fn in_from(line: u64, rmid: u8) -> Moved {
    Moved { write: false, line, rmid, cos: 0 }
}

/// A line that was written back.
pub(super) fn out_to(line: u64, rmid: u8) -> Moved {
    Moved { write: true, line, rmid, cos: 0 }
}

/// IA32_PQR_ASSOC.
pub(super) fn assoc(rmid: u64, cos: u64) -> u64 {
    cos << 32 | rmid
}

/// IA32_QM_EVTSEL.
pub(super) fn evtsel(event: u64, rmid: u64) -> u64 {
    rmid << 32 | event
}

/// A WRMSR of logical processor `lp`.
pub(super) fn wrmsr(lp: u8, number: u32, wdata: u64) -> RegRequest {
    RegRequest { valid: true, op: RegOp::Wrmsr, lp, number, wdata }
}

impl<
    const LPS: usize,
    const L3_SETS: usize,
    const L3_WAYS: usize,
    const L2_SETS: usize,
    const L2_WAYS: usize,
    const RMIDS: usize,
    const CLASSES: usize,
> Of<LPS, L3_SETS, L3_WAYS, L2_SETS, L2_WAYS, RMIDS, CLASSES>
{
    /// A unit in the first cycle after reset, with power for all ways.
    pub(super) fn after_reset(straps: Config) -> Self {
        Self {
            unit: Rdt::new(straps).unwrap(),
            power: Power { l3_power: 31, l2_power: 15 },
            unavailable: false,
            mode: ModeInputs::default(),
            int: None,
            local: true,
            late: 0,
            moved: Vec::new(),
            now: 0,
            waited: 0,
        }
    }

    /// A unit that has left clear, with power for all ways.
    pub(super) fn new(straps: Config) -> Self {
        let mut bench = Self::after_reset(straps);
        bench.clear();
        bench
    }

    /// Idle cycles until clear is left.
    pub(super) fn clear(&mut self) {
        while self.step() == Step::Clear {
            self.idle();
        }
    }

    pub(super) fn step(&self) -> Step {
        self.unit.state().job.step
    }

    /// One cycle in which the logical processors ask for this.
    pub(super) fn cycle(&mut self, lp: [LpInputs; LPS]) {
        self.with(Inputs { lp, ..Inputs::default() });
    }

    pub(super) fn idle(&mut self) {
        self.cycle([LpInputs::default(); LPS]);
    }

    pub(super) fn pass(&mut self, cycles: usize) {
        for _ in 0..cycles {
            self.idle();
        }
    }

    /// One cycle with these inputs, but for what the bench has. `show` goes through all sets.
    pub(super) fn with(&mut self, inputs: Inputs<LPS>) {
        let out = self.unit.outputs();
        let (req, waits) = (out.mem_req, self.step() == Step::MemWait);
        let ready = self.waited >= self.late;
        self.waited = if (req || waits) && !ready { self.waited + 1 } else { 0 };
        if req && ready {
            let (line, rmid, cos) = (out.mem_addr >> self.unit.config().line, out.mem_rmid, out.mem_cos);
            self.moved.push(Moved { write: out.mem_write, line, rmid, cos });
        }
        let gnt = req && ready;
        // Without a grant `mem_local` means nothing.
        let mem = Memory { mem_gnt: gnt, mem_local: gnt == self.local, mem_rvalid: waits && ready };
        let mut lp = inputs.lp;
        if let Some(int_kind) = self.int {
            lp = lp.map(|lp| LpInputs { int_valid: true, int_kind, ..lp });
        }
        let show = (self.now % L3_SETS.max(L2_SETS)) as u16;
        let (power, mode, qm_unavailable) = (self.power, self.mode, self.unavailable);
        self.unit.step(&Inputs { lp, mem, power, qm_unavailable, show, mode, ..inputs });
        self.now += 1;
    }

    /// One cycle in which logical processor `lp` asks for this, together with a register request.
    pub(super) fn ask_for(&mut self, lp: usize, request: LpInputs, reg: RegRequest) {
        let mut requests = [LpInputs::default(); LPS];
        requests[lp] = request;
        self.with(Inputs { lp: requests, reg, ..Inputs::default() });
    }

    /// Idle cycles until the access of a logical processor is complete.
    pub(super) fn wait(&mut self, lp: usize) -> Found {
        for _ in 0..PATIENCE {
            let out = self.unit.outputs().lp[lp];
            if out.done {
                return match (out.l2_hit, out.l3_hit) {
                    (true, false) => Found::L2,
                    (false, true) => Found::L3,
                    (false, false) => Found::Nowhere,
                    both => panic!("{both:?}"),
                };
            }
            assert_eq!((out.l2_hit, out.l3_hit), (false, false), "hits without done");
            self.idle();
        }
        panic!("an access does not end");
    }

    /// Makes an access and waits until it is complete.
    pub(super) fn access(&mut self, lp: usize, request: LpInputs) -> Found {
        self.ask_for(lp, request, RegRequest::default());
        self.wait(lp)
    }

    /// Makes the accesses, one after the other.
    pub(super) fn accesses(&mut self, lp: usize, requests: &[LpInputs]) {
        for request in requests {
            self.access(lp, *request);
        }
    }

    /// Cycles from the request of an access to its end.
    pub(super) fn time(&mut self, lp: usize, request: LpInputs) -> usize {
        let start = self.now;
        self.access(lp, request);
        self.now - start
    }

    /// One cycle with a register request, and its answer.
    pub(super) fn ask(&mut self, reg: RegRequest) -> Answer {
        self.with(Inputs { reg, ..Inputs::default() });
        self.answer().expect("an answer in the next cycle")
    }

    pub(super) fn answer(&self) -> Option<Answer> {
        let out = self.unit.outputs();
        if out.reg_result != RegResult::Done || !out.reg_done {
            assert_eq!(out.reg_rdata, 0, "{out:?}");
        }
        out.reg_done.then_some(match out.reg_result {
            RegResult::Done => Ok(out.reg_rdata),
            refused => Err(refused),
        })
    }

    pub(super) fn try_wrmsr(&mut self, lp: u8, number: u32, wdata: u64) -> Answer {
        self.ask(wrmsr(lp, number, wdata))
    }

    /// WRMSR that is done.
    pub(super) fn wrmsr(&mut self, lp: u8, number: u32, wdata: u64) {
        assert_eq!(self.try_wrmsr(lp, number, wdata), DONE, "{number:x} := {wdata:x}");
    }

    pub(super) fn rdmsr(&mut self, lp: u8, number: u32) -> Answer {
        self.ask(RegRequest { op: RegOp::Rdmsr, ..wrmsr(lp, number, 0) })
    }

    /// Selects an event and an RMID, then reads IA32_QM_CTR.
    pub(super) fn select(&mut self, lp: u8, event: u64, rmid: u64) -> Answer {
        self.wrmsr(lp, EVTSEL, evtsel(event, rmid));
        self.rdmsr(lp, CTR)
    }

    /// Gives a logical processor an RMID and a class.
    pub(super) fn assign(&mut self, lp: u8, rmid: u64, cos: u64) {
        self.wrmsr(lp, PQR_ASSOC, assoc(rmid, cos));
    }

    /// Occupancy, total and local bandwidth of an RMID.
    pub(super) fn counts(&self, rmid: usize) -> (u32, u64, u64) {
        let rmid = self.unit.state().rmid[rmid];
        (rmid.occupancy, rmid.total, rmid.local)
    }

    /// Lines of a set of the L3 cache, way by way; 0 where none is valid.
    pub(super) fn l3_lines(&self, set: usize) -> [u64; L3_WAYS] {
        self.unit.l3_words()[set].line.map(|way| if way.valid { way.line } else { 0 })
    }

    /// Whether the lines of a set of the L3 cache are dirty.
    pub(super) fn l3_dirty(&self, set: usize) -> [bool; L3_WAYS] {
        self.unit.l3_words()[set].line.map(|way| way.dirty)
    }

    /// Ages of the ways of a set of the L3 cache.
    pub(super) fn l3_ages(&self, set: usize) -> [u8; L3_WAYS] {
        self.unit.l3_words()[set].line.map(|way| way.age)
    }

    /// Lines of a set of the L2 cache.
    pub(super) fn l2_lines(&self, set: usize) -> [u64; L2_WAYS] {
        self.unit.l2_words()[set].line.map(|way| if way.valid { way.line } else { 0 })
    }

    /// Whether the lines of a set of the L2 cache are dirty.
    pub(super) fn l2_dirty(&self, set: usize) -> [bool; L2_WAYS] {
        self.unit.l2_words()[set].line.map(|way| way.dirty)
    }
}
