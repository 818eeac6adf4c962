//! Registers as software sees them: what each keeps, reads, and resets to.

use super::bench::*;
use lwp_model::itanium::{Config, State};

type Small = Bench<1, 4>;

/// Values that a register is written with.
const PATTERNS: [u64; 6] =
    [u64::MAX, 0, 0x5555_5555_5555_5555, 0xAAAA_AAAA_AAAA_AAAA, 0x0123_4567_89AB_CDEF, 0xFEDC_BA98_7654_3210];

/// The bits that PMC\[index\] keeps.
const fn kept(index: u8) -> u64 {
    match index {
        0 => 0xF1,
        4 | 5 => 0x037F_7F7F,
        6 | 7 => 0x033F_7F7F,
        8 | 9 => 0xFFFF_FFFE_3FFF_FFF8,
        10 => 0x030F_00CF,
        11 => 0x130F_00CF,
        12 => 0xFFCF,
        13 => u64::MAX,
        _ => 0,
    }
}

/// Everything but the answer.
fn registers(bench: &Small) -> State {
    State { answer: lwp_model::itanium::Answer::default(), ..*bench.state() }
}

// ITA-06, ITA-15, ITA-20, ITA-29, ITA-31, ITA-41, ITA-43, ITA-45: all indices of PMC: bits that no field covers are ignored
#[test]
fn control_registers() {
    let mut bench = Small::new(Config::default());
    for index in 0..=255 {
        for pattern in PATTERNS {
            let before = registers(&bench);
            bench.write(PMC, index, pattern);
            assert_eq!(bench.read(PMC, index), pattern & kept(index), "PMC[{index}] = {pattern:x}");
            if kept(index) == 0 {
                assert_eq!(registers(&bench), before, "PMC[{index}] keeps nothing");
            }
        }
    }
}

// ITA-41: each field of a counter in its place
#[test]
fn fields_of_a_counter() {
    let mut bench = Small::new(Config::default());
    for c in 0..4_u8 {
        let mut field = |value: u64| {
            bench.write(PMC, 4 + c, value);
            bench.state().counter[usize::from(c)]
        };
        assert_eq!((field(0xF).plm, field(EV).ev, field(OI).oi, field(PM).pm), (0xF, true, true, true));
        assert_eq!((field(0x7F00).es, field(0xF_0000).umask, field(3 << 24).ism), (0x7F, 0xF, 3));
        assert_eq!(field(7 << 20).threshold, if c < 2 { 7 } else { 3 });
        assert_eq!(field(IA64_ONLY).ism, 0b10);
        assert_eq!(field(IA32_ONLY).ism, 0b01);
    }
}

// ITA-06: of the matchers
#[test]
fn fields_of_a_matcher() {
    let mut bench = Small::new(Config::default());
    for j in 0..2_u8 {
        let mut field = |value: u64| {
            bench.write(PMC, 8 + j, value);
            bench.state().matcher[usize::from(j)]
        };
        assert_eq!((field(0x3FFF_FFF8).mask, field(0x0FFF_FFFE_0000_0000).match_value), (0x7FF_FFFF, 0x7FF_FFFF));
        assert_eq!((field(1 << 3).mask, field(1 << 33).match_value), (1, 1));
        let kinds = [60, 61, 62, 63].map(|bit| field(1 << bit)).map(|of| [of.b, of.f, of.i, of.m]);
        assert_eq!(kinds, core::array::from_fn(|kind| core::array::from_fn(|other| other == kind)));
    }
}

// Of the others
#[test]
fn fields_of_the_other_control_registers() {
    let mut bench = Small::new(Config::default());
    let mut at = |index, value| {
        bench.write(PMC, index, value);
        *bench.state()
    };
    let pmc10 = at(10, 0x0209_008A).pmc10;
    assert_eq!((pmc10.plm, pmc10.pm, pmc10.tlb, pmc10.umask, pmc10.ism), (0xA, false, true, 9, 2));
    let pmc11 = at(11, 0x1106_0045).pmc11;
    assert_eq!((pmc11.plm, pmc11.pm, pmc11.tlb, pmc11.umask, pmc11.ism, pmc11.pt), (5, true, false, 6, 1, true));
    let pmc12 = at(12, 0x5683).pmc12;
    assert_eq!((pmc12.plm, pmc12.pm, pmc12.tar, pmc12.tm, pmc12.ptm, pmc12.ppm), (3, false, true, 2, 1, 1));
    assert_eq!((pmc12.bpt, pmc12.bac), (true, false));
    let pmc13 = at(13, 0x8000_0000_0000_0002).pmc13;
    assert_eq!((pmc13.ta, pmc13.rest), (false, 1 | 1 << 62));
}

// ITA-41: all indices of PMD
#[test]
fn data_registers() {
    let mut bench = Small::new(Config::default());
    for index in 0..=255_u8 {
        for pattern in PATTERNS {
            let before = registers(&bench);
            bench.write(PMD, index, pattern);
            let read = if (4..8).contains(&index) { i64::from(pattern as i32) as u64 } else { 0 };
            assert_eq!(bench.read(PMD, index), read, "PMD[{index}] = {pattern:x}");
            if !(4..8).contains(&index) {
                assert_eq!(registers(&bench), before);
            }
        }
    }
}

// ITA-02, ITA-11: IBRs and DBRs, each by itself
#[test]
fn breakpoint_registers() {
    let mut bench = Small::new(Config::default());
    for (file, kept) in [(IBR, 0x8FFF_FFFF_FFFF_FFFF), (DBR, 0xCFFF_FFFF_FFFF_FFFF)] {
        for pattern in PATTERNS {
            let value = |index: u8| pattern.rotate_left(7 * u32::from(index));
            for index in 0..8 {
                bench.write(file, index, value(index));
            }
            for index in 0..8 {
                let kept = if index % 2 == 0 { u64::MAX } else { kept };
                assert_eq!(bench.read(file, index), value(index) & kept, "file {file}, index {index}");
            }
        }
    }
    bench.write(IBR, 3, 0x8500_0000_0000_1234);
    let ibr = bench.state().ibr[1];
    assert_eq!((ibr.mask, ibr.plm, ibr.x), (0x1234, 5, true));
    bench.write(DBR, 7, 0x4A00_0000_0000_4321);
    let dbr = bench.state().dbr[3];
    assert_eq!((dbr.mask, dbr.plm, dbr.w, dbr.r), (0x4321, 0xA, true, false));
}

// ITA-18, ITA-32: after reset nothing is constrained, and nothing counts
#[test]
fn reset() {
    let mut bench = Small::new(Config::default());
    let reset = *bench.state();
    let values: Vec<(u8, u64)> =
        (0..=255).map(|index| (index, bench.read(PMC, index))).filter(|(_, value)| *value != 0).collect();
    assert_eq!(values, [(0, 1), (8, ANY), (9, ANY), (11, 0x1000_0000), (13, 1)]);
    for (file, indices) in [(PMD, 8), (IBR, 8), (DBR, 8), (CR, 1)] {
        for index in 0..indices {
            assert_eq!(bench.read(file, index), 0);
        }
    }
    bench.bring(1, 0, 0x10, [NOP; 3]);
    assert_eq!(bench.tag(1), (1, 0b111, 0b111));
    bench.write(PMC, 0, 0);
    bench.rfi(UP | PP);
    bench.stays.core_clock = true;
    bench.run(3);
    assert_eq!(bench.counts(), [0; 4]);
    bench.unit.reset();
    assert_eq!((*bench.state(), bench.out()), (reset, Small::new(Config::default()).out()));
}
