//! The performance counters: every event code with every unit mask, on both counters of every P6, and every architectural event. The
//! lines of the bus show the bits of their own numbers, one bit per cycle, so that a counter that watches another line differs.

use lwp_model::perf::{Config, Inputs, Perf, Personality};
use lwp_regs::perf::p6::P6Model;
use lwp_regs::perf::p6::event::EVENTS;
use proptests::lockstep::{UnitCycle, agree, recorded};
use proptests::perf::events::{Cycle, lines, listed, select};
use sim_harness::rtl::{BuildId, Flavour};

type P6 = Perf<1, 2, 0, 4>;

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

/// The events of the table, as the mutants of the RTL meet them.
#[test]
fn listed_events_agree() {
    for (straps, cycles) in (0..).map_while(listed) {
        agrees(&straps, cycles);
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
