//! The examples of the page `docs/src/itanium/timing.md`, one after the other. The registers of a row are checked, then its cycle steps.

use super::bench::*;
use lwp_model::itanium::{Config, Inputs, Mem, RegOp, RegResult, Retire, UpOnInterruption};

type Small = Bench<1, 4>;
type Large = Bench<2, 16>;

// ITA-03, ITA-22, ITA-23: "A tag that is carried"
#[test]
fn a_tag_that_is_carried() {
    let mut bench = Small::on(Config::default());
    bench.write(PMC, 13, 0);
    bench.write(IBR, 0, 0x1000);
    bench.write(IBR, 1, 0x0FFF_FFFF_FFFF_FFF0);
    bench.write(PMC, 4, pmc(RETIRED, 3));
    bench.write(PMC, 5, pmc(RETIRED, 0));
    let set_ta = || writing::<1>(PMC, 13, 1).reg;
    let mut row = |ids: [Option<u8>; 3], ta_written, ta, tags: [(u8, u8); 4], counts: [u32; 2]| {
        let state = bench.state();
        assert_eq!(state.pmc13.ta, ta);
        assert_eq!(core::array::from_fn(|e| bench.tag(e)), tags.map(|(range, pmc8)| (range, pmc8, pmc8)));
        assert_eq!(bench.counts()[..2], counts);
        let [fetched, issued, retired] = ids;
        let mut inputs = Inputs::default();
        inputs.fetch[0] = fetched.map(|id| fetch(id, 0x1000 + 0x10 * u64::from(id))).unwrap_or_default();
        inputs.issue[0] = issued.map(|id| issue(id, 0, [NOP; 3])).unwrap_or_default();
        inputs.retire[0] = retired.map(|id| retire(id, 0b111)).unwrap_or_default();
        if ta_written {
            inputs.reg = set_ta();
        }
        bench.cycle(inputs);
    };
    let (none, in_range, all) = ((0, 0), (1, 0), (1, 0b111));
    row([Some(0), None, None], false, false, [none; 4], [0, 0]);
    row([Some(1), Some(0), None], false, false, [in_range, none, none, none], [0, 0]);
    row([Some(2), Some(1), None], true, false, [all, none, none, none], [0, 0]);
    row([Some(3), Some(2), Some(0)], false, true, [all, none, none, none], [0, 0]);
    row([None, Some(3), Some(1)], false, true, [all, none, none, in_range], [3, 3]);
    row([None, None, Some(2)], false, true, [all, none, none, all], [3, 3]);
    row([None, None, Some(3)], false, true, [all, none, none, all], [3, 3]);
    row([None, None, None], false, true, [all, none, none, all], [6, 6]);
}

/// The bundles of "Two matchers", with this PMC\[8\].
fn two_matchers(pmc8: u64) -> Small {
    let mut bench = Small::on(Config::default());
    bench.write(PMC, 8, pmc8);
    bench.write(PMC, 9, 0x4000_0000_3FFF_FFF8);
    for (c, value) in [(4, pmc(RETIRED, 3)), (5, pmc(RETIRED, 2)), (6, pmc(RETIRED, 0)), (7, pmc(SQUASHED, 0))] {
        bench.write(PMC, c, value);
    }
    bench.bring(0, 0, 0x00, [0x000_0800_0000, 0x000_0800_0000, 0x100_0000_0000]);
    bench.bring(1, 0, 0x04, [0x080_0000_0000, 0x000_0800_0000, 0x0C0_0000_0000]);
    bench.bring(2, 0, 0x10, [0x000_0800_0000, 0x000_0800_0001, 0x080_0000_0000]);
    bench
}

fn retirements() -> [Retire; 3] {
    [retire(0, 0b111), retire(1, 0b101), Retire { off: 0b010, branch: 0b100, taken: 0b100, ..retire(2, 0b111) }]
}

// ITA-08, ITA-09, ITA-24, ITA-25: "Two matchers"
#[test]
fn two_matchers_of_three_bundles() {
    let mut bench = two_matchers(0x8000_4000_0000_0000);
    assert_eq!(
        core::array::from_fn(|e| bench.tag(e)),
        [(1, 0b001, 0b110), (1, 0, 0b100), (1, 0b001, 0b010), (0, 0, 0)]
    );
    for (retire, counts) in retirements().into_iter().zip([[0; 4], [1, 2, 1, 0], [1, 3, 1, 0]]) {
        assert_eq!(bench.counts(), counts);
        bench.retire(retire);
    }
    assert_eq!(bench.counts(), [2, 4, 2, 0]);
}

// ITA-30: the same, with PMC[8] all ones
#[test]
fn two_matchers_one_of_them_all_ones() {
    let mut bench = two_matchers(u64::MAX);
    for retire in retirements() {
        bench.retire(retire);
    }
    assert_eq!(bench.counts(), [8, 4, 8, 1]);
    let mut bench = two_matchers(u64::MAX);
    bench.write(PMC, 7, pmc(BRANCHES, 0b0100));
    for retire in retirements() {
        bench.retire(retire);
    }
    assert_eq!(bench.counts(), [8, 4, 8, 1]);
}

// ITA-11, ITA-12, ITA-21, ITA-26, ITA-56: "Data range and threshold", and its last remark
#[test]
fn data_range_and_threshold() {
    for (ism, last) in [(0, [4, 3, 1, 3]), (IA64_ONLY, [3, 2, 1, 3])] {
        let mut bench = Large::tagged(Config::default());
        bench.write(PMC, 11, 0);
        bench.write(DBR, 0, 0x8000);
        bench.write(DBR, 1, 0x01FF_FFFF_FFFF_F000);
        for (c, value) in [pmc(L1D_MISSES, 0), pmc(LOADS, 0), pmc(L1D_MISSES, 0) | threshold(1), pmc(RETIRED, 0)]
            .into_iter()
            .enumerate()
        {
            bench.write(PMC, 4 + c as u8, value | ism);
        }
        let miss = |addr, read| Mem { read, l1d_miss: true, ..record(0, 0, addr) };
        let mut row = |psr_is, mem: [Option<Mem>; 2], retired: Retire, counts| {
            assert_eq!(bench.counts(), counts);
            let mut inputs = Inputs { mem: mem.map(Option::unwrap_or_default), ..Inputs::default() };
            inputs.retire[0] = retired;
            bench.stays.psr_is = psr_is;
            bench.cycle(inputs);
        };
        let (first, second) = ([Some(miss(0x8010, true)), Some(miss(0x9000, true))], retire(0, 0b111));
        row(false, first, second, [0, 0, 0, 0]);
        row(false, [Some(miss(0x8020, true)), Some(miss(0x8FFF, false))], Retire::default(), [1, 1, 0, 3]);
        row(true, [None; 2], Retire::default(), [3, 2, 1, 3]);
        row(true, [Some(miss(0x9000, true)), None], Retire::default(), [3, 2, 1, 3]);
        row(true, [None; 2], Retire::default(), last);
    }
}

/// "Overflow, freeze, thaw" before its first cycle, with this PMC\[4\].
fn before_the_overflow(straps: Config, pmc4: u64) -> Small {
    let mut bench = Small::tagged(straps);
    bench.write(PMD, 4, 0xFFFF_FFFE);
    bench.write(PMD, 5, 10);
    bench.write(PMC, 4, pmc4);
    bench.write(PMC, 5, pmc(CYCLES, 0));
    bench.stays.core_clock = true;
    bench
}

/// PMD\[4\], PMD\[5\], `fr`, `overflow`, `irq`.
fn overflow_row(bench: &Small) -> (u32, u32, bool, u8, bool) {
    let ([four, five, ..], freeze) = (bench.counts(), bench.state().freeze);
    (four, five, freeze.fr, freeze.overflow, bench.out().irq)
}

// ITA-17, ITA-18, ITA-20: "Overflow, freeze, thaw"
#[test]
fn overflow_freeze_thaw() {
    let mut bench = before_the_overflow(Config::default(), pmc(RETIRED, 0) | OI);
    let mut row = |number, request: Option<Inputs<1>>, irq_ack, expected: (u32, u32, u8, u8, u8)| {
        let (four, five, fr, overflow, irq) = expected;
        assert_eq!(overflow_row(&bench), (four, five, fr == 1, overflow, irq == 1));
        let mut inputs = Inputs { irq_ack, ..request.unwrap_or_default() };
        inputs.retire[0] = retire(0, slots(number));
        bench.cycle(inputs);
    };
    row(1, None, false, (0xFFFF_FFFE, 10, 0, 0, 0));
    row(3, None, false, (0xFFFF_FFFF, 11, 0, 0, 0));
    row(2, None, false, (2, 12, 1, 1, 1));
    row(2, None, true, (2, 12, 1, 1, 1));
    row(2, Some(writing(PMD, 4, 0xFFFF_FFFE)), false, (2, 12, 1, 1, 0));
    row(2, Some(writing(PMC, 0, 0)), false, (0xFFFF_FFFE, 12, 1, 1, 0));
    row(1, None, false, (0xFFFF_FFFE, 12, 0, 0, 0));
    row(0, None, false, (0xFFFF_FFFF, 13, 0, 0, 0));
}

// ITA-17: the remarks on it
#[test]
fn overflow_with_other_settings() {
    let (with, always) = (pmc(RETIRED, 0) | OI, Config { freeze_always: true, ..Config::default() });
    for (straps, pmc4, expected) in [
        (Config::default(), pmc(RETIRED, 0), (2, 12, false, 0, false)),
        (always, pmc(RETIRED, 0), (2, 12, true, 1, false)),
        (always, with, (2, 12, true, 1, true)),
    ] {
        let mut bench = before_the_overflow(straps, pmc4);
        bench.run(1);
        bench.run(3);
        assert_eq!(overflow_row(&bench), expected);
    }
    let mut bench = before_the_overflow(Config::default(), with);
    bench.run(1);
    let mut thaw = writing(PMC, 0, 0);
    thaw.retire[0] = retire(0, 0b111);
    bench.cycle(thaw);
    assert_eq!(overflow_row(&bench), (2, 12, true, 1, true), "mov pmc[0] = 0 in cycle 2");
    assert_eq!(bench.read(PMC, 0), 0x11);
}

/// "An interruption, and another process", the rows of `up`, `pp`, PMD\[4\] and PMD\[5\]; what is asked in cycle 8, and its result.
fn interruption_rows(straps: Config, dcr_pp: u64, asked: RegOp) -> ([(u8, u8, u32, u32); 10], RegResult) {
    let mut bench = Small::tagged(straps);
    bench.write(PMC, 4, at_levels(RETIRED, 0, 0b1001));
    bench.write(PMC, 5, at_levels(RETIRED, 0, 0b1001) | PM);
    bench.write(CR, 0, dcr_pp);
    bench.rfi(UP | PP);
    let interrupted = Inputs { int_valid: true, ..Inputs::default() };
    let cycles: [(u8, u8, Inputs<1>); 10] = [
        (3, 2, Inputs::default()),
        (3, 1, interrupted),
        (0, 0, Inputs::default()),
        (0, 3, Inputs::default()),
        (0, 1, asking(RegOp::Rfi, 0, 0x3_0000_0000)),
        (3, 0, Inputs::default()),
        (3, 3, Inputs::default()),
        (3, 1, asking(asked, 0, 4)),
        (3, 2, Inputs::default()),
        (3, 0, Inputs::default()),
    ];
    let mut result = RegResult::Done;
    let rows = cycles.map(|(cpl, number, mut inputs)| {
        let ([four, five, ..], out) = (bench.counts(), bench.out());
        bench.stays.cpl = cpl;
        inputs.retire[0] = retire(0, slots(number));
        let done = bench.cycle(inputs);
        result = if done.reg_done { done.reg_result } else { result };
        (out.psr_up.into(), out.psr_pp.into(), four, five)
    });
    (rows, result)
}

// ITA-46, ITA-47, ITA-48, ITA-50, ITA-51, ITA-52: "An interruption, and another process"
#[test]
fn an_interruption_and_another_process() {
    let (rows, result) = interruption_rows(Config::default(), 0, RegOp::Sum);
    let expected = [
        (1, 1, 0, 0),
        (1, 1, 2, 2),
        (1, 0, 2, 2),
        (1, 0, 2, 2),
        (1, 0, 5, 2),
        (0, 0, 6, 2),
        (0, 0, 6, 2),
        (0, 0, 6, 2),
        (1, 0, 6, 2),
        (1, 0, 8, 2),
    ];
    assert_eq!((rows, result), (expected, RegResult::Done));
}

// ITA-49, ITA-51: the remarks on it
#[test]
fn an_interruption_with_other_settings() {
    let (rows, _) = interruption_rows(Config::default(), 1, RegOp::Sum);
    assert_eq!((rows[2].1, rows[9].2, rows[9].3), (1, 8, 6), "dcr_pp");
    let cleared = Config { up_on_interruption: UpOnInterruption::Cleared, ..Config::default() };
    let (rows, _) = interruption_rows(cleared, 0, RegOp::Sum);
    assert_eq!(rows.map(|(up, ..)| up), [1, 1, 0, 0, 0, 0, 0, 0, 1, 1]);
    assert_eq!(rows[9].2, 4);
    let (rows, result) = interruption_rows(Config::default(), 0, RegOp::Ssm);
    assert_eq!((rows[9].0, result), (0, RegResult::PrivilegedOperation));
}
