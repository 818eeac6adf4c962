//! A test bench: the unit, and a core that does one thing in a cycle.

use crate::unit::Perf;
use lwp_model::perf::{Config, Fixed, General, Inputs, Lane, Personality, X2apic};
use lwp_model::retire::{BranchKind, OpMode, RegOp, RegRequest, RegResult};

pub(super) const COUNTER: u32 = 0xC1;
pub(super) const SELECT: u32 = 0x186;
pub(super) const FIXED: u32 = 0x309;
pub(super) const FIXED_CONTROL: u32 = 0x38D;
pub(super) const STATUS: u32 = 0x38E;
pub(super) const CONTROL: u32 = 0x38F;
pub(super) const CLEAR: u32 = 0x390;
pub(super) const LVT: u32 = 0x834;

pub(super) const USR: u64 = 1 << 16;
pub(super) const OS: u64 = 1 << 17;
pub(super) const ALL: u64 = USR | OS;
pub(super) const EDGE: u64 = 1 << 18;
pub(super) const PC: u64 = 1 << 19;
pub(super) const INT: u64 = 1 << 20;
pub(super) const ANY: u64 = 1 << 21;
pub(super) const EN: u64 = 1 << 22;
pub(super) const INV: u64 = 1 << 23;
/// Instructions retired, at all levels, enabled.
pub(super) const INSTRUCTIONS: u64 = EN | ALL | 0xC0;
/// The same of branches.
pub(super) const BRANCHES: u64 = EN | ALL | 0xC4;

/// What a request is answered: the value of one that is done.
pub(super) type Answer = Result<u64, RegResult>;

pub(super) const DONE: Answer = Ok(0);
pub(super) const GP: Answer = Err(RegResult::GeneralProtection);
pub(super) const NOT_MINE: Answer = Err(RegResult::NotMine);

/// Version 3 with all that it can have, in the build `c4`.
pub(super) fn version_3() -> Config {
    Config {
        personality: Personality::Version3,
        counters: 4,
        fixed: 3,
        any_thread: true,
        fast_read: true,
        x2apic: X2apic::Msr,
        ..Config::default()
    }
}

pub(super) fn version_1() -> Config {
    Config { personality: Personality::Version1, x2apic: X2apic::Msr, ..Config::default() }
}

pub(super) fn version_2() -> Config {
    Config { personality: Personality::Version2, ..version_1() }
}

/// A build of one logical processor, two counters and four lanes: `c2`.
pub(super) type C2 = Bench<1, 2, 0, 4>;
/// Two logical processors, four general and three fixed counters, two lanes: `c4`.
pub(super) type C4 = Bench<2, 4, 3, 2>;

#[derive(Debug)]
pub(super) struct Bench<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize> {
    pub(super) unit: Perf<LP, GENERAL, FIXED, LANES>,
    /// What the core shows in every cycle. A request is made with [`ask`](Bench::ask).
    pub(super) inputs: Inputs<LP, LANES>,
}

impl<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize> Bench<LP, GENERAL, FIXED, LANES> {
    /// A core in 64-bit mode at level 0, whose own clock runs and which is halted.
    pub(super) fn new(straps: Config) -> Self {
        let mut inputs = Inputs { core_clock: true, ..Inputs::default() };
        for lp in &mut inputs.lp {
            (lp.op_mode, lp.halted) = (OpMode::Long64, true);
        }
        Self { unit: Perf::new(straps).unwrap(), inputs }
    }

    /// One cycle as `inputs` says.
    pub(super) fn cycle(&mut self) {
        self.unit.step(&self.inputs);
        self.inputs.reg = RegRequest::default();
    }

    /// What the lanes of a logical processor show from now on. The first lanes are the branches.
    pub(super) fn retire_by(&mut self, lp: usize, instructions: usize, branches: usize) {
        for (index, lane) in self.inputs.lanes[lp].iter_mut().enumerate() {
            let branch_kind = if index < branches { BranchKind::Cond } else { BranchKind::None };
            *lane = Lane {
                valid: index < instructions.max(branches),
                counts: index < instructions,
                branch_kind,
                ..Lane::default()
            };
        }
    }

    pub(super) fn retire(&mut self, instructions: usize, branches: usize) {
        self.retire_by(0, instructions, branches);
    }

    /// One cycle with so many instructions.
    pub(super) fn instructions(&mut self, instructions: usize) {
        self.retire(instructions, 0);
        self.cycle();
        self.retire(0, 0);
    }

    /// One cycle with a request of logical processor `lp`, and its answer.
    pub(super) fn ask_by(&mut self, lp: u8, op: RegOp, number: u32, wdata: u64) -> Answer {
        self.inputs.reg = RegRequest { valid: true, op, lp, number, wdata };
        self.cycle();
        self.answer().expect("an answer in the next cycle")
    }

    pub(super) fn answer(&self) -> Option<Answer> {
        let outputs = self.unit.outputs();
        if outputs.reg_result != RegResult::Done || !outputs.reg_done {
            assert_eq!(outputs.reg_rdata, 0, "{outputs:?}");
        }
        outputs.reg_done.then_some(match outputs.reg_result {
            RegResult::Done => Ok(outputs.reg_rdata),
            refused => Err(refused),
        })
    }

    pub(super) fn ask(&mut self, op: RegOp, number: u32, wdata: u64) -> Answer {
        self.ask_by(0, op, number, wdata)
    }

    pub(super) fn write_by(&mut self, lp: u8, number: u32, wdata: u64) {
        assert_eq!(self.ask_by(lp, RegOp::Wrmsr, number, wdata), DONE, "{number:#x} {wdata:#x}");
    }

    pub(super) fn write(&mut self, number: u32, wdata: u64) {
        self.write_by(0, number, wdata);
    }

    pub(super) fn read(&mut self, number: u32) -> u64 {
        self.ask(RegOp::Rdmsr, number, 0).unwrap()
    }

    pub(super) fn general(&self, counter: usize) -> General {
        self.unit.state().general[0][counter]
    }

    pub(super) fn fixed(&self, counter: usize) -> Fixed {
        self.unit.state().fixed[0][counter]
    }

    pub(super) fn count(&self, counter: usize) -> u64 {
        self.general(counter).counter
    }
}
