//! The cycles after reset.

use super::bench::{
    Bench, CTR, EVTSEL, L2_MASK, L3_MASK, L3_QOS_CFG, Large, PQR_ASSOC, THROTTLE, assoc, evtsel, l3_only, load, store,
    wrmsr,
};
use lwp_model::rdt::{Config, L3Line, Step};

// A set of both memories in each cycle, of the larger one: eight cycles, in which nothing is accepted and no way has power
#[test]
fn a_set_in_each_cycle() {
    let mut bench = Bench::after_reset(Config::default());
    for set in 0..8 {
        let (state, out) = (*bench.unit.state(), bench.unit.outputs());
        assert_eq!((state.job.step, state.job.set), (Step::Clear, set));
        assert_eq!(out.lp.map(|lp| lp.req_ready), [false; 2]);
        assert_eq!((out.l3_on, out.l2_on, out.walking, out.mem_req), (0, 0, false, false));
        if set > 0 {
            // The L2 memory has four sets: each is written twice.
            assert_eq!(
                (state.l3.index, state.l3.written, state.l2.index, state.l2.written),
                (set - 1, true, (set - 1) % 4, true)
            );
        }
        bench.cycle([load(8), store(9)]);
    }
    let (state, out) = (*bench.unit.state(), bench.unit.outputs());
    assert_eq!((state.job.step, state.job.set, out.l3_on, out.l2_on), (Step::Idle, 0, 4, 2));
    assert_eq!(out.lp.map(|lp| lp.req_ready), [true; 2]);
    bench.pass(20);
    assert!(bench.moved.is_empty(), "nothing was accepted");
    for set in 0..8 {
        let empty = core::array::from_fn(|way| L3Line { age: way as u8, ..L3Line::default() });
        assert_eq!(bench.unit.l3_words()[set].line, empty);
        assert_eq!(bench.unit.l2_words()[set % 4].line.map(|way| way.age), [0, 1]);
    }
}

#[test]
fn the_sizes_of_the_large_build() {
    let mut bench = Large::after_reset(Config::default());
    bench.clear();
    assert_eq!(bench.now, 64);
    assert_eq!(bench.l3_ages(63), core::array::from_fn(|way| way as u8));
    assert_eq!(bench.unit.l2_words()[15].line.map(|way| way.age), [0, 1, 2, 3, 4, 5, 6, 7]);
}

// Masks read 0 in the first cycle, and what is written in it is not lost
#[test]
fn masks_in_the_first_cycle() {
    let mut bench = Bench::after_reset(Config::default());
    assert_eq!((bench.rdmsr(0, L3_MASK), bench.rdmsr(0, L3_MASK)), (Ok(0), Ok(0b1111)));
    let mut bench = Bench::after_reset(Config::default());
    assert_eq!((bench.rdmsr(0, L2_MASK + 3), bench.rdmsr(0, L2_MASK + 3)), (Ok(0), Ok(0b11)));
    for late in 0..8 {
        let mut bench = Bench::after_reset(Config::default());
        bench.pass(late);
        bench.wrmsr(0, L3_MASK + 2, 0b0100);
        bench.clear();
        let masks = [0, 1, 2, 3].map(|n| bench.rdmsr(0, L3_MASK + n));
        assert_eq!(masks, [Ok(0b1111), Ok(0b1111), Ok(0b0100), Ok(0b1111)], "{late}");
    }
    // One that is refused leaves the reset value.
    let mut bench = Bench::after_reset(Config::default());
    assert!(bench.try_wrmsr(0, L3_MASK, 0).is_err());
    assert_eq!(bench.rdmsr(0, L3_MASK), Ok(0b1111));
}

// Reset values: as many ones as there are ways in use, of the classes that there are
#[test]
fn masks_after_clear() {
    let mut bench = Bench::new(Config { l3_ways: 3, l3_cos: 1, l2_ways: 1, l2_cos: 2, ..Config::default() });
    let state = *bench.unit.state();
    assert_eq!(state.class.map(|class| class.l3_mask), [0b111, 0b111, 0, 0]);
    assert_eq!(state.class.map(|class| class.l2_mask), [1, 1, 1, 0]);
    assert_eq!(state.class.map(|class| class.delay), [0; 4]);
    assert_eq!((bench.unit.outputs().l3_on, bench.unit.outputs().l2_on), (3, 1));
    let other = Config { l3_cat: false, l3_cdp: false, l3_cos: 0, ..l3_only() };
    bench = Bench::new(other);
    assert_eq!(bench.unit.state().class.map(|class| (class.l3_mask, class.l2_mask)), [(0, 0); 4]);
}

// RDT-06: bandwidth reads 0 in place of `start` until clear is left; association and selection are not lost
#[test]
fn counters_after_clear() {
    let mut bench = Bench::after_reset(Config { start: 100, max_rmid: 2, l3_max_rmid: 2, ..Config::default() });
    bench.assign(0, 2, 3);
    assert_eq!(bench.select(0, 2, 2), Ok(0));
    bench.wrmsr(0, THROTTLE + 3, 90);
    while bench.unit.state().job.set < 7 {
        bench.idle();
    }
    assert_eq!(bench.rdmsr(0, CTR), Ok(0), "in the last cycle");
    assert_eq!(bench.rdmsr(0, CTR), Ok(100));
    assert_eq!([0, 1, 2, 3].map(|rmid| bench.counts(rmid)), [(0, 100, 100), (0, 100, 100), (0, 100, 100), (0, 0, 0)]);
    assert_eq!((bench.rdmsr(0, PQR_ASSOC), bench.rdmsr(0, THROTTLE + 3)), (Ok(assoc(2, 3)), Ok(90)));
    assert_eq!(bench.rdmsr(0, EVTSEL), Ok(evtsel(2, 2)));
    // What is not monitored does not begin.
    let bench = Bench::new(Config { start: 100, events: 0b011, ..Config::default() });
    assert_eq!(bench.counts(0), (0, 100, 0));
    let bench = Bench::new(Config { start: 100, events: 0b101, ..Config::default() });
    assert_eq!(bench.counts(0), (0, 0, 100));
}

// Power that is wanted in the last cycle of clear is there at once: the ways are empty, so nothing is walked
#[test]
fn power_after_clear() {
    let mut bench = Bench::after_reset(Config::default());
    bench.pass(7);
    (bench.power.l3_power, bench.power.l2_power) = (2, 1);
    bench.idle();
    let out = bench.unit.outputs();
    assert_eq!((bench.step(), out.l3_on, out.l2_on), (Step::Idle, 2, 1));
    bench.idle();
    assert_eq!((bench.step(), bench.unit.outputs().walking), (Step::Idle, false));
}

// RDTA-12: a reset in the middle of an access: both caches are empty again, and every register is as it was at first
#[test]
fn another_reset() {
    let mut bench = Bench::new(Config::default());
    bench.wrmsr(0, L3_QOS_CFG, 1);
    bench.wrmsr(0, L3_MASK, 0b1000);
    bench.assign(0, 1, 1);
    bench.accesses(0, &[store(8), store(16), load(9)]);
    bench.late = 100;
    bench.ask_for(0, load(17), wrmsr(1, EVTSEL, evtsel(1, 1)));
    bench.pass(20);
    assert_eq!(bench.step(), Step::MemRequest);
    bench.unit.reset();
    let fresh = Bench::after_reset(Config::default());
    assert_eq!((bench.unit.state(), bench.unit.outputs()), (fresh.unit.state(), fresh.unit.outputs()));
    bench.clear();
    bench.late = 0;
    assert_eq!((bench.l3_lines(0), bench.l2_lines(0), bench.counts(1)), ([0; 4], [0; 2], (0, 0, 0)));
    assert_eq!(
        (bench.rdmsr(0, L3_QOS_CFG), bench.rdmsr(0, PQR_ASSOC), bench.rdmsr(0, L3_MASK)),
        (Ok(0), Ok(0), Ok(0b1111))
    );
    bench.access(0, load(8));
    assert_eq!((bench.l3_lines(0), bench.counts(0)), ([8, 0, 0, 0], (1, 1, 1)));
}
