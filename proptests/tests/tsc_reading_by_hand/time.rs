//! Time: reset, rates, pins.

use super::ports::{ADJUST, AUX, BUS, CRYSTAL, Hand, NO_TICK, TEN, TSC, done, only, right, wrong};
use lwp_model::retire::Processor;
use lwp_model::tsc::{Config, DeepSleep};
use lwp_regs::tsc::TscRate;

#[test]
fn reset_values_are_0() {
    for number in [TSC, ADJUST, AUX] {
        right(TEN, |hand| hand.rdmsr(3, number, 0));
        wrong(TEN, "of logical processor 3 is 0x1, not", |hand| hand.rdmsr(3, number, 1));
    }
    let again = |value: u64| {
        move |hand: &mut Hand| {
            hand.idle(BUS, 2);
            hand.wrmsr(1, ADJUST, 7);
            hand.reset();
            hand.rdmsr(1, ADJUST, value);
            hand.rdtsc(1, value);
        }
    };
    right(TEN, again(0));
    wrong(TEN, "IA32_TSC_ADJUST of logical processor 1 is 0x7", again(7));
    // What was asked before the reset is not answered after it.
    wrong(TEN, "responds without a request", |hand| {
        hand.reset();
        hand.next = done(0, 0);
    });
}

#[test]
fn hlt_and_stpclk_do_not_stop_it() {
    for (halted, stpclk) in [(true, false), (false, true), (true, true)] {
        only(TEN, &[Processor { halted, stpclk, ..BUS }; 3], 30);
    }
}

#[test]
fn deep_sleep_stops_it_if_the_strap_says_so() {
    let sleep = Processor { dpslp: true, ..BUS };
    only(TEN, &[BUS, sleep, sleep, BUS], 40);
    only(Config { deep_sleep: DeepSleep::Stop, ..TEN }, &[BUS, sleep, sleep, BUS], 20);
}

#[test]
fn the_variable_rate_follows_the_ratio() {
    let at = |core_ratio: u8| Processor { core_ratio, ..BUS };
    let variable = Config { rate: TscRate::Variable, ..TEN };
    // 7.5 and 7.5 are 15; the half of the third tick is kept.
    only(variable, &[at(15), at(15)], 15);
    only(variable, &[at(15), at(15), at(15)], 22);
    only(variable, &[at(15), at(40), at(15), NO_TICK, CRYSTAL], 35);
}

#[test]
fn constant_rates_do_not_follow_the_ratio() {
    let at = |core_ratio: u8| Processor { core_ratio, ..BUS };
    only(TEN, &[at(15), at(40), CRYSTAL, NO_TICK], 20);
    let boot = Config { rate: TscRate::ConstantBoot, ..TEN };
    // The ratio of the first cycle, with a tick or without.
    only(boot, &[at(15), at(40)], 15);
    only(boot, &[Processor { core_ratio: 9, ..NO_TICK }, at(40), at(40), at(2)], 13);
}

#[test]
fn the_invariant_rate_is_that_of_the_crystal() {
    // 250 / 3: 83.33, 166.67, 250.
    let invariant = Config { rate: TscRate::Invariant, ..TEN };
    let sleep = Processor { dpslp: true, halted: true, stpclk: true, ..CRYSTAL };
    only(invariant, &[CRYSTAL], 83);
    only(invariant, &[CRYSTAL, BUS, sleep, NO_TICK], 166);
    only(invariant, &[sleep, sleep, Processor { core_ratio: 80, ..CRYSTAL }], 250);
}

#[test]
fn a_read_does_not_include_the_tick_of_its_cycle() {
    let read = |value: u64| {
        move |hand: &mut Hand| {
            hand.idle(BUS, 1);
            hand.pins = BUS;
            hand.rdtsc(0, value);
        }
    };
    right(TEN, read(10));
    wrong(TEN, "Time of logical processor 0 is 0x14", read(20));
}

#[test]
fn time_does_not_change_adjust() {
    let later = |value: u64| {
        move |hand: &mut Hand| {
            hand.wrmsr(0, ADJUST, 4);
            hand.idle(BUS, 5);
            hand.rdmsr(0, ADJUST, value);
        }
    };
    right(TEN, later(4));
    wrong(TEN, "IA32_TSC_ADJUST of logical processor 0 is 0x36", later(54));
}

#[test]
fn the_counter_has_64_bits() {
    let wrap = |value: u64| {
        move |hand: &mut Hand| {
            hand.wrmsr(0, TSC, u64::MAX - 4);
            hand.idle(BUS, 1);
            hand.rdtsc(0, value);
            hand.wrmsr(0, TSC, 0xFFFF_FFFF);
            hand.idle(BUS, 1);
            hand.rdtsc(0, 0x1_0000_0009);
        }
    };
    right(TEN, wrap(5));
    wrong(TEN, "Time of logical processor 0", wrap(u64::MAX));
}
