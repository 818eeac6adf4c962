//! The instruction address range: IBRs, PMC\[13\].ta, and when they are looked at.

use super::bench::*;
use lwp_model::itanium::{Config, Fetch, Inputs};

type Small = Bench<1, 4>;
type Large = Bench<2, 16>;

const ALL: u64 = u64::MAX;

/// A unit with ta = 0 and these pairs of IBRs.
fn confined(pairs: &[(u64, u64)]) -> Small {
    let mut bench = Small::on(Config::default());
    bench.write(PMC, 13, 0);
    for (k, (addr, rest)) in pairs.iter().enumerate() {
        bench.write(IBR, 2 * k as u8, *addr);
        bench.write(IBR, 2 * k as u8 + 1, *rest);
    }
    bench
}

/// IBRRangeTag of a bundle that is fetched.
fn in_range(bench: &mut Small, addr: u64, cpl: u8) -> bool {
    bench.fetch(Fetch { cpl, ..fetch(0, addr) });
    bench.state().tag[0].range
}

// ITA-02: only inside the range; every bit that is compared, and no other
#[test]
fn one_range() {
    let (addr, mask) = (0x2000_0000_1234_5000, ALL << 12);
    let mut bench = confined(&[(addr, compares(mask, 0xF))]);
    assert!(in_range(&mut bench, addr, 0) && in_range(&mut bench, addr + 0xFFF, 0));
    assert!(!in_range(&mut bench, addr - 0x10, 0) && !in_range(&mut bench, addr + 0x1000, 0));
    for bit in 0..64 {
        assert_eq!(in_range(&mut bench, addr ^ 1 << bit, 0), bit < 12, "bit {bit}");
    }
}

// ITA-02: bits 3:0 are ignored, bits 63:56 always compared
#[test]
fn bits_without_a_mask() {
    let mut bench = confined(&[(0x0500_0000_0000_1234, compares(ALL, 0xF))]);
    assert!(in_range(&mut bench, 0x0500_0000_0000_123B, 0));
    let mut bench = confined(&[(0x0500_0000_0000_0000, compares(0, 0xF))]);
    for bit in 0..64 {
        assert_eq!(in_range(&mut bench, 0x0500_0000_0000_0000 ^ 1 << bit, 0), bit < 56, "bit {bit}");
    }
}

// ITA-02: plm counts for the level at fetch
#[test]
fn levels() {
    for plm in 0..16 {
        let mut bench = confined(&[(0, compares(0, plm))]);
        for cpl in 0..4 {
            assert_eq!(in_range(&mut bench, 0x1000, cpl), plm >> cpl & 1 == 1, "{plm:04b} at {cpl}");
        }
    }
}

// ITA-02: the level is that of the fetch, not PSR.cpl
#[test]
fn the_level_at_fetch() {
    let mut bench = confined(&[(0, compares(0, 0b0001))]);
    bench.stays.cpl = 3;
    assert!(in_range(&mut bench, 0x1000, 0) && !in_range(&mut bench, 0x1000, 3));
}

// ITA-02: a hit of any of four pairs, none of them a breakpoint
#[test]
fn four_pairs() {
    let pair = |k: u64| (0x1000 * k, compares(ALL << 12, 1));
    let mut bench = confined(&[pair(1), pair(2), pair(4), pair(8)]);
    let ranges: Vec<u64> = (0..16).filter(|k| in_range(&mut bench, 0x1000 * k + 0x550, 0)).collect();
    assert_eq!(ranges, [1, 2, 4, 8]);
    let (addr, rest) = pair(4);
    bench.write(IBR, 5, rest | 1 << 63);
    assert!(!in_range(&mut bench, addr, 0), "x = 1");
    assert!(in_range(&mut bench, 0x2000, 0));
}

// ITA-29: ta = 1 tags all, ta = 0 what is in the range; the other bits of PMC[13] do not matter
#[test]
fn tag_all() {
    let mut bench = confined(&[(0x1000, compares(ALL << 12, 1))]);
    for (pmc13, expected) in [(0, false), (1, true), (!1, false), (ALL, true)] {
        bench.write(PMC, 13, pmc13);
        assert_eq!((in_range(&mut bench, 0x5000, 0), in_range(&mut bench, 0x1000, 0)), (expected, true), "{pmc13:x}");
    }
}

// ITA-03: what is written behind the fetch changes no tag
#[test]
fn the_tag_is_carried() {
    let mut bench = confined(&[(0x1000, compares(ALL << 12, 1))]);
    bench.write(PMC, 4, pmc(RETIRED, 3));
    bench.fetch(fetch(0, 0x1000));
    bench.fetch(fetch(1, 0x2000));
    bench.write(IBR, 0, 0x2000);
    bench.issue(issue(0, 0, [NOP; 3]));
    bench.issue(issue(1, 0, [NOP; 3]));
    bench.retire(retire(0, 0b111));
    assert_eq!(bench.counts()[0], 3);
    bench.retire(retire(1, 0b111));
    assert_eq!(bench.counts()[0], 3);
    bench.bring(1, 0x2000, 0, [NOP; 3]);
    bench.retire(retire(1, 0b111));
    assert_eq!(bench.counts()[0], 6);
}

// ITA-03: a write in the cycle of the fetch is too late
#[test]
fn a_write_in_the_cycle_of_the_fetch() {
    let mut bench = confined(&[]);
    let mut inputs = writing(PMC, 13, 1);
    inputs.fetch[0] = fetch(0, 0x1000);
    bench.cycle(inputs);
    assert!(!bench.state().tag[0].range);
    assert!(in_range(&mut bench, 0x1000, 0));
}

// ITA-04: one bundle of 16 in flight, 48 instructions
#[test]
fn one_bundle_among_48_instructions() {
    let mut bench = Large::on(Config::default());
    bench.write(PMC, 13, 0);
    bench.write(IBR, 0, 0x1050);
    bench.write(IBR, 1, compares(ALL, 1));
    bench.write(PMC, 4, pmc(RETIRED, 0));
    let two = |of: u8| [of, of + 1];
    for id in (0..16).step_by(2) {
        let fetch = two(id).map(|id| fetch(id, 0x1000 + 0x10 * u64::from(id)));
        bench.cycle(Inputs { fetch, ..Inputs::default() });
    }
    for id in (0..16).step_by(2) {
        bench.cycle(Inputs { issue: two(id).map(|id| issue(id, 0, [NOP; 3])), ..Inputs::default() });
    }
    for id in (0..16).step_by(2) {
        let before = bench.counts()[0];
        bench.cycle(Inputs { retire: two(id).map(|id| retire(id, 0b111)), ..Inputs::default() });
        assert_eq!(bench.counts()[0] - before, if id == 4 { 3 } else { 0 }, "bundles {id} and {}", id + 1);
    }
}

// ITA-05, ITA-21, ITA-55: no range while IA-32 code runs: a fetch is ignored
#[test]
fn no_range_in_ia32_code() {
    let mut bench = confined(&[(0x1000, compares(ALL << 12, 1))]);
    assert!(in_range(&mut bench, 0x1000, 0));
    bench.stays.psr_is = true;
    assert!(in_range(&mut bench, 0x9000, 0), "the entry stays as it was");
    bench.stays.psr_is = false;
    assert!(!in_range(&mut bench, 0x9000, 0));
    bench.stays.psr_is = true;
    assert!(!in_range(&mut bench, 0x1000, 0), "the entry stays as it was");
}
