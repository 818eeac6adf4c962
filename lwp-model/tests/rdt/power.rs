//! Caches that lose ways, and get them back.

use super::bench::{Bench, Found, L2_MASK, L3_MASK, amd, in_from, l3_only, load, out_to, store};
use lwp_model::rdt::{Config, Step};

/// Idle cycles until both caches have the power that they shall have.
fn settle(bench: &mut Bench) {
    bench.idle();
    while bench.unit.outputs().walking {
        bench.idle();
    }
    bench.idle();
    assert!(!bench.unit.outputs().walking);
}

// RDTA-02, RDTA-23: while ways are missing masks are ignored: all ways that are left are everybody's, and of the others none is filled
#[test]
fn masks_are_ignored() {
    let mut bench = Bench::new(l3_only());
    bench.wrmsr(0, L3_MASK, 0b1000);
    bench.power.l3_power = 3;
    settle(&mut bench);
    assert_eq!(bench.unit.outputs().l3_on, 3);
    bench.accesses(0, &[load(8), load(16), load(24), load(32)]);
    assert_eq!(bench.l3_lines(0), [32, 16, 24, 0]);
    bench.power.l3_power = 1;
    settle(&mut bench);
    assert_eq!((bench.l3_lines(0), bench.counts(0)), ([32, 0, 0, 0], (1, 4, 4)));
    bench.access(0, load(40));
    assert_eq!(bench.l3_lines(0), [40, 0, 0, 0]);
    // The mask is as it was, and holds again.
    bench.power.l3_power = 4;
    settle(&mut bench);
    assert_eq!(bench.rdmsr(0, L3_MASK), Ok(0b1000));
    bench.accesses(0, &[load(48), load(56)]);
    assert_eq!(bench.l3_lines(0), [40, 0, 0, 56]);
}

// A choice sees the ways of its cycle: one that gets power in it counts from the next choice on, so the mask is still ignored
#[test]
fn the_choice_in_which_power_returns() {
    for early in [false, true] {
        let mut bench = Bench::new(l3_only());
        bench.wrmsr(0, L3_MASK, 0b1000);
        bench.power.l3_power = 2;
        settle(&mut bench);
        bench.accesses(0, &[load(8), load(16)]);
        assert_eq!(bench.l3_lines(0), [8, 16, 0, 0]);
        // The choice is in the cycle behind the request.
        if early {
            bench.power.l3_power = 4;
        }
        bench.ask_for(0, load(24), Default::default());
        assert_eq!((bench.step(), bench.unit.outputs().l3_on), (Step::Idle, if early { 4 } else { 2 }));
        bench.power.l3_power = 4;
        bench.idle();
        assert_eq!((bench.step(), bench.unit.outputs().l3_on), (Step::L3Read, 4));
        bench.wait(0);
        assert_eq!(bench.l3_lines(0), if early { [8, 16, 0, 24] } else { [24, 16, 0, 0] });
    }
}

// RDTM-32: a cache that is flushed: occupancy falls to 0, and what was written, in either cache, is bandwidth of its RMID
#[test]
fn a_flush() {
    let mut bench = Bench::new(Config::default());
    bench.assign(0, 1, 0);
    bench.assign(1, 2, 0);
    bench.access(0, store(8));
    bench.accesses(1, &[load(16), load(9)]);
    bench.power.l3_power = 0;
    settle(&mut bench);
    assert_eq!((bench.counts(1), bench.counts(2)), ((0, 2, 2), (0, 2, 2)));
    assert_eq!(bench.moved, [in_from(8, 1), in_from(16, 2), in_from(9, 2), out_to(8, 1)]);
    assert_eq!((0..4).map(|set| bench.l2_lines(set)).collect::<Vec<_>>(), [[0; 2]; 4], "inclusive");
    // Nothing is filled, as with an empty mask.
    assert_eq!(bench.access(0, load(8)), Found::Nowhere);
    assert_eq!(bench.access(0, store(8)), Found::Nowhere);
    assert_eq!((bench.counts(1), bench.l3_lines(0), bench.l2_lines(0)), ((0, 4, 4), [0; 4], [0; 2]));
    bench.power.l3_power = 31;
    settle(&mut bench);
    assert_eq!((bench.unit.outputs().l3_on, bench.access(0, load(8))), (4, Found::Nowhere));
    assert_eq!((bench.counts(1), bench.access(1, load(8))), ((1, 5, 5), Found::L2));
}

// RDT-14: the L2 cache loses ways: what was written is dirty in the L3 cache, and no memory is asked
#[test]
fn the_l2_cache_loses_ways() {
    let mut bench = Bench::new(Config::default());
    bench.accesses(0, &[load(8), store(12), store(9)]);
    let moved = bench.moved.len();
    bench.power.l2_power = 1;
    settle(&mut bench);
    assert_eq!((bench.l2_lines(0), bench.l2_lines(1)), ([8, 0], [9, 0]));
    assert_eq!((bench.l3_dirty(4)[0], bench.l3_dirty(1)[0]), (true, false));
    bench.power.l2_power = 0;
    settle(&mut bench);
    assert_eq!((bench.l2_lines(0), bench.l2_lines(1)), ([0; 2], [0; 2]));
    assert_eq!((bench.l3_dirty(0)[0], bench.l3_dirty(1)[0]), (false, true));
    assert_eq!((bench.moved.len(), bench.unit.outputs().l2_on, bench.unit.outputs().l3_on), (moved, 0, 4));
    // Without ways nothing is filled there, and the L3 cache has what is written.
    assert_eq!((bench.access(0, store(8)), bench.access(0, load(8))), (Found::L3, Found::L3));
    assert_eq!((bench.l3_dirty(0)[0], bench.l2_lines(0)), (true, [0; 2]));
    bench.power.l2_power = 15;
    settle(&mut bench);
    assert_eq!((bench.access(0, load(8)), bench.access(0, load(8))), (Found::L3, Found::L2));
}

// RDTA-23: each cache for itself: masks of the one with all its ways hold
#[test]
fn masks_of_the_other_cache_hold() {
    let masked = || {
        let mut bench = Bench::new(Config::default());
        bench.wrmsr(0, L3_MASK, 0b1000);
        bench.wrmsr(0, L2_MASK, 0b10);
        bench
    };
    let mut bench = masked();
    bench.power.l3_power = 2;
    settle(&mut bench);
    bench.accesses(0, &[load(8), load(16)]);
    assert_eq!((bench.l3_lines(0), bench.l2_lines(0)), ([8, 16, 0, 0], [0, 16]));
    let mut bench = masked();
    bench.power.l2_power = 1;
    settle(&mut bench);
    bench.accesses(0, &[load(8), load(12)]);
    assert_eq!((bench.l3_lines(0), bench.l3_lines(4), bench.l2_lines(0)), ([0, 0, 0, 8], [0, 0, 0, 12], [12, 0]));
    // An empty mask is ignored as well.
    let mut bench = Bench::new(amd(l3_only()));
    bench.wrmsr(0, L3_MASK, 0);
    bench.power.l3_power = 3;
    settle(&mut bench);
    bench.access(0, load(8));
    assert_eq!(bench.l3_lines(0), [8, 0, 0, 0]);
}

// The L2 cache first, then the L3 cache, with an idle cycle between; each takes two cycles a set when there is nothing
#[test]
fn one_walk_after_the_other() {
    let mut bench = Bench::new(Config::default());
    (bench.power.l3_power, bench.power.l2_power) = (1, 1);
    let mut rows = vec![(Step::Idle, 0, 4, 2)];
    for set in 0..4 {
        rows.extend([(Step::L2WalkRead, set, 4, 1), (Step::L2Walk, set, 4, 1)]);
    }
    rows.push((Step::Idle, 0, 4, 1));
    for set in 0..8 {
        rows.extend([(Step::L3WalkRead, set, 1, 1), (Step::L3Walk, set, 1, 1)]);
    }
    rows.push((Step::Idle, 0, 1, 1));
    for (row, expected) in rows.into_iter().enumerate() {
        let (job, power) = (bench.unit.state().job, bench.unit.state().power);
        assert_eq!((job.step, job.set, power.l3_on, power.l2_on), expected, "{row}");
        assert_eq!(bench.unit.outputs().walking, job.step != Step::Idle, "{row}");
        bench.idle();
    }
}

// A change during a walk counts when the next idle is reached: fewer ways in another walk, more at once
#[test]
fn a_change_during_a_walk() {
    let mut bench = Bench::new(l3_only());
    bench.power.l3_power = 3;
    bench.idle();
    bench.power.l3_power = 1;
    for _ in 0..16 {
        assert_eq!((bench.unit.outputs().l3_on, bench.unit.outputs().walking), (3, true));
        bench.idle();
    }
    assert_eq!((bench.step(), bench.unit.outputs().walking), (Step::Idle, false));
    bench.idle();
    bench.power.l3_power = 4;
    for _ in 0..16 {
        assert_eq!((bench.unit.outputs().l3_on, bench.unit.outputs().walking), (1, true));
        bench.idle();
    }
    bench.idle();
    assert_eq!((bench.unit.outputs().l3_on, bench.unit.outputs().walking), (4, false));
    // One that is gone before idle is reached is never noticed.
    bench.cycle([load(8), Default::default()]);
    bench.idle();
    bench.power.l3_power = 0;
    bench.pass(3);
    bench.power.l3_power = 4;
    bench.wait(0);
    assert_eq!(bench.l3_lines(0), [8, 0, 0, 0]);
}

// An access in progress ends first, in the way that it was given; a walk then empties that way, before the next access
#[test]
fn a_change_during_an_access() {
    let mut bench = Bench::new(l3_only());
    bench.wrmsr(0, L3_MASK, 0b1000);
    bench.cycle([load(8), Default::default()]);
    bench.idle();
    bench.power.l3_power = 2;
    bench.cycle([Default::default(), load(8)]);
    bench.wait(0);
    assert_eq!((bench.l3_lines(0), bench.counts(0).0), ([0, 0, 0, 8], 1));
    let start = bench.now;
    assert_eq!(bench.wait(1), Found::Nowhere);
    // Idle, 16 cycles of eight sets and 3 for the line, which is clean: l3_walk once more, evict and l3_walk_read; the access takes 6.
    assert_eq!(bench.now - start, 1 + 16 + 3 + 6);
    assert_eq!((bench.l3_lines(0), bench.counts(0).0), ([8, 0, 0, 0], 1));
}

// Ways come back empty, are filled first although they were used later than others, and then are in their place of the order
#[test]
fn ways_that_come_back() {
    let mut bench = Bench::new(l3_only());
    bench.accesses(0, &[load(8), load(16), load(24), load(32), load(16), load(8)]);
    assert_eq!(bench.l3_ages(0), [0, 1, 3, 2]);
    bench.accesses(0, &[load(24), load(32)]);
    assert_eq!(bench.l3_ages(0), [2, 3, 1, 0]);
    bench.power.l3_power = 2;
    settle(&mut bench);
    bench.power.l3_power = 4;
    settle(&mut bench);
    assert_eq!((bench.l3_lines(0), bench.l3_ages(0)), ([8, 16, 0, 0], [2, 3, 1, 0]));
    bench.access(0, load(40));
    assert_eq!((bench.l3_lines(0), bench.l3_ages(0)), ([8, 16, 40, 0], [2, 3, 0, 1]));
    bench.accesses(0, &[load(48), load(56)]);
    assert_eq!(bench.l3_lines(0), [8, 56, 40, 48]);
}
