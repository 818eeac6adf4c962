//! A test bench: the unit, and a core that shows it bundles.

use crate::unit::Itanium;
use lwp_model::itanium::{
    Config, Fetch, Inputs, Issue, Mem, Outputs, RegOp, RegRequest, RegResult, Retire, State, TagEntry,
};
use lwp_regs::itanium::{PmcBus, PmcFault};

// Register files.
pub(super) const PMC: u32 = 0;
pub(super) const PMD: u32 = 1;
pub(super) const IBR: u32 = 2;
pub(super) const DBR: u32 = 3;
pub(super) const CR: u32 = 4;

// Fields of PMC[4] to PMC[7].
pub(super) const EV: u64 = 1 << 4;
pub(super) const OI: u64 = 1 << 5;
pub(super) const PM: u64 = 1 << 6;
pub(super) const IA64_ONLY: u64 = 0b10 << 24;
pub(super) const IA32_ONLY: u64 = 0b01 << 24;

// Bits of the PSR.
pub(super) const UP: u64 = 1 << 2;
pub(super) const SP: u64 = 1 << 20;
pub(super) const PP: u64 = 1 << 21;

/// PMC\[8\] or PMC\[9\] without a constraint, as the register reads.
pub(super) const ANY: u64 = 0xF000_0000_3FFF_FFF8;
/// PMC\[8\] or PMC\[9\] that no instruction matches.
pub(super) const NONE: u64 = 0x0000_0000_3FFF_FFF8;

/// Instructions that retire.
pub(super) const RETIRED: u8 = 0x08;
pub(super) const BRANCHES: u8 = 0x0D;
pub(super) const CYCLES: u8 = 0x12;
pub(super) const IA32: u8 = 0x15;
pub(super) const SQUASHED: u8 = 0x31;
pub(super) const REFERENCES: u8 = 0x63;
pub(super) const L1D_MISSES: u8 = 0x66;
pub(super) const LOADS: u8 = 0x6C;

/// nop.m or nop.i with predicate p0 and immediate 0.
pub(super) const NOP: u64 = 0x000_0800_0000;

/// PMC\[4 + c\] that counts this event at level 0.
pub(super) const fn pmc(es: u8, umask: u8) -> u64 {
    at_levels(es, umask, 0b0001)
}

/// PMC\[4 + c\] that counts this event at these levels.
pub(super) const fn at_levels(es: u8, umask: u8, plm: u64) -> u64 {
    plm | (es as u64) << 8 | (umask as u64) << 16
}

/// PMC\[4 + c\].threshold.
pub(super) const fn threshold(value: u64) -> u64 {
    value << 20
}

/// ibr\[2k + 1\] or dbr\[2k + 1\] that compares the bits of an address that are in `mask`, at these levels.
pub(super) const fn compares(mask: u64, plm: u64) -> u64 {
    mask & ((1 << 56) - 1) | plm << 56
}

pub(super) fn fetch(id: u8, addr: u64) -> Fetch {
    Fetch { valid: true, id, addr, cpl: 0 }
}

pub(super) fn issue(id: u8, template_code: u8, [slot0, slot1, slot2]: [u64; 3]) -> Issue {
    Issue { valid: true, id, template_code, slot0, slot1, slot2 }
}

/// Instructions that retire with predicate 1 and are no branches.
pub(super) fn retire(id: u8, slots: u8) -> Retire {
    Retire { valid: true, id, slots, ..Retire::default() }
}

/// A record of the instruction in a slot, without an event yet.
pub(super) fn record(id: u8, slot: u8, addr: u64) -> Mem {
    Mem { valid: true, id, slot, addr, ..Mem::default() }
}

/// So many instructions of a bundle.
pub(super) fn slots(number: u8) -> u8 {
    (1 << number) - 1
}

#[derive(Debug)]
pub(super) struct Bench<const BUNDLES: usize, const ENTRIES: usize> {
    pub(super) unit: Itanium<BUNDLES, ENTRIES>,
    /// Level, instruction set and clock of every cycle.
    pub(super) stays: Inputs<BUNDLES>,
}

impl<const BUNDLES: usize, const ENTRIES: usize> Bench<BUNDLES, ENTRIES> {
    /// The unit after reset, in IA-64 code at level 0.
    pub(super) fn new(straps: Config) -> Self {
        Self { unit: Itanium::new(straps).unwrap(), stays: Inputs::default() }
    }

    /// The same with `fr` = 0 and `up` = 1.
    pub(super) fn on(straps: Config) -> Self {
        let mut bench = Self::new(straps);
        bench.write(PMC, 0, 0);
        assert_eq!(bench.request(RegOp::Sum, 0, UP), Ok(0));
        bench
    }

    /// The same with MII bundles in all entries, whose tags are hit.
    pub(super) fn tagged(straps: Config) -> Self {
        let mut bench = Self::on(straps);
        for id in 0..ENTRIES as u8 {
            bench.bring(id, 0x1000, 0, [NOP; 3]);
        }
        bench
    }

    pub(super) fn state(&self) -> &State {
        self.unit.state()
    }

    pub(super) fn out(&self) -> Outputs {
        self.unit.outputs()
    }

    pub(super) fn tag(&self, entry: usize) -> (u8, u8, u8) {
        let TagEntry { range, pmc8, pmc9 } = self.state().tag[entry];
        (range.into(), pmc8, pmc9)
    }

    pub(super) fn counts(&self) -> [u32; 4] {
        self.state().counter.map(|counter| counter.count)
    }

    /// One cycle with these inputs, but for what stays.
    pub(super) fn cycle(&mut self, inputs: Inputs<BUNDLES>) -> Outputs {
        let Inputs { cpl, psr_is, core_clock, .. } = self.stays;
        self.unit.step(&Inputs { cpl, psr_is, core_clock: core_clock || inputs.core_clock, ..inputs });
        self.out()
    }

    pub(super) fn idle(&mut self) -> Outputs {
        self.cycle(Inputs::default())
    }

    pub(super) fn fetch(&mut self, fetch: Fetch) {
        let mut inputs = Inputs::default();
        inputs.fetch[0] = fetch;
        self.cycle(inputs);
    }

    pub(super) fn issue(&mut self, issue: Issue) {
        let mut inputs = Inputs::default();
        inputs.issue[0] = issue;
        self.cycle(inputs);
    }

    /// A bundle is fetched at the present level, and issued.
    pub(super) fn bring(&mut self, id: u8, addr: u64, template_code: u8, slots: [u64; 3]) {
        self.fetch(Fetch { cpl: self.stays.cpl, ..fetch(id, addr) });
        self.issue(issue(id, template_code, slots));
    }

    pub(super) fn retire(&mut self, retire: Retire) -> Outputs {
        self.cycle(retiring(retire))
    }

    /// So many instructions of entry 0 retire.
    pub(super) fn run(&mut self, number: u8) -> Outputs {
        self.retire(retire(0, slots(number)))
    }

    pub(super) fn mem(&mut self, mem: Mem) {
        self.cycle(recording(mem));
    }

    pub(super) fn interrupt(&mut self) -> Outputs {
        self.cycle(Inputs { int_valid: true, ..Inputs::default() })
    }

    /// A request at the present level, and its answer.
    pub(super) fn request(&mut self, op: RegOp, number: u32, wdata: u64) -> Result<u64, RegResult> {
        let out = self.cycle(asking(op, number, wdata));
        assert!(out.reg_done, "an answer in the next cycle");
        if out.reg_result == RegResult::Done { Ok(out.reg_rdata) } else { Err(out.reg_result) }
    }

    pub(super) fn mov_to(&mut self, file: u32, index: u8, value: u64) -> Result<u64, RegResult> {
        self.request(RegOp::WriteFile, register(file, index), value)
    }

    pub(super) fn mov_from(&mut self, file: u32, index: u8) -> Result<u64, RegResult> {
        self.request(RegOp::ReadFile, register(file, index), 0)
    }

    /// A write at level 0 of IA-64 code, whatever the level is.
    pub(super) fn write(&mut self, file: u32, index: u8, value: u64) {
        let stays = self.stays;
        (self.stays.cpl, self.stays.psr_is) = (0, false);
        assert_eq!(self.mov_to(file, index, value), Ok(0), "file {file}, index {index}");
        self.stays = stays;
    }

    pub(super) fn read(&mut self, file: u32, index: u8) -> u64 {
        self.mov_from(file, index).unwrap()
    }

    /// PSR.up, PSR.sp and PSR.pp by rfi.
    pub(super) fn rfi(&mut self, psr: u64) {
        let cpl = core::mem::take(&mut self.stays.cpl);
        assert_eq!(self.request(RegOp::Rfi, 0, psr), Ok(0));
        self.stays.cpl = cpl;
    }
}

pub(super) const fn register(file: u32, index: u8) -> u32 {
    file << 8 | index as u32
}

pub(super) fn retiring<const BUNDLES: usize>(retire: Retire) -> Inputs<BUNDLES> {
    let mut inputs = Inputs::default();
    inputs.retire[0] = retire;
    inputs
}

pub(super) fn recording<const BUNDLES: usize>(mem: Mem) -> Inputs<BUNDLES> {
    let mut inputs = Inputs::default();
    inputs.mem[0] = mem;
    inputs
}

pub(super) fn asking<const BUNDLES: usize>(op: RegOp, number: u32, wdata: u64) -> Inputs<BUNDLES> {
    Inputs { reg: RegRequest { valid: true, op, lp: 0, number, wdata }, ..Inputs::default() }
}

/// mov file\[index\] = value.
pub(super) fn writing<const BUNDLES: usize>(file: u32, index: u8, value: u64) -> Inputs<BUNDLES> {
    asking(RegOp::WriteFile, register(file, index), value)
}

fn fault(result: RegResult) -> PmcFault {
    match result {
        RegResult::PrivilegedOperation => PmcFault::PrivilegedOperation,
        other => panic!("{other:?}"),
    }
}

impl<const BUNDLES: usize, const ENTRIES: usize> PmcBus for Bench<BUNDLES, ENTRIES> {
    type Fault = PmcFault;

    fn read_pmc(&mut self, index: u8) -> Result<u64, PmcFault> {
        self.mov_from(PMC, index).map_err(fault)
    }

    fn write_pmc(&mut self, index: u8, value: u64) -> Result<(), PmcFault> {
        self.mov_to(PMC, index, value).map(|_| ()).map_err(fault)
    }

    fn read_pmd(&mut self, index: u8) -> Result<u64, PmcFault> {
        self.mov_from(PMD, index).map_err(fault)
    }

    fn write_pmd(&mut self, index: u8, value: u64) -> Result<(), PmcFault> {
        self.mov_to(PMD, index, value).map(|_| ()).map_err(fault)
    }
}
