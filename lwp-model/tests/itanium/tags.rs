//! The table of tags in flight: what is written in which order, and what reads it.

use super::bench::*;
use lwp_model::itanium::{Config, Inputs, Mem};

type Small = Bench<1, 4>;
type Large = Bench<2, 16>;

// ITA-03: an entry that is issued and fetched in one cycle is that of the new bundle
#[test]
fn a_fetch_wins_over_an_issue() {
    let mut bench = Small::on(Config::default());
    bench.fetch(fetch(1, 0));
    let mut inputs = Inputs::default();
    inputs.issue[0] = issue(1, 0, [NOP; 3]);
    inputs.fetch[0] = fetch(1, 0);
    bench.cycle(inputs);
    assert_eq!(bench.tag(1), (1, 0, 0));
}

// ITA-03: an issue takes the range as it is before the fetch of its cycle
#[test]
fn a_range_of_the_same_cycle() {
    let mut bench = Large::on(Config::default());
    bench.write(PMC, 13, 0);
    bench.fetch(fetch(3, 0));
    bench.write(PMC, 13, 1);
    let mut inputs = Inputs::default();
    inputs.fetch[0] = fetch(3, 0);
    inputs.issue[1] = issue(3, 0, [NOP; 3]);
    bench.cycle(inputs);
    assert_eq!(bench.tag(3), (1, 0, 0));
}

// Of two bundles of a cycle with one number the second wins
#[test]
fn the_second_bundle_wins() {
    let mut bench = Large::on(Config::default());
    bench.write(PMC, 13, 0);
    bench.write(IBR, 0, 0x1000);
    bench.write(IBR, 1, compares(u64::MAX, 1));
    let in_and_out = [fetch(5, 0x1000), fetch(5, 0x2000)];
    for (fetch, range) in [(in_and_out, 0), ([in_and_out[1], in_and_out[0]], 1)] {
        bench.cycle(Inputs { fetch, ..Inputs::default() });
        assert_eq!(bench.tag(5), (range, 0, 0));
    }
    bench.write(PMC, 8, NONE | 1 << 63);
    bench.cycle(Inputs { issue: [issue(5, 0x00, [0; 3]), issue(5, 0x08, [0; 3])], ..Inputs::default() });
    assert_eq!(bench.tag(5), (1, 0b011, 0b111));
}

// The lowest bits of id count
#[test]
fn numbers_of_entries() {
    let mut small = Small::on(Config::default());
    small.bring(0xE, 0, 0, [NOP; 3]);
    assert_eq!(small.tag(2), (1, 0b111, 0b111));
    assert_eq!(small.tag(14), (0, 0, 0), "a build of 4 entries does not have it");
    small.write(PMC, 4, pmc(RETIRED, 3));
    small.retire(retire(0xA, 0b111));
    small.retire(retire(0xB, 0b111));
    assert_eq!(small.counts()[0], 3);
    let mut large = Large::on(Config::default());
    large.bring(0xE, 0, 0, [NOP; 3]);
    assert_eq!((large.tag(14), large.tag(2)), ((1, 0b111, 0b111), (0, 0, 0)));
}

// ITA-03: an event reads the table as it is before the writes of its cycle
#[test]
fn events_come_before_writes() {
    let mut bench = Small::tagged(Config::default());
    bench.write(PMC, 4, pmc(RETIRED, 0));
    bench.write(PMC, 5, pmc(LOADS, 0));
    let mut inputs = Inputs::default();
    inputs.fetch[0] = fetch(0, 0);
    inputs.retire[0] = retire(0, 0b111);
    inputs.mem[0] = Mem { read: true, ..record(0, 1, 0) };
    bench.cycle(inputs);
    assert_eq!((bench.counts(), bench.tag(0)), ([3, 1, 0, 0], (1, 0, 0)));
    inputs.fetch[0].valid = false;
    bench.cycle(inputs);
    assert_eq!(bench.counts(), [3, 1, 0, 0], "the new bundle is not issued");
}

// A bundle that is fetched and flushed leaves an entry that nobody asks for
#[test]
fn a_flushed_bundle() {
    let mut bench = Small::on(Config::default());
    bench.bring(0, 0, 0, [NOP; 3]);
    bench.write(PMC, 13, 0);
    bench.fetch(fetch(0, 0));
    assert_eq!(bench.tag(0), (0, 0, 0));
    bench.issue(issue(0, 0, [NOP; 3]));
    assert_eq!(bench.tag(0), (0, 0, 0));
}

// What is not valid writes nothing
#[test]
fn what_is_not_valid() {
    let mut bench = Small::on(Config::default());
    let mut inputs = Inputs::default();
    inputs.fetch[0] = fetch(0, 0);
    inputs.fetch[0].valid = false;
    bench.cycle(inputs);
    assert_eq!(bench.tag(0), (0, 0, 0));
    bench.fetch(fetch(0, 0));
    inputs.issue[0] = issue(0, 0, [NOP; 3]);
    inputs.issue[0].valid = false;
    bench.cycle(inputs);
    assert_eq!(bench.tag(0), (1, 0, 0));
}
