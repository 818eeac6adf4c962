//! Several logical processors.

use super::bench::{ADJUST, AUX, Answer, Bench, TSC};
use lwp_model::retire::RegOp;
use lwp_model::tsc::Config;

/// Each processor writes 1000, 2000, ... with a tick in every cycle; the others are only counted on.
fn each_has_its_own<const LP: usize>() {
    for number in [TSC, ADJUST, AUX] {
        let mut bench = Bench::<LP>::new(Config::default());
        bench.inputs.processor.crystal_tick = true;
        for lp in 0..8_u8 {
            let before = *bench.unit.state();
            let value = 1000 * (u64::from(lp) + 1);
            assert_eq!(bench.ask_by(lp, RegOp::Wrmsr, number, value), Answer::value(0));
            let ticks = if before.rate.fraction == 2 { 84 } else { 83 };
            for (other, old) in before.processors.iter().enumerate() {
                let new = &bench.unit.state().processors[other];
                if other != usize::from(lp) % LP {
                    assert_eq!(new.counter.since(old.counter), ticks);
                    assert_eq!((new.adjust, new.aux), (old.adjust, old.aux));
                } else {
                    let shown = match number {
                        TSC => new.counter.ticks() - ticks,
                        ADJUST => new.adjust.ticks(),
                        _ => new.aux.into_bits(),
                    };
                    assert_eq!(shown, value);
                }
            }
            let untouched = bench.unit.state().processors.map(|lp| lp.counter.ticks().wrapping_sub(lp.adjust.ticks()));
            assert!(untouched.iter().all(|ticks| *ticks == untouched[0]), "{untouched:?}");
        }
    }
}

// TSC-17, TSC-19: a write by one leaves the others; the number of the processor counts modulo their number
#[test]
fn each_processor_has_its_own() {
    each_has_its_own::<1>();
    each_has_its_own::<2>();
    each_has_its_own::<4>();
    each_has_its_own::<8>();
}

// TSC-24: the same adjustment on each, one after the other
#[test]
fn the_same_adjustment_makes_counters_agree() {
    let mut bench = Bench::<4>::new(Config::default());
    bench.inputs.processor.crystal_tick = true;
    for lp in 0..4 {
        bench.ask_by(lp, RegOp::Wrmsr, TSC, 77 * u64::from(lp));
    }
    assert_ne!(bench.counter(0), bench.counter(3));
    for lp in 0..4 {
        bench.ask_by(lp, RegOp::Wrmsr, ADJUST, 0x1_0000);
    }
    let counters = [0, 1, 2, 3].map(|lp| bench.counter(lp));
    assert_eq!(counters, [counters[0]; 4]);
}
