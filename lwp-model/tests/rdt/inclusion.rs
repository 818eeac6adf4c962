//! The two caches together: what is in the L2 cache is in the L3 cache too.

use super::bench::{Bench, Found, L3_MASK, Moved, in_from, load, out_to, store};
use lwp_model::rdt::{Config, Step};

// RDT-04: what leaves the L3 cache leaves the L2 cache
#[test]
fn a_victim_leaves_both_caches() {
    let mut bench = Bench::new(Config::default());
    bench.wrmsr(0, L3_MASK, 1);
    bench.access(0, load(8));
    assert_eq!((bench.l3_lines(0), bench.l2_lines(0)), ([8, 0, 0, 0], [8, 0]));
    bench.access(0, load(16));
    assert_eq!((bench.l3_lines(0), bench.l2_lines(0)), ([16, 0, 0, 0], [16, 0]));
    assert_eq!(bench.access(0, load(8)), Found::Nowhere);
    // Neither was written.
    assert_eq!(bench.moved, [in_from(8, 0), in_from(16, 0), in_from(8, 0)]);
}

// RDTM-11: a line that only the L2 cache knows to be written is written back, for the RMID of the line, and for no class
#[test]
fn a_victim_that_is_dirty_in_the_l2_cache() {
    let mut bench = Bench::new(Config::default());
    bench.wrmsr(0, L3_MASK, 1);
    bench.wrmsr(0, L3_MASK + 3, 1);
    bench.assign(0, 1, 0);
    bench.assign(1, 2, 3);
    bench.access(0, store(8));
    assert_eq!((bench.l3_dirty(0), bench.l2_dirty(0)), ([false; 4], [true, false]));
    bench.access(1, load(16));
    assert_eq!(bench.moved, [in_from(8, 1), out_to(8, 1), Moved { cos: 3, ..in_from(16, 2) }]);
    assert_eq!((bench.counts(1), bench.counts(2)), ((0, 2, 2), (1, 1, 1)));
}

// Steps 14 to 16: a written line that leaves the L2 cache is dirty in the L3 cache, and no memory is asked
#[test]
fn a_written_line_leaves_the_l2_cache() {
    let mut bench = Bench::new(Config::default());
    // Sets 0 and 4 of the L3 cache, all of set 0 of the L2 cache.
    bench.access(0, load(16));
    bench.access(0, store(8));
    bench.access(0, load(12));
    // Line 16 left: it is clean, and an access that misses takes 12 cycles, as always.
    assert_eq!((bench.l2_lines(0), bench.l3_dirty(0)), ([12, 8], [false; 4]));
    let ages = bench.l3_ages(0);
    assert_eq!(ages, [1, 0, 2, 3]);
    assert_eq!(bench.time(0, load(20)), 14, "mark_read and mark");
    assert_eq!((bench.l2_lines(0), bench.l2_dirty(0)), ([12, 20], [false; 2]));
    assert_eq!((bench.l3_dirty(0), bench.l3_ages(0)), ([false, true, false, false], ages));
    // It comes back clean, and stays dirty in the L3 cache.
    assert_eq!(bench.access(0, load(8)), Found::L3);
    assert_eq!((bench.l2_lines(0), bench.l2_dirty(0)), ([8, 20], [false; 2]));
    assert_eq!(bench.l3_dirty(0), [false, true, false, false]);
    assert_eq!(bench.moved, [in_from(16, 0), in_from(8, 0), in_from(12, 0), in_from(20, 0)]);
}

#[test]
fn a_clean_line_leaves_the_l2_cache() {
    let mut bench = Bench::new(Config::default());
    for line in [8, 12, 20] {
        assert_eq!(bench.time(0, load(line)), 12);
    }
    assert_eq!((bench.l2_lines(0), bench.l3_dirty(0)), ([20, 12], [false; 4]));
    assert_eq!(bench.access(0, load(8)), Found::L3);
}

// RDT-03: a hit of the L2 cache leaves the ages of the L3 cache as they are
#[test]
fn hits_of_the_l2_cache_do_not_keep_a_line_young() {
    let mut bench = Bench::new(Config::default());
    bench.accesses(0, &[load(8), load(16)]);
    assert_eq!(bench.l3_ages(0), [1, 0, 2, 3]);
    assert_eq!(bench.access(0, load(8)), Found::L2);
    assert_eq!(bench.access(0, store(8)), Found::L2);
    assert_eq!(bench.l3_ages(0), [1, 0, 2, 3]);
    assert_eq!((bench.l3_dirty(0), bench.l2_dirty(0)), ([false; 4], [true, false]));
    // In the L2 cache it is the younger one: line 16 goes.
    bench.access(0, load(12));
    assert_eq!(bench.l2_lines(0), [8, 12]);
    // In the L3 cache it is the oldest one: after two more lines it goes first, and from both.
    bench.accesses(0, &[load(24), load(32), load(40)]);
    assert_eq!(bench.l3_lines(0), [40, 16, 24, 32]);
    assert_eq!(bench.access(0, load(8)), Found::Nowhere);
}

// RDT-16: both miss the L2 cache; when the second one gets to the L3 cache, the first one has fetched the line, into both
#[test]
fn another_access_has_fetched_the_line_meanwhile() {
    let mut bench = Bench::new(Config::default());
    bench.assign(0, 1, 0);
    bench.assign(1, 2, 0);
    let start = bench.now;
    bench.cycle([store(8), load(8)]);
    // `turn` is 0 after reset, so logical processor 1 is first: 7 cycles of look-ups of both, 8 of its own.
    assert_eq!((bench.wait(1), bench.now - start), (Found::Nowhere, 15));
    assert_eq!((bench.l2_lines(0), bench.l2_dirty(0)), ([8, 0], [false; 2]));
    // idle, l3_read, l3_look, l2_fetch, l2_fill
    let steps = [Step::Idle, Step::L3Read, Step::L3Look, Step::L2Fetch, Step::L2Fill];
    for step in steps {
        assert_eq!(bench.step(), step);
        bench.idle();
    }
    assert_eq!((bench.wait(0), bench.now - start), (Found::L3, 20));
    assert_eq!((bench.l2_lines(0), bench.l2_dirty(0)), ([8, 0], [true, false]));
    assert_eq!(bench.moved, [in_from(8, 2)]);
    assert_eq!((bench.counts(1), bench.counts(2)), ((0, 0, 0), (1, 1, 1)));
}
