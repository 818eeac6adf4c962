//! How far apart the requests of a delayed logical processor are.

use super::bench::{Bench, L3_MASK, PQR_ASSOC, THROTTLE, assoc, l3_only, load, store, wrmsr};
use lwp_model::rdt::{Config, LpInputs, Scope, Step};

/// Cycles from the end of one access to the end of the next, when both logical processors ask again at once for what they ask here.
fn intervals(bench: &mut Bench, requests: [LpInputs; 2], lp: usize) -> [usize; 3] {
    let mut end = || {
        loop {
            bench.cycle(requests);
            if bench.unit.outputs().lp[lp].done {
                return bench.now;
            }
        }
    };
    let mut last = end();
    core::array::from_fn(|_| {
        let now = end();
        let interval = now - last;
        last = now;
        interval
    })
}

/// Line 8 is in the caches, and logical processor 0 has class 1 with this delay.
fn delayed(straps: Config, delay: u64) -> Bench {
    let mut bench = Bench::new(straps);
    bench.access(0, load(8));
    bench.wrmsr(0, THROTTLE + 1, delay);
    bench.assign(0, 0, 1);
    bench
}

fn alone() -> [LpInputs; 2] {
    [load(8), LpInputs::default()]
}

// RDTA-28, RDTA-33, RDT-09: a delay of d percent leaves 100 - d percent of one request in 8 cycles; a hit alone takes 4
#[test]
fn linear_delays() {
    for (delay, interval) in [(0, 4), (20, 10), (50, 16), (60, 20), (75, 32), (90, 80)] {
        assert_eq!(intervals(&mut delayed(l3_only(), delay), alone(), 0), [interval; 3], "{delay} percent");
    }
    // 800 / 99 is more than 8, 800 / 67 more than 11, and what is over is not saved up.
    for (delay, interval) in [(1, 9), (33, 12)] {
        assert_eq!(intervals(&mut delayed(l3_only(), delay), alone(), 0), [interval; 3], "{delay} percent");
    }
    let straps = Config { mba_period: 20, ..l3_only() };
    assert_eq!(intervals(&mut delayed(straps, 50), alone(), 0), [40; 3]);
}

// RDTA-28, RDT-09: the gap is the period and the largest power of two that is not above the value
#[test]
fn delays_that_are_not_linear() {
    let straps = Config { mba_linear: false, mba_max: 100, ..l3_only() };
    for (delay, interval) in [(0, 4), (1, 9), (2, 10), (3, 10), (4, 12), (7, 12), (8, 16), (100, 72)] {
        assert_eq!(intervals(&mut delayed(straps, delay), alone(), 0), [interval; 3], "{delay}");
    }
}

// `mba_scope`: all logical processors are delayed by the largest delay of their associations, or each by its own
#[test]
fn whose_delay() {
    for (mba_scope, interval) in [(Scope::Core, 16), (Scope::Thread, 4)] {
        let mut bench = delayed(Config { mba_scope, ..l3_only() }, 50);
        bench.wrmsr(0, THROTTLE + 2, 20);
        bench.assign(1, 0, 2);
        let other = [LpInputs::default(), load(8)];
        let own = if mba_scope == Scope::Core { 16 } else { 10 };
        assert_eq!(intervals(&mut bench, other, 1), [own; 3], "the larger one of 50 and 20");
        bench.wrmsr(0, THROTTLE + 2, 75);
        let own = if mba_scope == Scope::Core { 32 } else { 16 };
        assert_eq!(intervals(&mut bench, alone(), 0), [own; 3], "the larger one of 50 and 75");
        bench.assign(1, 0, 0);
        assert_eq!(intervals(&mut bench, other, 1), [interval; 3], "50 and none");
        bench.assign(0, 0, 0);
        assert_eq!(intervals(&mut bench, other, 1), [4; 3], "none at all");
    }
}

// RDT-09: what does not miss the L2 cache is not delayed
#[test]
fn hits_of_the_l2_cache_cost_nothing() {
    let mut bench = delayed(Config::default(), 90);
    assert_eq!(intervals(&mut bench, alone(), 0), [4; 3]);
}

// RDT-09: a request pays once, whether its victim is written back or not: with the write-back it takes 9 cycles of the 16
#[test]
fn write_backs_are_not_delayed() {
    let mut bench = delayed(l3_only(), 50);
    bench.wrmsr(0, L3_MASK + 1, 1);
    bench.access(0, store(16));
    bench.pass(20);
    for line in [24, 16, 24] {
        // The credit was there; the next line waits for the rest of its 16 cycles.
        assert_eq!(bench.time(0, store(line)), 9);
        bench.pass(7);
    }
    assert_eq!(bench.moved.iter().filter(|moved| moved.write).count(), 3);
}

// Credit that was earned under a larger cost is cut before it is spent
#[test]
fn a_smaller_cost_leaves_no_savings() {
    let straps = Config { mba_linear: false, mba_max: 64, ..l3_only() };
    let mut bench = delayed(straps, 64);
    bench.access(0, load(8));
    bench.pass(80);
    assert_eq!(bench.unit.state().lp[0].credit, 72);
    // The cost is 9 in the cycle of the choice: 1 is left, and not 64.
    bench.ask_for(0, load(8), wrmsr(0, THROTTLE + 1, 1));
    bench.idle();
    assert_eq!(bench.unit.state().lp[0].credit, 1);
}

// RDT-09: the delay is that of the class of the access; between two accesses that of the last one
#[test]
fn the_delay_of_an_access() {
    let mut bench = delayed(l3_only(), 50);
    bench.access(0, load(8));
    bench.pass(16);
    assert_eq!(bench.unit.state().lp[0].credit, 800);
    bench.assign(0, 0, 0);
    bench.pass(3);
    assert_eq!(bench.unit.state().lp[0].credit, 800, "no access of class 0 yet");
    // Class 1 comes back in the cycle of the request, which is of class 0 still: it is not delayed, and leaves no credit.
    bench.ask_for(0, load(8), wrmsr(0, PQR_ASSOC, assoc(0, 1)));
    bench.wait(0);
    assert_eq!(bench.unit.state().lp[0].credit, 0);
    // 16 cycles from the one behind the request, then l3_read, l3_look and the end.
    assert_eq!(bench.time(0, load(8)), 1 + 16 + 3);
}

// RDTA-34, RDT-09: in 200 cycles at most 1 + 200 x 50 / 800 requests: chosen in the cycles 2, 18, ... , 194
#[test]
fn the_bound_of_a_delay() {
    let mut bench = delayed(l3_only(), 50);
    bench.access(0, load(8));
    bench.pass(20);
    let mut chosen = 0;
    for _ in 0..200 {
        bench.cycle(alone());
        chosen += usize::from(bench.step() == Step::L3Read);
    }
    assert_eq!(chosen, 13);
}

// RDT-10: a class that has no delay value is not delayed, and there may be none at all
#[test]
fn a_class_without_a_delay() {
    let mut bench = delayed(Config { mba_cos: 1, ..l3_only() }, 90);
    bench.assign(0, 0, 3);
    assert_eq!(intervals(&mut bench, alone(), 0), [4; 3]);
    let straps = Config { mba: false, mba_cos: 0, ..l3_only() };
    let mut bench = Bench::new(straps);
    bench.access(0, load(8));
    bench.assign(0, 0, 3);
    assert_eq!(intervals(&mut bench, alone(), 0), [4; 3]);
}

// A logical processor without credit holds nobody up, and has its turn as soon as it has earned it
#[test]
fn who_waits_for_credit_is_passed_by() {
    let mut bench = delayed(l3_only(), 90);
    let both = [load(8), load(8)];
    assert_eq!(intervals(&mut bench, both, 1), [4; 3]);
    // Two of four cycles are idle while logical processor 1 is alone. Behind a choice of the other one these are the cycles 6 and 7, 10 and
    // 11, ... , 78 and 79, 82: its credit is there in the 80th.
    assert_eq!(intervals(&mut bench, both, 0), [82; 3]);
}
