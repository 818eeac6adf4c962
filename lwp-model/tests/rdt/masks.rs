//! Which ways an access fills.

use super::bench::{
    Bench, Found, L2_MASK, L2_QOS_CFG, L3_MASK, L3_QOS_CFG, Moved, PQR_ASSOC, THROTTLE, amd, assoc, fetch, l3_only,
    load, store, wrmsr,
};
use lwp_model::rdt::{Config, LpInputs, Step};

/// The straps with L3 masks in pieces.
fn sparse() -> Config {
    Config { sparse: true, ..l3_only() }
}

// RDTA-02, RDTA-03, RDTA-07: a class fills the ways of its mask alone, however much there is elsewhere
#[test]
fn a_class_fills_its_ways() {
    let mut bench = Bench::new(l3_only());
    bench.wrmsr(0, L3_MASK + 1, 0b0100);
    bench.assign(0, 1, 1);
    bench.accesses(0, &[load(8), load(16), load(24)]);
    assert_eq!((bench.l3_lines(0), bench.counts(1)), ([0, 0, 24, 0], (1, 3, 3)));
    // Another class still has all.
    bench.accesses(1, &[load(32), load(40)]);
    assert_eq!(bench.l3_lines(0), [32, 40, 24, 0]);
}

// Victim: the lowest allowed way that is not valid, then the one that was not used for longest
#[test]
fn an_empty_way_is_filled_first() {
    let mut bench = Bench::new(l3_only());
    bench.wrmsr(0, L3_MASK, 0b0110);
    bench.access(0, load(8));
    assert_eq!(bench.l3_lines(0), [0, 8, 0, 0]);
    bench.access(0, load(16));
    assert_eq!(bench.l3_lines(0), [0, 8, 16, 0]);
    bench.access(0, load(24));
    assert_eq!(bench.l3_lines(0), [0, 24, 16, 0]);
    // With all ways allowed, the ways 0 and 3 come first, in this order.
    bench.wrmsr(0, L3_MASK, 0b1111);
    bench.access(0, load(32));
    assert_eq!(bench.l3_lines(0), [32, 24, 16, 0]);
    bench.access(0, load(40));
    assert_eq!(bench.l3_lines(0), [32, 24, 16, 40]);
    bench.access(0, load(48));
    assert_eq!(bench.l3_lines(0), [32, 24, 48, 40], "line 16 is the oldest");
}

// RDT-03: true LRU, step by step
#[test]
fn ages_of_four_ways() {
    let mut bench = Bench::new(sparse());
    let rows = [
        (8, Found::Nowhere, [8, 0, 0, 0], [0, 1, 2, 3]),
        (16, Found::Nowhere, [8, 16, 0, 0], [1, 0, 2, 3]),
        (24, Found::Nowhere, [8, 16, 24, 0], [2, 1, 0, 3]),
        (32, Found::Nowhere, [8, 16, 24, 32], [3, 2, 1, 0]),
        (16, Found::L3, [8, 16, 24, 32], [3, 0, 2, 1]),
        (8, Found::L3, [8, 16, 24, 32], [0, 1, 3, 2]),
        (40, Found::Nowhere, [8, 16, 40, 32], [1, 2, 0, 3]),
        (48, Found::Nowhere, [8, 16, 40, 48], [2, 3, 1, 0]),
        (24, Found::Nowhere, [8, 24, 40, 48], [3, 0, 2, 1]),
        (24, Found::L3, [8, 24, 40, 48], [3, 0, 2, 1]),
    ];
    for (line, found, lines, ages) in rows {
        assert_eq!((bench.access(0, load(line)), bench.l3_lines(0), bench.l3_ages(0)), (found, lines, ages), "{line}");
    }
    // Of the ways 1 and 2, the second one; of the ways 1 and 3, the second one. Way 0 is older than all.
    bench.wrmsr(0, L3_MASK, 0b0110);
    bench.access(0, load(56));
    assert_eq!((bench.l3_lines(0), bench.l3_ages(0)), ([8, 24, 56, 48], [3, 1, 0, 2]));
    bench.wrmsr(0, L3_MASK, 0b1010);
    bench.access(0, load(64));
    assert_eq!((bench.l3_lines(0), bench.l3_ages(0)), ([8, 24, 56, 64], [3, 2, 1, 0]));
}

// RDTA-08: masks limit fills, not hits: a line outside of the mask is found, used, and stays where it is
#[test]
fn a_hit_outside_of_the_mask() {
    let mut bench = Bench::new(l3_only());
    bench.wrmsr(0, L3_MASK + 1, 0b1000);
    bench.assign(1, 0, 1);
    bench.accesses(0, &[load(8), load(16)]);
    assert_eq!(bench.access(1, load(8)), Found::L3);
    assert_eq!((bench.l3_lines(0), bench.l3_ages(0)), ([8, 16, 0, 0], [0, 1, 2, 3]));
    bench.access(1, load(24));
    assert_eq!(bench.l3_lines(0), [8, 16, 0, 24]);
    // A narrower mask moves nothing and empties nothing.
    bench.wrmsr(0, L3_MASK, 0b1000);
    assert_eq!(bench.access(0, load(16)), Found::L3);
    assert_eq!(bench.l3_lines(0), [8, 16, 0, 24]);
}

// RDT-13: a mask counts from the cycle on in which the answer is there; a choice in the cycle of the request has the old one
#[test]
fn a_mask_counts_at_the_choice() {
    let mut bench = Bench::new(l3_only());
    // The choice is one cycle behind the request of the access.
    bench.ask_for(0, load(8), wrmsr(0, L3_MASK, 0b1000));
    bench.wait(0);
    assert_eq!(bench.l3_lines(0), [0, 0, 0, 8]);
    bench.ask_for(0, load(16), Default::default());
    assert_eq!(bench.step(), Step::Idle);
    bench.wrmsr(0, L3_MASK, 0b0010);
    bench.wait(0);
    assert_eq!(bench.l3_lines(0), [0, 0, 0, 16]);
    bench.access(0, load(24));
    assert_eq!(bench.l3_lines(0), [0, 24, 0, 16]);
}

// RDTA-08: the class is that of the cycle in which the access was accepted, though the thread changes before the choice
#[test]
fn a_class_counts_at_the_request() {
    let mut bench = Bench::new(l3_only());
    bench.wrmsr(0, L3_MASK + 1, 0b0001);
    bench.wrmsr(0, L3_MASK + 2, 0b1000);
    bench.assign(0, 0, 1);
    bench.ask_for(0, load(8), wrmsr(0, PQR_ASSOC, assoc(0, 2)));
    bench.wait(0);
    bench.access(0, load(16));
    assert_eq!(bench.l3_lines(0), [8, 0, 0, 16]);
}

// RDTA-05: one WRMSR of IA32_PQR_ASSOC changes L3 ways, L2 ways and delay
#[test]
fn a_class_is_the_same_for_all_resources() {
    let mut bench = Bench::new(Config::default());
    bench.wrmsr(0, L3_MASK + 1, 0b1000);
    bench.wrmsr(0, L2_MASK + 1, 0b10);
    bench.wrmsr(0, THROTTLE + 1, 50);
    assert_eq!(bench.time(0, load(8)), 12);
    assert_eq!((bench.l3_lines(0), bench.l2_lines(0)), ([8, 0, 0, 0], [8, 0]));
    bench.assign(0, 0, 1);
    // Accepted in cycle 1, it earns 50 in each cycle from the 2nd on: 800 in the 18th, instead of none in the 5th.
    assert_eq!(bench.time(0, load(16)), 12 + 13);
    assert_eq!((bench.l3_lines(0), bench.l2_lines(0)), ([8, 0, 0, 16], [8, 16]));
    bench.access(0, load(24));
    assert_eq!((bench.l3_lines(0), bench.l2_lines(0)), ([8, 0, 0, 24], [8, 24]));
}

// RDTA-04, RDTA-29, RDT-10: resources may have different numbers of classes; a class that one of them lacks is not limited there
#[test]
fn a_class_that_a_cache_lacks() {
    let mut bench = Bench::new(Config { l3_cos: 1, ..l3_only() });
    bench.wrmsr(0, L3_MASK, 1);
    bench.wrmsr(0, L3_MASK + 1, 1);
    bench.assign(0, 0, 3);
    bench.accesses(0, &[load(8), load(16), load(24)]);
    assert_eq!(bench.l3_lines(0), [8, 16, 24, 0]);
    bench.assign(0, 0, 1);
    bench.access(0, load(32));
    assert_eq!(bench.l3_lines(0), [32, 16, 24, 0]);
}

#[test]
fn a_cache_without_masks() {
    let straps = Config { l3_cat: false, l3_cdp: false, l3_cos: 0, ..Config::default() };
    let mut bench = Bench::new(Config { l2_cat: false, l2_cdp: false, l2_cos: 0, l3_ways: 3, ..straps });
    bench.assign(0, 0, 2);
    bench.accesses(0, &[load(8), load(16), load(24), load(32)]);
    assert_eq!((bench.l3_lines(0), bench.l2_lines(0)), ([32, 16, 24, 0], [24, 32]));
}

// RDT-12: with an empty mask nothing is filled, in the L2 cache neither; memory is read and written past both
#[test]
fn an_empty_l3_mask() {
    for (write_backs, total) in [(true, 2), (false, 1)] {
        let mut bench = Bench::new(Config { write_backs, ..amd(Config::default()) });
        bench.wrmsr(0, L3_MASK + 1, 0);
        bench.assign(0, 3, 1);
        assert_eq!(bench.access(0, load(8)), Found::Nowhere);
        assert_eq!(bench.counts(3), (0, 1, 1));
        // l2_read, l2_look, idle, l3_read, l3_look, mem_request: nothing is waited for.
        assert_eq!(bench.time(0, store(8)), 8);
        assert_eq!(bench.counts(3), (0, total, total));
        let moved = |write| Moved { write, line: 8, rmid: 3, cos: 1 };
        assert_eq!(bench.moved, [moved(false), moved(true)]);
        assert_eq!((bench.l3_lines(0), bench.l2_lines(0)), ([0; 4], [0; 2]));
    }
}

// RDT-12: it may still hit, and what hit the L3 cache goes into the L2 cache, where the class has ways
#[test]
fn a_hit_with_an_empty_l3_mask() {
    let mut bench = Bench::new(amd(Config::default()));
    bench.wrmsr(0, L3_MASK + 1, 0);
    bench.assign(0, 0, 1);
    bench.accesses(1, &[load(8), load(16)]);
    assert_eq!(bench.access(0, load(8)), Found::L2);
    bench.accesses(1, &[load(16), load(24), load(16)]);
    assert_eq!(bench.l2_lines(0), [24, 16]);
    assert_eq!(bench.access(0, load(8)), Found::L3);
    assert_eq!((bench.l3_lines(0), bench.l2_lines(0)), ([8, 16, 24, 0], [8, 16]));
}

// The L2 cache does not hold the line, so the L3 cache has what was written, at a fill and at a hit
#[test]
fn an_empty_l2_mask() {
    let mut bench = Bench::new(amd(Config::default()));
    bench.wrmsr(0, L2_MASK, 0);
    assert_eq!(bench.access(0, store(8)), Found::Nowhere);
    assert_eq!(bench.access(0, load(16)), Found::Nowhere);
    assert_eq!((bench.l3_lines(0), bench.l3_dirty(0)), ([8, 16, 0, 0], [true, false, false, false]));
    assert_eq!(bench.access(0, load(16)), Found::L3);
    assert_eq!(bench.l3_dirty(0), [true, false, false, false]);
    assert_eq!(bench.access(0, store(16)), Found::L3);
    assert_eq!((bench.l3_dirty(0), bench.l2_lines(0)), ([true, true, false, false], [0; 2]));
}

// RDTA-10, RDTA-13, RDTA-18, RDTA-19: class n has its data in the ways of mask 2n, its code in those of mask 2n + 1
#[test]
fn code_and_data_of_the_l3_cache() {
    let mut bench = Bench::new(l3_only());
    for n in 0..4 {
        bench.wrmsr(0, L3_MASK + n, 1 << n);
    }
    bench.wrmsr(0, L3_QOS_CFG, 1);
    bench.assign(1, 0, 1);
    bench.accesses(0, &[load(8), fetch(16)]);
    bench.accesses(1, &[store(24), fetch(32)]);
    assert_eq!(bench.l3_lines(0), [8, 16, 24, 32]);
    assert_eq!(bench.unit.l3_words()[0].line.map(|way| way.code), [false, true, false, true]);
    bench.accesses(1, &[fetch(40), load(48)]);
    assert_eq!(bench.l3_lines(0), [8, 16, 48, 40]);
    // `req_code` is ignored with `req_write`.
    bench.access(0, LpInputs { req_code: true, ..store(56) });
    assert_eq!(bench.l3_lines(0), [56, 16, 48, 40]);
}

// RDTA-15, RDTA-27: CDP is off after reset, and may be switched at any time: the class stays, and its masks are others
#[test]
fn cdp_maps_classes_to_other_masks() {
    let mut bench = Bench::new(l3_only());
    for n in 0..4 {
        bench.wrmsr(0, L3_MASK + n, 1 << n);
    }
    bench.assign(0, 0, 1);
    bench.accesses(0, &[load(8), fetch(16)]);
    assert_eq!(bench.l3_lines(0), [0, 16, 0, 0], "mask 1 for both");
    bench.wrmsr(0, L3_QOS_CFG, 1);
    bench.accesses(0, &[load(24), fetch(32)]);
    assert_eq!(bench.l3_lines(0), [0, 16, 24, 32]);
    bench.wrmsr(0, L3_QOS_CFG, 0);
    bench.accesses(0, &[fetch(40), load(48)]);
    assert_eq!(bench.l3_lines(0), [0, 48, 24, 32]);
}

// RDTA-11, RDTA-22: the L2 cache has the same pairs, and a switch of its own
#[test]
fn code_and_data_of_the_l2_cache() {
    let mut bench = Bench::new(Config::default());
    for (n, mask) in (0..4).zip([1, 2, 2, 1]) {
        bench.wrmsr(0, L2_MASK + n, mask);
    }
    bench.wrmsr(0, L2_QOS_CFG, 1);
    bench.assign(1, 0, 1);
    bench.access(0, load(8));
    assert_eq!(bench.l2_lines(0), [8, 0]);
    bench.access(0, fetch(12));
    assert_eq!(bench.l2_lines(0), [8, 12]);
    bench.access(1, load(16));
    assert_eq!(bench.l2_lines(0), [8, 16]);
    bench.access(1, fetch(20));
    assert_eq!(bench.l2_lines(0), [20, 16]);
    // The L3 cache has one mask for both: code of class 0 is in way 0 of its set.
    assert_eq!(bench.l3_lines(4), [12, 20, 0, 0]);
    bench.wrmsr(0, L3_MASK, 0b1000);
    bench.wrmsr(0, L3_MASK + 1, 0b0100);
    bench.accesses(0, &[load(9), fetch(17)]);
    assert_eq!((bench.l3_lines(1), bench.l2_lines(1)), ([0, 0, 0, 17], [0, 17]));
}

// RDTA-11: with CDP of the L3 cache alone, code and data of a class share its L2 mask
#[test]
fn cdp_of_one_cache() {
    let mut bench = Bench::new(Config::default());
    bench.wrmsr(0, L2_MASK, 2);
    bench.wrmsr(0, L3_MASK + 1, 0b1000);
    bench.wrmsr(0, L3_QOS_CFG, 1);
    bench.accesses(0, &[load(8), fetch(16)]);
    assert_eq!((bench.l3_lines(0), bench.l2_lines(0)), ([8, 0, 0, 16], [0, 16]));
}

// RDTA-14, RDT-11: of so many classes the lower half is left, rounded down; one that goes when CDP comes is not limited
#[test]
fn a_class_of_the_upper_half() {
    // The classes that are left, and the first one that is not.
    for (l3_cos, gone) in [(3, 2), (2, 1), (1, 1)] {
        let mut bench = Bench::new(Config { l3_cos, ..l3_only() });
        for n in 0..=u32::from(l3_cos) {
            bench.wrmsr(0, L3_MASK + n, 0b1000);
        }
        bench.assign(0, 0, gone);
        bench.access(0, load(8));
        assert_eq!(bench.l3_lines(0), [0, 0, 0, 8]);
        bench.wrmsr(0, L3_QOS_CFG, 1);
        bench.accesses(0, &[load(16), fetch(24)]);
        assert_eq!(bench.l3_lines(0), [16, 24, 0, 8], "{l3_cos}");
        bench.assign(0, 0, gone - 1);
        bench.access(0, load(32));
        assert_eq!(bench.l3_lines(0), [16, 24, 0, 32], "{l3_cos}");
        bench.access(0, fetch(40));
        assert_eq!(bench.l3_lines(0), [16, 24, 0, 40], "{l3_cos}");
    }
}
