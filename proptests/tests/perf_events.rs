//! The performance counters: every event code with every unit mask, on both counters of every P6, and every architectural event. The
//! lines of the bus show the bits of their own numbers, one bit per cycle, so that a counter that watches another line differs.

use lwp_model::Choice;
use lwp_model::perf::{Config, Events, Inputs, Lane, Line, Perf, Personality};
use lwp_model::retire::{BranchKind, IntKind, OpMode, RegOp, RegRequest};
use lwp_regs::perf::p6::P6Model;
use lwp_regs::perf::p6::event::EVENTS;
use proptests::lockstep::{UnitCycle, agree, recorded};
use sim_harness::rtl::{BuildId, Flavour};

type P6 = Perf<1, 2, 0, 4>;
type Cycle = UnitCycle<Inputs<1, 4>>;

/// Bits of the number of a line, counted from 1.
const BITS: u32 = 7;

/// A cycle of the operating system with these clocks.
fn system(core_clock: bool, bus_tick: bool) -> Inputs<1, 4> {
    let mut inputs = Inputs { core_clock, bus_tick, core_ratio: 4, ..Inputs::default() };
    inputs.lp[0].op_mode = OpMode::Long64;
    inputs.lp[0].halted = true;
    inputs
}

/// A write of an event select, in a cycle without any clock.
fn select(counter: u32, code: u8, mask: u8) -> Cycle {
    let enable = if counter == 0 { 1 << 22 } else { 0 };
    let wdata = u64::from(code) | u64::from(mask) << 8 | 3 << 16 | enable;
    let reg = RegRequest { valid: true, op: RegOp::Wrmsr, lp: 0, number: 0x186 + counter, wdata };
    UnitCycle { reset: false, inputs: Inputs { reg, ..system(false, false) } }
}

/// Cycles in which each line shows its number bit by bit; then the lanes, an interrupt, and a processor that is not halted.
fn lines(core_clock: bool, bus_tick: bool) -> impl Iterator<Item = Cycle> {
    let bus = (0..BITS).map(move |bit| {
        let mut events = Events::default();
        for (place, line) in Line::ALL.iter().enumerate() {
            events.set(*line, ((place + 1) >> bit & 1) as u8);
        }
        let mut inputs = system(core_clock, bus_tick);
        inputs.lp[0].events = events;
        inputs
    });
    let mut lanes = system(core_clock, bus_tick);
    let branch = |branch_taken, branch_pred_ok| Lane {
        valid: true,
        counts: true,
        branch_kind: BranchKind::Cond,
        branch_taken,
        branch_pred_valid: true,
        branch_pred_ok,
    };
    lanes.lanes[0] =
        [branch(true, true), branch(false, false), branch(true, false), Lane { counts: false, ..branch(true, true) }];
    let mut interrupt = system(core_clock, bus_tick);
    (interrupt.lp[0].int_valid, interrupt.lp[0].int_kind) = (true, IntKind::Nmi);
    let mut runs = system(core_clock, bus_tick);
    runs.lp[0].halted = false;
    bus.chain([lanes, interrupt, runs]).map(|inputs| UnitCycle { reset: false, inputs })
}

fn agrees(straps: &Config, cycles: impl IntoIterator<Item = Cycle>) {
    let reset = UnitCycle { reset: true, inputs: Inputs::default() };
    let cycles: Vec<Cycle> = [reset].into_iter().chain(cycles).collect();
    let recording = recorded::<P6>(straps, &cycles);
    agree::<P6>(BuildId::PerfC2, Flavour::Fast, straps, &recording)
        .unwrap_or_else(|difference| panic!("{straps:?}: {difference}"));
}

/// All 65,536 pairs of code and unit mask, on both counters.
#[test]
fn every_code_and_mask_of_every_p6() {
    for p6_model in P6Model::ALL {
        let straps = Config { p6_model, ..Config::default() };
        for code in 0..=255_u8 {
            let cycles = (0..=255_u8)
                .flat_map(|mask| [select(0, code, mask), select(1, code, mask)].into_iter().chain(lines(true, true)));
            agrees(&straps, cycles);
        }
    }
}

/// The clock of each event of the table: the core's alone, then that of the bus alone.
#[test]
fn the_clock_of_every_event() {
    for p6_model in P6Model::ALL {
        let straps = Config { p6_model, ..Config::default() };
        let cycles = EVENTS.iter().flat_map(|event| {
            let mask = event.unit_mask().default_mask().unwrap_or(0x0F);
            let choose = [select(0, event.code(), mask), select(1, event.code(), mask)];
            choose.into_iter().chain(lines(true, false)).chain(lines(false, true))
        });
        agrees(&straps, cycles);
    }
}

/// All pairs of code and unit mask of an architectural event select, with all events and with each one missing.
#[test]
fn every_architectural_code_and_mask() {
    for missing in 0..8 {
        let events = 127 & !(1 << missing);
        let straps = Config { personality: Personality::Version1, events, ..Config::default() };
        // All masks of the codes that have an event, and a sample of the others.
        let codes = [0x3C, 0xC0, 0x2E, 0xC4, 0xC5, 0x00, 0x4F, 0xFF];
        let cycles = codes
            .into_iter()
            .flat_map(|code| (0..=255_u8).map(move |mask| (code, mask)))
            .flat_map(|(code, mask)| [select(0, code, mask)].into_iter().chain(lines(true, true)));
        agrees(&straps, cycles);
    }
}
