//! What software writes and reads back.

use super::ports::{ADJUST, AUX, BUS, Hand, NO_TICK, TEN, TSC, done, right, wrong};
use lwp_model::retire::{RegOp, RegResult};
use lwp_model::tsc::{Config, Outputs};
use lwp_regs::tsc::TscWrite;

#[test]
fn writes_have_the_width_of_the_strap() {
    let value = 0x1234_5678_9ABC_DEF0;
    let write = |shown: u64| {
        move |hand: &mut Hand| {
            hand.wrmsr(2, TSC, value);
            hand.rdmsr(2, TSC, shown);
        }
    };
    let low32 = Config { write_width: TscWrite::Low32, ..TEN };
    right(TEN, write(value));
    right(low32, write(0x9ABC_DEF0));
    wrong(TEN, "ReadCounter", write(0x9ABC_DEF0));
    wrong(low32, "ReadCounter", write(value));
    // IA32_TSC_ADJUST is as wide as ever.
    right(low32, |hand| {
        hand.wrmsr(2, ADJUST, value);
        hand.rdmsr(2, ADJUST, value);
        hand.rdmsr(2, TSC, value);
    });
}

#[test]
fn rdtscp_shows_time_and_signature_of_one_processor() {
    let stamp = |value: u64, aux: u32| {
        move |hand: &mut Hand| {
            hand.wrmsr(1, AUX, 0x11);
            hand.wrmsr(2, AUX, 0x22);
            hand.idle(BUS, 1);
            hand.ask(RegOp::Rdtscp, 1, 0, 0, done(value, aux));
            hand.rdmsr(2, AUX, 0x22);
        }
    };
    right(TEN, stamp(10, 0x11));
    wrong(TEN, "the signature is 0x22", stamp(10, 0x22));
    wrong(TEN, "Stamp of logical processor 1 is 0x14", stamp(20, 0x11));
    wrong(TEN, "IA32_TSC_AUX of logical processor 0 is 0x11", |hand| {
        hand.wrmsr(1, AUX, 0x11);
        hand.rdmsr(0, AUX, 0x11);
    });
    wrong(TEN, "the signature is 0x11", |hand| {
        hand.wrmsr(1, AUX, 0x11);
        hand.ask(RegOp::Rdtsc, 1, 0, 0, done(0, 0x11));
    });
}

#[test]
fn high_bits_of_aux_are_ignored_or_refused_but_not_both() {
    let wide = |first: RegResult, second: RegResult, aux: u64| {
        move |hand: &mut Hand| {
            for (result, value) in [(first, 0xF_0000_0001), (second, 0xF_0000_0002)] {
                hand.ask(RegOp::Wrmsr, 0, AUX, value, Outputs { reg_result: result, ..done(0, 0) });
            }
            hand.rdmsr(0, AUX, aux);
        }
    };
    let (ignored, refused) = (RegResult::Done, RegResult::GeneralProtection);
    right(TEN, wide(ignored, ignored, 2));
    right(TEN, wide(refused, refused, 0));
    wrong(TEN, "IA32_TSC_AUX of logical processor 0", wide(ignored, ignored, 0xF_0000_0002));
    wrong(TEN, "IA32_TSC_AUX of logical processor 0", wide(refused, refused, 2));
    wrong(TEN, "faults once, and once not", wide(ignored, refused, 1));
}

#[test]
fn a_write_is_to_one_processor() {
    let other = |lp: u8, value: u64| {
        move |hand: &mut Hand| {
            hand.idle(BUS, 1);
            hand.wrmsr(1, TSC, 1000);
            hand.idle(BUS, 1);
            hand.rdtsc(lp, value);
        }
    };
    for lp in [0, 2, 3] {
        right(TEN, other(lp, 20));
        wrong(TEN, "Time of logical processor", other(lp, 1010));
    }
    right(TEN, other(1, 1010));
    // Bit 2 of the number does not count with four processors.
    right(TEN, other(5, 1010));
    wrong(TEN, "Time of logical processor 1", other(5, 20));
}

#[test]
fn a_write_to_the_counter_is_added_to_adjust() {
    let adjust = |value: u64| {
        move |hand: &mut Hand| {
            hand.idle(BUS, 3);
            hand.wrmsr(0, TSC, 25);
            hand.rdmsr(0, ADJUST, value);
            hand.idle(BUS, 1);
            hand.wrmsr(0, TSC, 135);
            hand.rdmsr(0, ADJUST, 95);
        }
    };
    right(TEN, adjust(5_u64.wrapping_neg()));
    for value in [5, 25, 0] {
        wrong(TEN, "IA32_TSC_ADJUST of logical processor 0", adjust(value));
    }
}

#[test]
fn a_write_to_adjust_is_added_to_the_counter() {
    let counter = |value: u64| {
        move |hand: &mut Hand| {
            hand.idle(BUS, 3);
            hand.wrmsr(0, ADJUST, 100);
            hand.wrmsr(0, ADJUST, 99);
            hand.rdtsc(0, value);
        }
    };
    right(TEN, counter(129));
    for value in [30, 99, 229] {
        wrong(TEN, "Time of logical processor 0", counter(value));
    }
}

#[test]
fn equal_adjust_makes_equal_counters() {
    let synchronise = |value: u64| {
        move |hand: &mut Hand| {
            hand.wrmsr(0, TSC, 12_345);
            hand.idle(BUS, 2);
            // Also in a cycle with a tick.
            hand.pins = BUS;
            hand.wrmsr(3, TSC, u64::MAX);
            hand.wrmsr(0, ADJUST, 77);
            hand.wrmsr(3, ADJUST, 77);
            hand.pins = NO_TICK;
            hand.rdtsc(0, 127);
            hand.rdtsc(3, value);
        }
    };
    right(TEN, synchronise(127));
    wrong(TEN, "Time of logical processor 3", synchronise(117));
    wrong(TEN, "Time of logical processor 3", synchronise(49));
}

/// The tick of a write's own cycle comes before the write or after it, always, and `IA32_TSC_ADJUST` agrees.
#[test]
fn a_write_in_a_tick_has_two_outcomes() {
    let write = |counter: u64, adjust: u64, second: u64| {
        move |hand: &mut Hand| {
            hand.pins = BUS;
            hand.wrmsr(0, TSC, 1000);
            hand.pins = NO_TICK;
            hand.rdtsc(0, counter);
            hand.rdmsr(0, ADJUST, adjust);
            hand.pins = BUS;
            hand.wrmsr(1, TSC, 5);
            hand.pins = NO_TICK;
            hand.rdtsc(1, second);
        }
    };
    right(TEN, write(1000, 990, 5));
    right(TEN, write(1010, 1000, 15));
    wrong(TEN, "IA32_TSC_ADJUST of logical processor 0 is 0x3e8", write(1000, 1000, 5));
    wrong(TEN, "IA32_TSC_ADJUST of logical processor 0 is 0x3de", write(1010, 990, 5));
    wrong(TEN, "Time of logical processor 1 is 0xf", write(1000, 990, 15));
    wrong(TEN, "Time of logical processor 0 is 0x3ed", write(1005, 990, 15));
}
