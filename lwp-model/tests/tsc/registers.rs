//! The registers of a logical processor.

use super::bench::{ADJUST, AUX, Answer, Bench, TSC};
use lwp_model::retire::RegOp;
use lwp_model::tsc::{Config, State};
use lwp_regs::tsc::{TscRate, TscWrite};

// TSC-03, TSC-20: after reset, and after a reset in the middle of everything, every register is 0
#[test]
fn all_is_0_after_reset() {
    let mut bench = Bench::<4>::new(Config { rate: TscRate::ConstantBoot, ..Config::default() });
    assert_eq!(*bench.unit.state(), State::default());
    for number in [TSC, ADJUST, AUX] {
        assert_eq!(bench.read(number), 0);
    }
    bench.inputs.processor.core_ratio = 21;
    for lp in 0..4 {
        assert_eq!(bench.ask_by(lp, RegOp::Wrmsr, TSC, 1000), Answer::value(0));
        assert_eq!(bench.ask_by(lp, RegOp::Wrmsr, AUX, 7), Answer::value(0));
    }
    bench.ticks(3);
    let ask = bench.ask(RegOp::Rdtscp, 0, 0);
    assert_eq!(ask, Answer::Done { rdata: bench.counter(0), aux: 7 });
    let State { rate, processors, answer } = *bench.unit.state();
    assert!(rate.booted && processors.iter().all(|lp| lp.adjust.ticks() != 0) && answer.reg_done);
    bench.unit.reset();
    assert_eq!(*bench.unit.state(), State::default());
}

// TSC-02: from 2^64 - 1 to 0
#[test]
fn the_counter_wraps_at_64_bits() {
    let mut bench = Bench::<1>::new(Config { rate: TscRate::Variable, ..Config::default() });
    bench.inputs.processor.core_ratio = 2;
    bench.write(TSC, u64::MAX);
    assert_eq!((bench.counter(0), bench.adjust(0)), (u64::MAX, u64::MAX));
    bench.ticks(1);
    assert_eq!((bench.counter(0), bench.adjust(0)), (0, u64::MAX));
    bench.inputs.processor.core_ratio = 255;
    bench.write(TSC, u64::MAX);
    bench.ticks(2);
    assert_eq!(bench.counter(0), 254, "127.5 ticks twice");
}

// TSC-12, TSC-21: 64 bits or 32, with a tick in the cycle of the write
#[test]
fn a_write_takes_effect_before_the_ticks() {
    for (write_width, taken) in [(TscWrite::All, 0x1234_5678_FFFF_FFFF), (TscWrite::Low32, 0xFFFF_FFFF)] {
        let mut bench = Bench::<1>::new(Config { write_width, ..Config::default() });
        bench.ticks(1);
        bench.inputs.processor.crystal_tick = true;
        bench.write(TSC, 0x1234_5678_FFFF_FFFF);
        assert_eq!(bench.counter(0), taken + 83);
        assert_eq!(bench.adjust(0), taken - 83);
        // The adjustment has 64 bits for either width.
        bench.inputs.processor.crystal_tick = false;
        bench.write(ADJUST, u64::MAX);
        assert_eq!((bench.counter(0), bench.adjust(0)), (165, u64::MAX));
        assert_eq!(bench.read(TSC), 165);
    }
}

// TSC-21, TSC-22: a write and its opposite cancel, across the wrap
#[test]
fn adjustments_wrap() {
    let mut bench = Bench::<1>::new(Config::default());
    bench.ticks(3);
    for (register, value, counter, adjust) in [
        (TSC, 0, 0, 0_u64.wrapping_sub(250)),
        (ADJUST, 1 << 63, (1 << 63) + 250, 1 << 63),
        (TSC, 249, 249, u64::MAX),
        (ADJUST, 0, 250, 0),
    ] {
        bench.write(register, value);
        assert_eq!((bench.counter(0), bench.adjust(0)), (counter, adjust));
    }
}

// TSC-23: nothing but WRMSR of the counter or of the adjustment changes it
#[test]
fn the_adjustment_does_not_age() {
    let mut bench = Bench::<1>::new(Config::default());
    bench.write(ADJUST, 0x55);
    bench.inputs.processor.crystal_tick = true;
    bench.write(AUX, 3);
    for op in [RegOp::Rdtsc, RegOp::Rdtscp, RegOp::Rdmsr, RegOp::Rdpmc] {
        bench.ask(op, ADJUST, 9);
        assert_eq!(bench.adjust(0), 0x55);
    }
    bench.ticks(1000);
    assert_eq!(bench.read(ADJUST), 0x55);
}

// TSC-19: without the register it stays 0, and writes of the counter move the counter alone
#[test]
fn without_the_adjustment() {
    let mut bench = Bench::<1>::new(Config { adjust: false, ..Config::default() });
    bench.inputs.processor.crystal_tick = true;
    for value in [1000, 0, u64::MAX] {
        bench.write(TSC, value);
        assert_eq!(bench.adjust(0), 0);
        assert!([83, 84].contains(&bench.counter(0).wrapping_sub(value)));
    }
}
