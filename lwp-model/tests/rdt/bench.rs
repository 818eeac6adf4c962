//! A test bench: the unit, and memory that grants in the first cycle, as local, and answers in the next.

use crate::unit::Rdt;
use lwp_model::rdt::{Config, Inputs, LpInputs, Memory, Power, Step};
use lwp_model::retire::{RegOp, RegRequest, RegResult};

pub(super) const PQR_ASSOC: u32 = 0xC8F;
pub(super) const L3_MASK: u32 = 0xC90;
pub(super) const THROTTLE: u32 = 0xD50;

#[derive(Debug)]
pub(super) struct Bench {
    pub(super) unit: Rdt,
    pub(super) power: Power,
}

/// The default straps without the L2 cache.
pub(super) fn l3_only() -> Config {
    let straps = Config { l2: false, l2_sets: 0, l2_ways: 0, ..Config::default() };
    Config { l2_cat: false, l2_cdp: false, l2_cos: 0, ..straps }
}

/// A read of an address.
pub(super) fn read(addr: u64) -> LpInputs {
    LpInputs { req_valid: true, req_addr: addr, ..LpInputs::default() }
}

/// A write to an address.
pub(super) fn write(addr: u64) -> LpInputs {
    LpInputs { req_write: true, ..read(addr) }
}

impl Bench {
    /// A unit that has left clear, with power for all ways.
    pub(super) fn new(straps: Config) -> Self {
        let power = Power { l3_power: 31, l2_power: 15 };
        let mut bench = Self { unit: Rdt::new(straps).unwrap(), power };
        while bench.step() == Step::Clear {
            bench.idle();
        }
        bench
    }

    pub(super) fn step(&self) -> Step {
        self.unit.state().job.step
    }

    /// One cycle in which the logical processors ask for this.
    pub(super) fn cycle(&mut self, lp: [LpInputs; 2]) {
        self.with(Inputs { lp, ..Inputs::default() });
    }

    pub(super) fn idle(&mut self) {
        self.cycle([LpInputs::default(); 2]);
    }

    fn with(&mut self, inputs: Inputs<2>) {
        let gnt = self.unit.outputs().mem_req;
        let mem = Memory { mem_gnt: gnt, mem_local: gnt, mem_rvalid: self.step() == Step::MemWait };
        self.unit.step(&Inputs { mem, power: self.power, ..inputs });
    }

    /// Makes an access and waits until it is complete.
    pub(super) fn access(&mut self, lp: usize, request: LpInputs) {
        let mut requests = [LpInputs::default(); 2];
        requests[lp] = request;
        self.cycle(requests);
        while !self.unit.outputs().lp[lp].done {
            self.idle();
        }
    }

    /// WRMSR that is done.
    pub(super) fn wrmsr(&mut self, lp: u8, number: u32, wdata: u64) {
        let reg = RegRequest { valid: true, op: RegOp::Wrmsr, lp, number, wdata };
        self.with(Inputs { reg, ..Inputs::default() });
        let out = self.unit.outputs();
        assert_eq!((out.reg_done, out.reg_result), (true, RegResult::Done));
    }

    /// Occupancy, total and local bandwidth of an RMID.
    pub(super) fn counts(&self, rmid: usize) -> (u32, u64, u64) {
        let rmid = self.unit.state().rmid[rmid];
        (rmid.occupancy, rmid.total, rmid.local)
    }
}
