//! A test bench: the unit, and a core that does one thing in a cycle.

use crate::unit::Tsc;
use lwp_model::retire::{OpMode, RegOp, RegRequest, RegResult};
use lwp_model::tsc::{Config, Inputs, Outputs};

pub(super) const TSC: u32 = 0x10;
pub(super) const ADJUST: u32 = 0x3B;
pub(super) const AUX: u32 = 0xC000_0103;

/// What a request is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Done { rdata: u64, aux: u32 },
    Refused(RegResult),
}

impl Answer {
    pub(super) const UD: Self = Self::Refused(RegResult::InvalidOpcode);
    pub(super) const GP: Self = Self::Refused(RegResult::GeneralProtection);
    pub(super) const NOT_MINE: Self = Self::Refused(RegResult::NotMine);

    pub(super) const fn value(rdata: u64) -> Self {
        Self::Done { rdata, aux: 0 }
    }

    /// What the outputs show; `None` without an answer. What is refused shows nothing else.
    pub(super) fn of(outputs: Outputs) -> Option<Self> {
        let Outputs { reg_done, reg_result, reg_rdata: rdata, reg_aux: aux } = outputs;
        if reg_result != RegResult::Done || !reg_done {
            assert_eq!((rdata, aux), (0, 0), "{outputs:?}");
        }
        reg_done.then_some(match reg_result {
            RegResult::Done => Self::Done { rdata, aux },
            refused => Self::Refused(refused),
        })
    }
}

#[derive(Debug)]
pub(super) struct Bench<const LP: usize> {
    pub(super) unit: Tsc<LP>,
    /// What the core shows in every cycle. A request is made with [`ask`](Bench::ask).
    pub(super) inputs: Inputs,
}

impl<const LP: usize> Bench<LP> {
    /// A core in 64-bit mode at level 0, whose clocks stand still.
    pub(super) fn new(straps: Config) -> Self {
        let inputs = Inputs { op_mode: OpMode::Long64, ..Inputs::default() };
        Self { unit: Tsc::new(straps).unwrap(), inputs }
    }

    /// One cycle as `inputs` says.
    pub(super) fn cycle(&mut self) {
        self.unit.step(&self.inputs);
        self.inputs.reg = RegRequest::default();
    }

    /// So many cycles with a tick of both clocks.
    pub(super) fn ticks(&mut self, cycles: u64) {
        let before = self.inputs.processor;
        self.inputs.processor.bus_tick = true;
        self.inputs.processor.crystal_tick = true;
        for _ in 0..cycles {
            self.cycle();
        }
        self.inputs.processor = before;
    }

    /// One cycle with a request of logical processor `lp`, and its answer.
    pub(super) fn ask_by(&mut self, lp: u8, op: RegOp, number: u32, wdata: u64) -> Answer {
        self.inputs.reg = RegRequest { valid: true, op, lp, number, wdata };
        self.cycle();
        Answer::of(self.unit.outputs()).expect("an answer in the next cycle")
    }

    pub(super) fn ask(&mut self, op: RegOp, number: u32, wdata: u64) -> Answer {
        self.ask_by(0, op, number, wdata)
    }

    pub(super) fn write(&mut self, number: u32, wdata: u64) {
        assert_eq!(self.ask(RegOp::Wrmsr, number, wdata), Answer::value(0));
    }

    pub(super) fn read(&mut self, number: u32) -> u64 {
        match self.ask(RegOp::Rdmsr, number, 0) {
            Answer::Done { rdata, aux: 0 } => rdata,
            other => panic!("{other:?}"),
        }
    }

    pub(super) fn counter(&self, lp: usize) -> u64 {
        self.unit.state().processors[lp].counter.ticks()
    }

    pub(super) fn adjust(&self, lp: usize) -> u64 {
        self.unit.state().processors[lp].adjust.ticks()
    }
}
