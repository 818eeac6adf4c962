//! Ports of a unit, made by hand.

use lwp_model::retire::{OpMode, Processor, RegOp, RegRequest, RegResult};
use lwp_model::tsc::{Config, Inputs, Outputs};
use lwp_regs::tsc::TscRate;
use proptests::tsc::reading::Reading;

pub(super) const TSC: u32 = 0x10;
pub(super) const ADJUST: u32 = 0x3B;
pub(super) const AUX: u32 = 0xC000_0103;

/// A bus clock whose ticks are worth 10 ticks of the counter, whatever the present ratio.
pub(super) const TEN: Config = Config { rate: TscRate::ConstantMax, max_ratio: 20, ..Config::DEFAULT };

/// A tick of the bus at a present ratio of 3.
pub(super) const BUS: Processor =
    Processor { halted: false, stpclk: false, dpslp: false, bus_tick: true, crystal_tick: false, core_ratio: 6 };
pub(super) const CRYSTAL: Processor = Processor { bus_tick: false, crystal_tick: true, ..BUS };
pub(super) const NO_TICK: Processor = Processor { bus_tick: false, ..BUS };

/// Ports of a unit with four logical processors, made by hand.
pub(super) struct Hand {
    reading: Reading<4>,
    /// What the unit shows in the next cycle.
    pub(super) next: Outputs,
    pub(super) pins: Processor,
    pub(super) mode: (OpMode, u8, bool),
    seen: Result<(), String>,
}

impl Hand {
    /// After reset.
    pub(super) fn new(straps: Config) -> Self {
        straps.validate().expect("legal straps");
        let mut hand = Self {
            reading: Reading::new(&straps),
            next: Outputs::default(),
            pins: NO_TICK,
            mode: (OpMode::Long64, 0, false),
            seen: Ok(()),
        };
        hand.reset();
        hand
    }

    pub(super) fn reset(&mut self) {
        let now = self.reading.cycle(false, &Inputs::default(), &Outputs::default());
        self.next = Outputs::default();
        self.note(now);
    }

    fn note(&mut self, now: Result<(), String>) {
        if self.seen.is_ok() {
            self.seen = now;
        }
    }

    /// A cycle with these pins and this request, and the answer that the unit gives in the next cycle.
    pub(super) fn cycle(&mut self, processor: Processor, reg: RegRequest, answer: Outputs) {
        let (op_mode, cpl, tsd) = self.mode;
        let inputs = Inputs { processor, cpl, op_mode, tsd, reg };
        let shown = core::mem::replace(&mut self.next, answer);
        let now = self.reading.cycle(true, &inputs, &shown);
        self.note(now);
    }

    pub(super) fn idle(&mut self, processor: Processor, cycles: usize) {
        (0..cycles).for_each(|_| self.cycle(processor, RegRequest::default(), Outputs::default()));
    }

    pub(super) fn ask(&mut self, op: RegOp, lp: u8, number: u32, wdata: u64, answer: Outputs) {
        self.cycle(self.pins, RegRequest { valid: true, op, lp, number, wdata }, answer);
    }

    pub(super) fn fails(&mut self, op: RegOp, number: u32, reg_result: RegResult) {
        self.ask(op, 0, number, 0, Outputs { reg_done: true, reg_result, ..Outputs::default() });
    }

    pub(super) fn rdtsc(&mut self, lp: u8, value: u64) {
        self.ask(RegOp::Rdtsc, lp, 0, 0, done(value, 0));
    }

    pub(super) fn rdmsr(&mut self, lp: u8, number: u32, value: u64) {
        self.ask(RegOp::Rdmsr, lp, number, 0, done(value, 0));
    }

    pub(super) fn wrmsr(&mut self, lp: u8, number: u32, value: u64) {
        self.ask(RegOp::Wrmsr, lp, number, value, done(0, 0));
    }

    fn end(mut self) -> Result<(), String> {
        self.idle(NO_TICK, 1);
        self.seen
    }
}

pub(super) fn done(reg_rdata: u64, reg_aux: u32) -> Outputs {
    Outputs { reg_done: true, reg_result: RegResult::Done, reg_rdata, reg_aux }
}

pub(super) fn play(straps: Config, run: impl FnOnce(&mut Hand)) -> Result<(), String> {
    let mut hand = Hand::new(straps);
    run(&mut hand);
    hand.end()
}

#[track_caller]
pub(super) fn right(straps: Config, run: impl FnOnce(&mut Hand)) {
    assert_eq!(play(straps, run), Ok(()));
}

#[track_caller]
pub(super) fn wrong(straps: Config, text: &str, run: impl FnOnce(&mut Hand)) {
    let reason = play(straps, run).expect_err("the run is wrong");
    assert!(reason.contains(text), "{reason}");
}

/// After some bus and crystal ticks with these pins, this is the only value that the counter may have.
#[track_caller]
pub(super) fn only(straps: Config, pins: &[Processor], value: u64) {
    let read = |value: u64| {
        move |hand: &mut Hand| {
            pins.iter().for_each(|pins| hand.idle(*pins, 1));
            hand.rdtsc(0, value);
        }
    };
    right(straps, read(value));
    for value in [value.wrapping_sub(1), value + 1, value + (1 << 32), !value] {
        wrong(straps, "Time of logical processor 0 is", read(value));
    }
}
