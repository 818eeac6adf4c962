//! A unit and the checker beside it, cycle by cycle.

use super::super::Reading;
use super::bugs::Bug;
use super::fake::Fake;
use super::model::Shows;
use lwp_model::itanium::{Config, Fetch, Inputs, Issue, Itanium, Mem, Outputs, RegOp, RegRequest, RegResult, Retire};

/// Numbers of register files.
pub(super) const PMC: u32 = 0;
pub(super) const PMD: u32 = 0x100;
pub(super) const IBR: u32 = 0x200;
pub(super) const DBR: u32 = 0x300;
pub(super) const DCR: u32 = 0x400;

/// PSR bits.
pub(super) const UP: u64 = 1 << 2;
pub(super) const SP: u64 = 1 << 20;
pub(super) const PP: u64 = 1 << 21;

/// Fields of PMC\[4\] to PMC\[7\].
pub(super) const ALL_LEVELS: u64 = 15;
pub(super) const EV: u64 = 1 << 4;
pub(super) const OI: u64 = 1 << 5;
pub(super) const PM: u64 = 1 << 6;

/// Returns event select and unit mask in a PMC.
pub(super) const fn event(es: u64, umask: u64) -> u64 {
    es << 8 | umask << 16
}

pub(super) const TAGGED_8: u64 = event(0x08, 3);
pub(super) const TAGGED_9: u64 = event(0x08, 2);
pub(super) const LOADS: u64 = event(0x6C, 0);
pub(super) const IA32: u64 = event(0x15, 0);
pub(super) const CYCLES: u64 = event(0x12, 0);

/// An instruction of type A, and br.cloop.
pub(super) const ADD: u64 = 0x100_0004_2040;
pub(super) const CLOOP: u64 = 0x080_0000_0140;
/// The matcher of br.cloop alone.
pub(super) const ONLY_CLOOP: u64 = 0x1400_0280_03FF_F1F8;

/// A unit with one bundle in a cycle, the checker, and the mode of the core.
pub(super) struct Bench {
    unit: Box<dyn Shows<1>>,
    reading: Reading<1, 4>,
    pub(super) cpl: u8,
    pub(super) psr_is: bool,
    /// What the checker said first.
    pub(super) error: Option<String>,
    pub(super) out: Outputs,
}

/// Runs a test with units that are right: fakes, and the model. The checker has to agree.
#[track_caller]
pub(super) fn with(straps: &Config, test: impl Fn(&mut Bench)) {
    let fakes = (0..8).map(|seed| Box::new(Fake::<1, 4>::new(straps, Bug::None, seed)) as Box<dyn Shows<1>>);
    let model = Itanium::<1, 4>::new(*straps).expect("all straps are legal");
    for unit in fakes.chain([Box::new(model) as Box<dyn Shows<1>>]) {
        let mut bench = Bench::new(unit, straps);
        test(&mut bench);
        bench.cycle(|_| ());
        assert_eq!(bench.error, None);
    }
}

/// Runs a test with the default straps.
#[track_caller]
pub(super) fn default(test: impl Fn(&mut Bench)) {
    with(&Config::default(), test);
}

impl Bench {
    /// Returns a unit that monitors user monitors and system monitors, without constraints. All registers are written.
    fn new(unit: Box<dyn Shows<1>>, straps: &Config) -> Self {
        let out = unit.shown();
        let reading = Reading::new(straps);
        let mut bench = Self { unit, reading, cpl: 0, psr_is: false, error: None, out };
        bench.write(PMC, 1);
        for index in 4..14 {
            bench.write(PMC + index, if index < 8 { 0 } else { u64::MAX });
        }
        // Breakpoint registers that match nothing.
        for index in 0..8 {
            bench.write(IBR + index, 0);
            bench.write(DBR + index, if index % 2 == 0 { 0x55 << 56 } else { 0 });
        }
        (0..4).for_each(|counter| bench.write(PMD + 4 + counter, 0));
        bench.write(DCR, 0);
        bench.request(RegOp::WritePsrL, 0, UP | PP);
        bench.cycle(|inputs| inputs.irq_ack = true);
        bench.write(PMC, 0);
        bench
    }

    /// Steps one cycle.
    pub(super) fn cycle(&mut self, change: impl FnOnce(&mut Inputs<1>)) {
        let mut inputs = Inputs { cpl: self.cpl, psr_is: self.psr_is, ..Inputs::default() };
        change(&mut inputs);
        let shown = self.unit.shown();
        let said = self.reading.cycle(true, &inputs, &shown);
        self.error = self.error.take().or(said.err());
        self.unit.take(&inputs);
        self.out = self.unit.shown();
    }

    /// Makes a request, and returns result and value.
    pub(super) fn request(&mut self, op: RegOp, number: u32, wdata: u64) -> (RegResult, u64) {
        self.cycle(|inputs| inputs.reg = RegRequest { valid: true, op, lp: 0, number, wdata });
        let Outputs { reg_result, reg_rdata, .. } = self.out;
        self.cycle(|_| ());
        (reg_result, reg_rdata)
    }

    pub(super) fn write(&mut self, number: u32, value: u64) {
        self.request(RegOp::WriteFile, number, value);
    }

    pub(super) fn read(&mut self, number: u32) -> u64 {
        self.request(RegOp::ReadFile, number, 0).1
    }

    /// Lets a counter count an event at all levels, from 0.
    pub(super) fn select(&mut self, counter: u32, pmc: u64) {
        self.write(PMC + 4 + counter, pmc);
        self.write(PMD + 4 + counter, 0);
    }

    /// Lets a counter overflow when it has counted so many.
    pub(super) fn preset(&mut self, counter: u32, left: u64) {
        self.write(PMD + 4 + counter, (1 << 32) - left);
    }

    /// Returns the count of a counter, from 0.
    pub(super) fn count(&mut self, counter: u32) -> u64 {
        self.read(PMD + 4 + counter)
    }

    /// Fetches and issues a bundle as entry `id`.
    pub(super) fn bundle(&mut self, id: u8, addr: u64, template_code: u8, slots: [u64; 3]) {
        let cpl = self.cpl;
        self.cycle(|inputs| inputs.fetch[0] = Fetch { valid: true, id, addr, cpl });
        self.issue(id, template_code, slots);
    }

    /// Issues a bundle that was fetched.
    pub(super) fn issue(&mut self, id: u8, template_code: u8, slots: [u64; 3]) {
        let [slot0, slot1, slot2] = slots;
        self.cycle(|inputs| inputs.issue[0] = Issue { valid: true, id, template_code, slot0, slot1, slot2 });
    }

    /// Retires slots of a bundle.
    pub(super) fn retire(&mut self, id: u8, slots: u8) {
        self.cycle(|inputs| inputs.retire[0] = Retire { valid: true, id, slots, ..Retire::default() });
    }

    /// Fetches, issues and retires a bundle MII of additions.
    pub(super) fn run(&mut self, addr: u64) {
        self.bundle(0, addr, 0, [ADD; 3]);
        self.retire(0, 7);
    }

    /// Shows a memory record of slot 0 of entry 0.
    pub(super) fn access(&mut self, mem: Mem) {
        self.cycle(|inputs| inputs.mem[0] = Mem { valid: true, ..mem });
    }

    /// Shows a load that retires.
    pub(super) fn load(&mut self, addr: u64) {
        self.access(Mem { addr, read: true, ..Mem::default() });
    }

    /// Changes the mode in a cycle of its own.
    pub(super) fn enter(&mut self, cpl: u8, psr_is: bool) {
        (self.cpl, self.psr_is) = (cpl, psr_is);
        self.cycle(|_| ());
    }

    /// Delivers an interruption.
    pub(super) fn interrupt(&mut self) {
        self.cycle(|inputs| inputs.int_valid = true);
        self.enter(0, false);
    }
}
