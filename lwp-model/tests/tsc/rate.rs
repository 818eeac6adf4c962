//! How fast the counters count.

use super::bench::Bench;
use lwp_model::tsc::{Config, DeepSleep};
use lwp_regs::tsc::{CrystalRatio, RateStep, TscRate};

fn with_crystal(numerator: u32, denominator: u32) -> (Config, CrystalRatio) {
    let ratio = CrystalRatio::from_cpuid([denominator, numerator, 0, 0]).unwrap();
    let step = RateStep::from_crystal(ratio).unwrap();
    let (art_whole, art_rest, art_denominator) = (step.whole(), step.rest(), step.denominator());
    (Config { art_whole, art_rest, art_denominator, ..Config::default() }, ratio)
}

// TSC-25: the counter is the number of ticks of the crystal times the ratio, rounded down
#[test]
fn the_counter_follows_from_the_crystal() {
    for (numerator, denominator) in [(250, 3), (216, 2), (1, 7), (1, 1), (4_294_901_759, 65_535)] {
        let (straps, ratio) = with_crystal(numerator, denominator);
        let mut bench = Bench::<1>::new(straps);
        for art in 0..200 {
            assert_eq!(bench.counter(0), ratio.tsc(art, 0), "{numerator} / {denominator} at {art}");
            assert!(bench.unit.state().rate.fraction < straps.art_denominator);
            bench.ticks(1);
            bench.cycle();
        }
    }
}

// TSC-13: nothing but the crystal matters to an invariant counter
#[test]
fn an_invariant_counter_sees_no_state() {
    let mut bench = Bench::<1>::new(Config::default());
    let mut expected = 0;
    for state in 0..=255_u8 {
        let pins = &mut bench.inputs.processor;
        pins.halted = state & 1 != 0;
        pins.stpclk = state & 2 != 0;
        pins.dpslp = state & 4 != 0;
        pins.bus_tick = state & 8 != 0;
        pins.core_ratio = state;
        pins.crystal_tick = state & 16 != 0;
        expected += u64::from(pins.crystal_tick);
        bench.cycle();
        assert_eq!(bench.counter(0), expected * 250 / 3);
    }
}

// TSC-05: deep sleep, for each rate that may stop in it
#[test]
fn deep_sleep() {
    for rate in [TscRate::ConstantMax, TscRate::ConstantBoot, TscRate::Variable] {
        for (deep_sleep, counted) in [(DeepSleep::Count, 30), (DeepSleep::Stop, 15)] {
            let mut bench = Bench::<1>::new(Config { rate, deep_sleep, max_ratio: 15, ..Config::default() });
            bench.inputs.processor.core_ratio = 15;
            bench.ticks(2);
            bench.inputs.processor.dpslp = true;
            bench.ticks(2);
            assert_eq!(bench.counter(0), counted, "{rate:?} {deep_sleep:?}");
        }
    }
}

// TSC-07: the ratio of the first cycle after reset, with a tick in it or not, and asleep or not
#[test]
fn the_ratio_at_boot() {
    let straps = Config { rate: TscRate::ConstantBoot, deep_sleep: DeepSleep::Stop, ..Config::default() };
    for (tick, dpslp) in [(false, false), (true, false), (true, true)] {
        let mut bench = Bench::<1>::new(straps);
        let pins = &mut bench.inputs.processor;
        (pins.core_ratio, pins.bus_tick, pins.dpslp) = (20, tick, dpslp);
        bench.cycle();
        let rate = bench.unit.state().rate;
        assert_eq!((rate.booted, rate.boot_ratio), (true, 20));
        let first = if tick && !dpslp { 10 } else { 0 };
        assert_eq!(bench.counter(0), first);
        bench.inputs.processor.dpslp = false;
        bench.inputs.processor.core_ratio = 6;
        bench.ticks(3);
        assert_eq!(bench.counter(0), first + 30);
    }
}

#[test]
fn other_rates_keep_no_ratio() {
    for rate in [TscRate::Invariant, TscRate::ConstantMax, TscRate::Variable] {
        let mut bench = Bench::<1>::new(Config { rate, ..Config::default() });
        bench.inputs.processor.core_ratio = 20;
        bench.ticks(3);
        let registers = bench.unit.state().rate;
        assert_eq!((registers.booted, registers.boot_ratio), (false, 0));
    }
}

// TSC-06: the sum of the ratios at the ticks, halves included
#[test]
fn a_variable_rate_is_the_sum_of_ratios() {
    let mut bench = Bench::<1>::new(Config { rate: TscRate::Variable, ..Config::default() });
    let mut halves = 0;
    for cycle in 0..1000_u64 {
        let ratio = (cycle * 37 % 256) as u8;
        bench.inputs.processor.core_ratio = ratio;
        bench.inputs.processor.bus_tick = cycle % 3 != 0;
        halves += if cycle % 3 == 0 { 0 } else { u64::from(ratio) };
        bench.cycle();
        assert_eq!(bench.counter(0), halves / 2);
    }
}

// TSC-01: without a counter nothing counts
#[test]
fn an_absent_counter_stands_still() {
    let mut bench = Bench::<1>::new(Config { present: false, adjust: false, aux: false, ..Config::default() });
    bench.ticks(10);
    assert_eq!((bench.counter(0), bench.unit.state().rate.fraction), (0, 0));
}
