//! The data address range: DBRs, PMC\[11\].pt.

use super::bench::*;
use lwp_model::itanium::{Config, Inputs, Mem, Retire};

type Small = Bench<1, 4>;

const ALL: u64 = u64::MAX;

/// A unit with tagged bundles and pt = 0, whose first counter counts loads at all levels.
fn confined(pairs: &[(u64, u64)]) -> Small {
    let mut bench = Small::tagged(Config::default());
    bench.write(PMC, 11, 0);
    for (k, (addr, rest)) in pairs.iter().enumerate() {
        bench.write(DBR, 2 * k as u8, *addr);
        bench.write(DBR, 2 * k as u8 + 1, *rest);
    }
    bench.write(PMC, 4, at_levels(LOADS, 0, 0xF));
    bench
}

/// Whether a load at this address counts.
fn counts(bench: &mut Small, addr: u64) -> bool {
    let before = bench.counts()[0];
    bench.mem(Mem { read: true, ..record(0, 0, addr) });
    bench.counts()[0] != before
}

// ITA-11, ITA-26: inside the range only; every bit that is compared, and no other
#[test]
fn one_range() {
    let addr = 0x6000_0000_0001_8000;
    let mut bench = confined(&[(addr, compares(ALL << 3, 1))]);
    assert!(counts(&mut bench, addr) && counts(&mut bench, addr + 7));
    assert!(!counts(&mut bench, addr + 8) && !counts(&mut bench, addr - 1));
    for bit in 0..64 {
        assert_eq!(counts(&mut bench, addr ^ 1 << bit), bit < 3, "bit {bit}");
    }
}

// ITA-11: bits 3:0 are compared, unlike those of an IBR; bits 63:56 always
#[test]
fn bits_of_the_address() {
    let mut bench = confined(&[(0x1234, compares(ALL, 1))]);
    assert!(counts(&mut bench, 0x1234) && !counts(&mut bench, 0x1235));
    let mut bench = confined(&[(0, compares(0, 1))]);
    for bit in 0..64 {
        assert_eq!(counts(&mut bench, 1 << bit), bit < 56, "bit {bit}");
    }
}

// ITA-11: plm counts for PSR.cpl
#[test]
fn levels() {
    for plm in 0..16 {
        let mut bench = confined(&[(0, compares(0, plm))]);
        for cpl in 0..4 {
            bench.stays.cpl = cpl;
            assert_eq!(counts(&mut bench, 0x1000), plm >> cpl & 1 == 1, "{plm:04b} at {cpl}");
        }
    }
}

// ITA-11: a hit of any of four pairs, whatever r and w are
#[test]
fn four_pairs() {
    let pair = |k: u64| (0x1000 * k, compares(ALL << 12, 1) | u64::from(k.trailing_zeros() % 4) << 62);
    let mut bench = confined(&[pair(1), pair(2), pair(4), pair(8)]);
    let ranges: Vec<u64> = (0..16).filter(|k| counts(&mut bench, 0x1000 * k + 0x555)).collect();
    assert_eq!(ranges, [1, 2, 4, 8]);
}

// ITA-31: pt = 1 passes all
#[test]
fn pass_tags() {
    let mut bench = confined(&[(0x1000, compares(ALL, 1))]);
    assert!(!counts(&mut bench, 0x2000));
    bench.write(PMC, 11, 1 << 28);
    assert!(counts(&mut bench, 0x2000));
    bench.write(PMC, 11, !(1 << 28));
    assert!(!counts(&mut bench, 0x2000) && counts(&mut bench, 0x1000));
}

// ITA-31: the record is checked in its own cycle, by the registers before a write
#[test]
fn the_moment_of_the_check() {
    let mut bench = confined(&[(0x1000, compares(ALL, 1))]);
    let mut inputs = writing(PMC, 11, 1 << 28);
    inputs.mem[0] = Mem { read: true, ..record(0, 0, 0x2000) };
    bench.cycle(inputs);
    assert_eq!(bench.counts()[0], 0);
    assert!(counts(&mut bench, 0x2000));
}

// ITA-12, ITA-26: the events of records and no others
#[test]
fn events_of_records() {
    let mut bench = confined(&[(0x1000, compares(ALL << 12, 1))]);
    for (es, umask, confined) in [
        (0x60, 0, true),
        (0x61, 0, true),
        (0x63, 0, true),
        (0x64, 0, true),
        (0x66, 0, true),
        (0x69, 3, true),
        (0x6A, 0, true),
        (0x6C, 0, true),
        (0x6D, 0, true),
        (RETIRED, 0, false),
        (RETIRED, 3, false),
        (RETIRED, 2, false),
        (BRANCHES, 0xF, false),
        (CYCLES, 0, false),
        (SQUASHED, 0, false),
    ] {
        bench.write(PMC, 4, pmc(es, umask));
        let mut inside = Inputs { core_clock: true, ..Inputs::default() };
        inside.retire[0] = Retire { off: 1, branch: 2, taken: 2, ..retire(0, 0b111) };
        inside.mem[0] = everything(0x1FF8);
        let mut outside = inside;
        outside.mem[0] = everything(0x2000);
        let mut moved = |inputs| {
            let before = bench.counts()[0];
            bench.cycle(inputs);
            bench.counts()[0] != before
        };
        assert!(moved(inside), "{es:x} inside");
        assert_eq!(moved(outside), !confined, "{es:x} outside");
    }
}

/// A record with all events.
fn everything(addr: u64) -> Mem {
    Mem {
        read: true,
        write: true,
        l1d_read: true,
        l1d_miss: true,
        l2_read: true,
        l2_write: true,
        l2_miss: true,
        dtc_miss: true,
        dtlb_miss: true,
        ..record(0, 0, addr)
    }
}

// ITA-21, ITA-26: no range while IA-32 code runs, and every record passes
#[test]
fn no_range_in_ia32_code() {
    let mut bench = confined(&[(0x1000, compares(ALL, 1))]);
    bench.stays.psr_is = true;
    assert!(counts(&mut bench, 0x2000));
}
