//! Filter and cell.

use super::bench::{
    ALL, ANY, C2, C4, CONTROL, COUNTER, EDGE, EN, FIXED_CONTROL, INSTRUCTIONS, INV, OS, SELECT, USR, version_1,
    version_3,
};
use lwp_model::perf::{Config, InvZero, Line};
use lwp_model::retire::OpMode;

// P6-05, P6-13, P6-14, P6-15, APM-21, APM-22: levels x USR x OS, a comparison with INV as well
#[test]
fn levels() {
    for straps in [Config::default(), version_1()] {
        for (flags, user, os) in [(0, false, false), (USR, true, false), (OS, false, true), (ALL, true, true)] {
            for cpl in 0..4 {
                for op_mode in [OpMode::Real, OpMode::Virtual8086, OpMode::Long64] {
                    let mut bench = C2::new(straps);
                    bench.write(SELECT + 1, flags | 0xC0 | INV | 1 << 24 | if straps.version() == 0 { 0 } else { EN });
                    bench.write(SELECT, flags | EN | 0xC0);
                    let before = bench.count(1);
                    (bench.inputs.lp[0].cpl, bench.inputs.lp[0].op_mode) = (cpl, op_mode);
                    bench.instructions(2);
                    bench.cycle();
                    let counts = if op_mode.level(cpl) == 0 { os } else { user };
                    assert_eq!(bench.count(0), if counts { 2 } else { 0 });
                    assert_eq!(bench.count(1) - before, u64::from(counts), "the cycle without instructions");
                }
            }
        }
    }
}

// P6-03, P6-28, P6-29, P6-30, P6-31, P6-32, APM-31 to APM-36: CMASK x numbers x INV
#[test]
fn thresholds() {
    for (inv_zero, inv) in
        [(InvZero::Ignored, false), (InvZero::Ignored, true), (InvZero::Obeyed, false), (InvZero::Obeyed, true)]
    {
        let mut bench = C2::new(Config { inv_zero, ..Config::default() });
        for cmask in 0..=255 {
            bench.write(SELECT, EN | ALL | 0x43 | cmask << 24 | if inv { INV } else { 0 });
            for number in 0..16_u8 {
                bench.inputs.lp[0].events.set(Line::DataMemRefs, number);
                let before = bench.count(0);
                bench.cycle();
                let expected = match cmask {
                    0 if inv && inv_zero == InvZero::Obeyed => 0,
                    0 => u64::from(number),
                    _ => u64::from((u64::from(number) >= cmask) != inv),
                };
                assert_eq!(bench.count(0) - before, expected, "{cmask} {number} {inv}");
            }
        }
    }
}

/// How much a counter counts of these numbers of instructions, cycle by cycle.
fn list(flags: u64, numbers: &[usize]) -> u64 {
    let mut bench = C2::new(version_1());
    bench.write(SELECT, INSTRUCTIONS | flags);
    for &number in numbers {
        bench.instructions(number);
    }
    bench.count(0)
}

// P6-16, P6-17, P6-18
#[test]
fn edges() {
    assert_eq!(list(EDGE, &[1, 2, 0, 3, 0, 0, 1]), 3);
    assert_eq!(list(EDGE | 2 << 24, &[1, 2, 3, 1, 2]), 2);
    assert_eq!(list(EDGE | INV | 1 << 24, &[0, 0, 1, 0]), 2, "a condition that holds at the start is an edge");
    // A write of the select, and a freeze, begin anew.
    let mut bench = C2::new(version_1());
    bench.write(SELECT, INSTRUCTIONS | EDGE);
    bench.retire(1, 0);
    bench.cycle();
    bench.write(SELECT, INSTRUCTIONS | EDGE);
    assert_eq!((bench.count(0), bench.general(0).held), (1, false));
    bench.cycle();
    assert_eq!((bench.count(0), bench.general(0).held), (2, true));
    bench.inputs.lp[0].freeze = true;
    bench.cycle();
    assert_eq!((bench.count(0), bench.general(0).held), (2, false));
    bench.inputs.lp[0].freeze = false;
    bench.cycle();
    assert_eq!(bench.count(0), 3);
    // Without the clock the condition is not looked at.
    bench.inputs.core_clock = false;
    bench.retire(0, 0);
    bench.cycle();
    assert!(bench.general(0).held);
}

// APM-37: numbers add up over the processors whose own level matches, a level counts a cycle once
#[test]
fn any_thread() {
    let mut bench = C4::new(version_3());
    bench.write(SELECT, EN | USR | ANY | 0xC4);
    bench.write(SELECT + 1, EN | OS | ANY | 0x3C);
    bench.write(SELECT + 2, EN | ALL | 0xC4);
    bench.write(SELECT + 3, EN | ALL | ANY | 3 << 24 | 0xC4);
    bench.write(FIXED_CONTROL, 0x777);
    bench.write(CONTROL, 0x7_0000_000F);
    for lp in 0..2 {
        bench.retire_by(lp, 2, 1 + lp);
        bench.inputs.lp[lp].halted = false;
    }
    let before = [0, 1, 2, 3].map(|c| bench.count(c));
    let counts = |bench: &C4| [0, 1, 2, 3].map(|c| bench.count(c) - before[c]);
    bench.cycle();
    assert_eq!(counts(&bench), [0, 1, 1, 1]);
    bench.inputs.lp[1].cpl = 3;
    bench.cycle();
    assert_eq!(counts(&bench), [2, 2, 2, 2]);
    assert_eq!([0, 1].map(|k| bench.fixed(k).counter), [8, 2]);
    let other = bench.unit.state().general[1];
    assert!(other.iter().all(|general| general.counter == 0), "the other's counters are its own");
}

// `freeze` stops all counters and no register changes by it; it works in P6 as well
#[test]
fn freeze() {
    for straps in [Config::default(), version_1()] {
        let mut bench = C2::new(straps);
        bench.write(SELECT, INSTRUCTIONS);
        bench.inputs.lp[0].freeze = true;
        bench.instructions(3);
        assert_eq!(bench.count(0), 0);
        bench.inputs.lp[0].freeze = false;
        bench.instructions(3);
        assert_eq!(bench.count(0), 3);
        assert_eq!(bench.read(COUNTER), 3);
    }
}
