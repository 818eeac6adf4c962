//! PSR.up, PSR.sp, PSR.pp and DCR.pp: what changes them, and at which level.

use super::bench::*;
use lwp_model::itanium::{Config, Inputs, RegOp, RegResult, UpOnInterruption};

type Small = Bench<1, 4>;

const ALL: u64 = UP | SP | PP;

/// A PSR with these of its bits.
fn bits(up: bool, sp: bool, pp: bool) -> u64 {
    [(up, UP), (sp, SP), (pp, PP)].into_iter().filter(|(set, _)| *set).map(|(_, bit)| bit).sum()
}

/// Every combination of the three bits.
fn combinations() -> impl Iterator<Item = u64> {
    (0..8).map(|case| bits(case & 1 != 0, case & 2 != 0, case & 4 != 0))
}

/// The PSR, by the outputs.
fn psr(bench: &Small) -> u64 {
    let out = bench.out();
    bits(out.psr_up, out.psr_sp, out.psr_pp)
}

/// The PSR behind a request with this source, at this level.
fn behind(before: u64, op: RegOp, source: u64, cpl: u8) -> (u64, RegResult) {
    let mut bench = Small::new(Config::default());
    bench.rfi(before);
    assert_eq!(psr(&bench), before);
    bench.stays.cpl = cpl;
    let out = bench.cycle(asking(op, 0x7FF, source));
    assert_eq!((out.reg_done, out.reg_rdata), (true, 0));
    (psr(&bench), out.reg_result)
}

// ITA-48: sum, rum and mov psr.um at every level change PSR.up alone, while PSR.sp is 0
#[test]
fn user_mask() {
    for before in combinations() {
        for source in combinations() {
            let held = before & SP != 0;
            let up = |value| if held { before } else { before & !UP | value };
            for cpl in 0..4 {
                let of = |op| behind(before, op, source | !ALL, cpl);
                assert_eq!(of(RegOp::Sum), (up((before | source) & UP), RegResult::Done));
                assert_eq!(of(RegOp::Rum), (up(before & !source & UP), RegResult::Done));
                assert_eq!(of(RegOp::WritePsrUm), (up(source & UP), RegResult::Done));
            }
        }
    }
}

// ITA-49: ssm, rsm, mov psr.l and rfi at level 0 change all three, whatever PSR.sp is; elsewhere they fault
#[test]
fn system_mask() {
    for before in combinations() {
        for source in combinations() {
            for (op, expected) in [
                (RegOp::Ssm, before | source),
                (RegOp::Rsm, before & !source),
                (RegOp::WritePsrL, source),
                (RegOp::Rfi, source),
            ] {
                assert_eq!(behind(before, op, source | !ALL, 0), (expected, RegResult::Done));
                for cpl in 1..4 {
                    assert_eq!(behind(before, op, source, cpl), (before, RegResult::PrivilegedOperation));
                }
            }
        }
    }
}

// ITA-49: no request at level 1, 2 or 3 changes PSR.pp, PSR.sp or DCR.pp
#[test]
fn nothing_but_up_changes_above_level_0() {
    for before in combinations() {
        for code in 0..16 {
            let op = <RegOp as lwp_model::Choice>::from_code(code).unwrap();
            for number in (0..8).map(|file| file << 8) {
                let mut bench = Small::new(Config::default());
                bench.write(CR, 0, 1);
                bench.rfi(before);
                for cpl in 1..4 {
                    bench.stays.cpl = cpl;
                    for source in [0, u64::MAX] {
                        bench.cycle(asking(op, number, source));
                        assert_eq!(psr(&bench) & !UP, before & !UP, "{op:?}");
                        assert!(bench.state().status.dcr_pp);
                    }
                }
            }
        }
    }
}

// ITA-50, ITA-51: an interruption copies DCR.pp and clears PSR.sp; PSR.up goes by the strap
#[test]
fn interruptions() {
    for before in combinations() {
        for dcr in 0..2 {
            for (strap, kept) in [(UpOnInterruption::Kept, UP), (UpOnInterruption::Cleared, 0)] {
                for cpl in 0..4 {
                    let mut bench = Small::new(Config { up_on_interruption: strap, ..Config::default() });
                    bench.write(CR, 0, dcr);
                    bench.rfi(before);
                    (bench.stays.cpl, bench.stays.psr_is) = (cpl, cpl == 3);
                    bench.interrupt();
                    assert_eq!(psr(&bench), before & kept | bits(false, false, dcr == 1));
                    assert_eq!(u64::from(bench.state().status.dcr_pp), dcr);
                }
            }
        }
    }
}

// ITA-42: DCR is bit 0
#[test]
fn dcr() {
    let mut bench = Small::new(Config::default());
    for (value, read) in [(u64::MAX, 1), (!1, 0), (1, 1), (0, 0)] {
        bench.write(CR, 0, value);
        assert_eq!((bench.read(CR, 0), u64::from(bench.state().status.dcr_pp)), (read, read));
        assert_eq!(psr(&bench), 0, "PSR.pp waits for an interruption");
    }
}

// A request in a cycle with an interruption is ignored and not answered
#[test]
fn a_request_with_an_interruption() {
    let mut bench = Small::new(Config::default());
    bench.rfi(UP);
    let out = bench.cycle(Inputs { int_valid: true, ..asking(RegOp::Ssm, 0, ALL) });
    assert_eq!((out.reg_done, psr(&bench)), (false, UP));
    let out = bench.cycle(Inputs { int_valid: true, ..writing(CR, 0, 1) });
    assert_eq!((out.reg_done, bench.state().status.dcr_pp), (false, false));
}

// ITA-48: an application monitors one section of its code
#[test]
fn a_section_of_an_application() {
    let mut bench = Small::tagged(Config::default());
    bench.write(PMC, 4, at_levels(RETIRED, 0, 0b1000));
    bench.rfi(0);
    bench.stays.cpl = 3;
    let cycles = [(3, None), (1, Some(RegOp::Sum)), (3, None), (2, None), (1, Some(RegOp::Rum)), (3, None)];
    for (number, op) in cycles {
        let mut inputs = op.map(|op| asking(op, 0, UP)).unwrap_or_default();
        inputs.retire[0] = retire(0, slots(number));
        bench.cycle(inputs);
    }
    assert_eq!(bench.counts()[0], 3 + 2 + 1, "rum itself counts, sum does not");
}
