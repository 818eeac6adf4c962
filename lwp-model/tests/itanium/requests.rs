//! Register requests: what is done, what is not mine, what faults, and what is answered.

use super::bench::*;
use lwp_model::itanium::{Answer, Config, Inputs, RegOp, RegRequest, RegResult, State};
use lwp_model::{Choice, itanium};

type Small = Bench<1, 4>;

/// By the table of the page `docs/src/itanium/cycle.md`: the result of a request.
fn expected(op: u8, file: u32, index: u8, cpl: u8) -> u8 {
    let mov = op == 7 || op == 8;
    let user = matches!(op, 9..=11) || op == 7 && file == 1;
    match op {
        0..=6 => 4,
        _ if mov && (file > 4 || file == 4 && index != 0) => 4,
        _ if cpl != 0 && !user => 6,
        _ if mov && matches!(file, 2 | 3) && index > 7 => 7,
        _ => 0,
    }
}

// ITA-48, ITA-49: all operations, files and levels; one that is not done changes nothing but the answer
#[test]
fn results() {
    let mut bench = Small::new(Config::default());
    for op in RegOp::ALL {
        for number in 0..0x800_u32 {
            let (file, index) = (number >> 8, number as u8);
            if !matches!(index, 0..=16 | 0x80 | 0xFF) {
                continue;
            }
            for cpl in 0..4 {
                bench.stays.cpl = cpl;
                let before = State { answer: Answer::default(), ear: itanium::Ear::default(), ..*bench.state() };
                let out = bench.cycle(asking(*op, number | 0xFFFF_F800, u64::from(number) << 33 | 1));
                let result = expected(op.code(), file, index, cpl);
                assert!(out.reg_done);
                assert_eq!(out.reg_result.code(), result, "{op:?}, file {file}, index {index}, level {cpl}");
                let after = State { answer: Answer::default(), ear: itanium::Ear::default(), ..*bench.state() };
                if result != 0 {
                    assert_eq!((after, out.reg_rdata), (before, 0));
                }
                if *op != RegOp::ReadFile {
                    assert_eq!(out.reg_rdata, 0);
                }
            }
        }
    }
}

// An answer is valid in one cycle
#[test]
fn answers() {
    let mut bench = Small::new(Config::default());
    assert_eq!(bench.read(PMC, 13), 1);
    let out = bench.idle();
    assert_eq!((out.reg_done, out.reg_result, out.reg_rdata), (false, RegResult::Done, 0));
    bench.stays.cpl = 3;
    assert_eq!(bench.mov_from(PMC, 13), Err(RegResult::PrivilegedOperation));
    assert_eq!(bench.idle().reg_result, RegResult::Done);
    let request = RegRequest { valid: false, op: RegOp::ReadFile, number: register(PMC, 13), ..RegRequest::default() };
    assert!(!bench.cycle(Inputs { reg: request, ..Inputs::default() }).reg_done);
}

// One in every cycle, whatever logical processor the request names
#[test]
fn requests_in_every_cycle() {
    let mut bench = Small::new(Config::default());
    for lp in 0..8 {
        let mut inputs = writing(PMD, 4, 100 + u64::from(lp));
        inputs.reg.lp = lp;
        bench.cycle(inputs);
        assert_eq!(bench.read(PMD, 4), 100 + u64::from(lp));
    }
}

// ITN-21: level 0 reads every counter; other levels read 0 of a system-level monitor, and with PSR.sp of all
#[test]
fn reads_of_a_counter() {
    for sp in [0, SP] {
        for pm in [0, PM] {
            for cpl in 0..4 {
                let mut bench = Small::new(Config::default());
                for c in 0..4_u8 {
                    bench.write(PMD, 4 + c, 10 + u64::from(c));
                }
                bench.write(PMC, 5, pm);
                bench.write(PMC, 7, PM ^ pm);
                bench.rfi(sp);
                bench.stays.cpl = cpl;
                let shown = |of: u64, pm| if cpl != 0 && (sp != 0 || pm != 0) { 0 } else { of };
                let read = [4, 5, 6, 7].map(|index| bench.read(PMD, index));
                assert_eq!(read, [shown(10, 0), shown(11, pm), shown(12, 0), shown(13, PM ^ pm)]);
            }
        }
    }
}

// A read is of the count before the events of its cycle
#[test]
fn a_read_in_the_cycle_of_events() {
    let mut bench = Small::tagged(Config::default());
    bench.write(PMC, 4, pmc(RETIRED, 0));
    bench.write(PMD, 4, 5);
    let mut inputs = asking(RegOp::ReadFile, register(PMD, 4), 0);
    inputs.retire[0] = retire(0, 0b111);
    assert_eq!(bench.cycle(inputs).reg_rdata, 5);
    assert_eq!(bench.read(PMD, 4), 8);
}

// Codes and names of operations and results lead back, and are those of further units
#[test]
fn codes() {
    fn check<T: Choice + core::fmt::Debug>(codes: u8) {
        assert_eq!(T::ALL.len(), usize::from(codes));
        for code in 0..codes {
            let choice = T::from_code(code).unwrap();
            assert_eq!((choice.code(), T::from_name(choice.name())), (code, Some(choice)));
        }
        assert_eq!(T::from_code(codes), None);
    }
    check::<RegOp>(16);
    check::<RegResult>(8);
    check::<itanium::IsmOrder>(2);
    check::<itanium::UpOnInterruption>(2);
    for code in 0..7 {
        assert_eq!(RegOp::from_code(code).unwrap().name(), lwp_model::retire::RegOp::from_code(code).unwrap().name());
    }
    for code in 0..6 {
        let shared = lwp_model::retire::RegResult::from_code(code).unwrap();
        assert_eq!(RegResult::from_code(code).unwrap().name(), shared.name());
    }
}
