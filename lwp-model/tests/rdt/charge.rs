//! To which RMID a line and its way to and from memory are charged.

use super::bench::{
    Bench, Found, L3_MASK, Moved, PQR_ASSOC, assoc, fetch, in_from, l3_only, load, out_to, store, wrmsr,
};
use lwp_model::rdt::{Config, Step};

// RDTM-02, RDTM-03, RDTM-11: usage, and what misses move, of each RMID
#[test]
fn what_an_rmid_fills_is_its_own() {
    let mut bench = Bench::new(l3_only());
    bench.assign(0, 1, 0);
    bench.assign(1, 2, 0);
    bench.accesses(0, &[load(8), load(9), fetch(16)]);
    bench.accesses(1, &[store(24)]);
    let counts: [_; 4] = core::array::from_fn(|rmid| bench.counts(rmid));
    assert_eq!(counts, [(0, 0, 0), (3, 3, 3), (1, 1, 1), (0, 0, 0)]);
    let read: [_; 3] = core::array::from_fn(|event| bench.select(0, event as u64 + 1, 1));
    assert_eq!(read, [Ok(3); 3]);
}

// RDT-02: the line is that of who filled it, not of who used it last
#[test]
fn a_hit_charges_nobody() {
    let mut bench = Bench::new(l3_only());
    bench.assign(0, 1, 0);
    bench.assign(1, 2, 0);
    bench.access(0, load(8));
    assert_eq!(bench.access(1, load(8)), Found::L3);
    assert_eq!(bench.access(1, store(8)), Found::L3);
    assert_eq!((bench.counts(1), bench.counts(2)), ((1, 1, 1), (0, 0, 0)));
    assert_eq!(bench.unit.l3_words()[0].line[0].rmid, 1);
    // RMID 3 takes the way: what RMID 2 wrote is written back for RMID 1.
    bench.wrmsr(0, L3_MASK, 1);
    bench.assign(1, 3, 0);
    bench.access(1, load(16));
    assert_eq!(bench.moved, [in_from(8, 1), out_to(8, 1), in_from(16, 3)]);
    assert_eq!([bench.counts(1), bench.counts(2), bench.counts(3)], [(0, 2, 2), (0, 0, 0), (1, 1, 1)]);
}

// RDTM-07: two logical processors with one RMID, whose lines add up; and each with its own
#[test]
fn an_rmid_of_two_logical_processors() {
    let mut bench = Bench::new(l3_only());
    bench.assign(0, 3, 0);
    bench.assign(1, 3, 0);
    bench.accesses(0, &[load(8), load(9)]);
    bench.accesses(1, &[load(10), load(9)]);
    assert_eq!(bench.counts(3), (3, 3, 3));
    bench.assign(1, 1, 0);
    bench.access(1, load(11));
    assert_eq!((bench.counts(3), bench.counts(1)), ((3, 3, 3), (1, 1, 1)));
}

// RDTM-08, RDTM-10, RDTM-14, RDTM-16: a context switch writes the RMID of the next thread. From then on that one alone is charged.
#[test]
fn activity_is_charged_to_the_new_rmid() {
    let mut bench = Bench::new(Config::default());
    bench.assign(0, 1, 0);
    bench.accesses(0, &[load(8), load(9)]);
    bench.assign(0, 3, 0);
    bench.accesses(0, &[load(10), load(11), load(12)]);
    assert_eq!((bench.counts(1), bench.counts(3)), ((2, 2, 2), (3, 3, 3)));
    bench.assign(0, 1, 0);
    bench.access(0, load(13));
    assert_eq!((bench.counts(1), bench.counts(3)), ((3, 3, 3), (3, 3, 3)));
}

// RDTM-17, RDTA-08, RDT-13: the request carries RMID and class of the cycle in which it was accepted, up to memory
#[test]
fn an_access_keeps_rmid_and_class() {
    let mut bench = Bench::new(Config::default());
    bench.assign(0, 1, 0);
    // Accepted in the cycle of the WRMSR.
    bench.ask_for(0, load(8), wrmsr(0, PQR_ASSOC, assoc(2, 3)));
    assert_eq!((bench.unit.state().lp[0].rmid, bench.unit.state().lp[0].access_rmid), (2, 1));
    bench.wait(0);
    // Accepted after it; while it waits, there is another WRMSR.
    bench.ask_for(0, load(9), Default::default());
    bench.assign(0, 3, 2);
    bench.wait(0);
    bench.access(0, load(10));
    let moved = |line, rmid, cos| Moved { write: false, line, rmid, cos };
    assert_eq!(bench.moved, [moved(8, 1, 0), moved(9, 2, 3), moved(10, 3, 2)]);
    assert_eq!([bench.counts(1), bench.counts(2), bench.counts(3)], [(1, 1, 1); 3]);
    assert_eq!([0, 1, 2].map(|set| bench.unit.l3_words()[set].line[0].rmid), [1, 2, 3]);
}

// RDT-02: an RMID that nobody has any more keeps its lines; whoever gets it next begins with them, until they are replaced
#[test]
fn an_rmid_that_is_used_again_still_has_lines() {
    let mut bench = Bench::new(l3_only());
    bench.assign(0, 1, 0);
    bench.accesses(0, &[load(8), load(9)]);
    bench.assign(0, 2, 0);
    bench.access(0, load(10));
    assert_eq!(bench.counts(1), (2, 2, 2), "of nobody");
    bench.assign(1, 1, 0);
    bench.access(1, load(11));
    assert_eq!(bench.counts(1), (3, 3, 3));
    // Four more lines in set 0: the last one replaces line 8.
    bench.accesses(0, &[load(16), load(24), load(32), load(40)]);
    assert_eq!((bench.counts(1), bench.counts(2)), ((2, 3, 3), (5, 5, 5)));
}

// RDT-05: with `write_backs` both directions count, without it reads alone
#[test]
fn write_backs_count_or_do_not() {
    for (write_backs, written) in [(true, 2), (false, 1)] {
        let mut bench = Bench::new(Config { write_backs, ..l3_only() });
        bench.wrmsr(0, L3_MASK, 1);
        bench.assign(0, 1, 0);
        bench.access(0, store(8));
        assert_eq!(bench.counts(1), (1, 1, 1), "the line that is written is read first");
        bench.assign(0, 2, 0);
        bench.access(0, load(16));
        assert_eq!(bench.moved, [in_from(8, 1), out_to(8, 1), in_from(16, 2)]);
        assert_eq!((bench.counts(1), bench.counts(2)), ((0, written, written), (1, 1, 1)));
    }
}

// RDTM-03: bandwidth to memory of this package is counted besides; memory says with the grant whose it is, of each line
#[test]
fn memory_of_another_package() {
    let mut bench = Bench::new(l3_only());
    bench.wrmsr(0, L3_MASK, 1);
    bench.local = false;
    bench.access(0, store(8));
    assert_eq!(bench.counts(0), (1, 1, 0));
    // Line 8 is written back to the other package, line 16 is local. The bench denies it in the cycles without a grant.
    bench.cycle([load(16), Default::default()]);
    while bench.step() != Step::Evict {
        bench.idle();
    }
    assert_eq!(bench.counts(0), (1, 2, 0));
    bench.local = true;
    bench.wait(0);
    assert_eq!(bench.counts(0), (1, 3, 1));
}

// What is not monitored is not counted: bit 0 occupancy, bit 1 total, bit 2 local
#[test]
fn events_that_are_counted() {
    for events in 0..8 {
        let max_rmid = if events == 0 { 0 } else { 3 };
        let mut bench = Bench::new(Config { events, max_rmid, l3_max_rmid: max_rmid, ..l3_only() });
        bench.wrmsr(0, L3_MASK, 1);
        bench.accesses(0, &[load(8), load(16), load(9)]);
        let has = |event: u8| u64::from(events >> event & 1);
        // Line 16 replaced line 8: two lines, three reads.
        assert_eq!(bench.counts(0), (2 * has(0) as u32, 3 * has(1), 3 * has(2)), "{events}");
    }
}
