//! Events whose unit mask selects several lines: their sum, and the largest numbers of a cycle against CMASK.

use super::bench::{ALL, ANY, C2, C4, EN, INV, SELECT, version_3};
use lwp_model::perf::{Config, Line};
use lwp_regs::perf::p6::P6Model;

/// The lines of bits 0 to 3 of the unit mask, by event.
const FOURS: [(u64, [Line; 4]); 6] = [
    (0x28, [Line::L2IfetchI, Line::L2IfetchS, Line::L2IfetchE, Line::L2IfetchM]),
    (0x29, [Line::L2LdI, Line::L2LdS, Line::L2LdE, Line::L2LdM]),
    (0x2A, [Line::L2StI, Line::L2StS, Line::L2StE, Line::L2StM]),
    (0x2E, [Line::L2RqstsI, Line::L2RqstsS, Line::L2RqstsE, Line::L2RqstsM]),
    (0xD4, [Line::SegRenameStallsEs, Line::SegRenameStallsDs, Line::SegRenameStallsFs, Line::SegRenameStallsGs]),
    (0xD5, [Line::SegRenamesEs, Line::SegRenamesDs, Line::SegRenamesFs, Line::SegRenamesGs]),
];

/// Counter 0 counts `code` with `mask` for one cycle, in which the four lines show these numbers.
fn count(code: u64, mask: u64, bits: u64, lines: [Line; 4], numbers: [u8; 4]) -> u64 {
    let mut bench = C2::new(Config { p6_model: P6Model::PentiumIII, ..Config::default() });
    bench.write(SELECT, EN | ALL | bits | mask << 8 | code);
    for (line, number) in lines.into_iter().zip(numbers) {
        bench.inputs.lp[0].events.set(line, number);
    }
    bench.cycle();
    bench.count(0)
}

// P6EV-11, P6EV-12, P6EV-13, P6EV-18, P6EV-80, P6EV-81, P6EV-86: the lines show 1, 2, 4 and 8, so the sum of those that the mask selects
// is the mask
#[test]
fn a_mask_selects_a_sum() {
    for (code, lines) in FOURS {
        let masks: &[u64] = if code < 0x30 {
            &[0x0, 0x1, 0x2, 0x3, 0x4, 0x5, 0x6, 0x7, 0x8, 0x9, 0xA, 0xB, 0xC, 0xD, 0xE, 0xF]
        } else {
            &[0x1, 0x2, 0x4, 0x8, 0xF]
        };
        for &mask in masks {
            assert_eq!(count(code, mask, 0, lines, [1, 2, 4, 8]), mask, "{code:02X}.{mask:02X}");
        }
    }
    for (code, mask) in [(0xD4, 0x3), (0xD4, 0xE), (0xD5, 0x3), (0xD5, 0xE)] {
        let lines = FOURS[if code == 0xD4 { 4 } else { 5 }].1;
        assert_eq!(count(code, mask, 0, lines, [1, 2, 4, 8]), 0, "{code:02X}.{mask:02X} is not a mask of the event");
    }
}

// P6-28, P6-30: four lines of 15 are 60, the most that a cycle can have on a P6
#[test]
fn the_largest_number_of_a_p6() {
    for (code, lines) in FOURS {
        assert_eq!(count(code, 0xF, 0, lines, [15; 4]), 60);
        for (cmask, at_least, less) in
            [(16, 1, 0), (59, 1, 0), (60, 1, 0), (61, 0, 1), (63, 0, 1), (64, 0, 1), (255, 0, 1)]
        {
            assert_eq!(count(code, 0xF, cmask << 24, lines, [15; 4]), at_least, "{code:02X}, CMASK {cmask}");
            assert_eq!(count(code, 0xF, cmask << 24 | INV, lines, [15; 4]), less, "{code:02X}, CMASK {cmask}, INV");
        }
    }
}

// APM-31, APM-34: with AnyThread, two logical processors with 15 each are 30
#[test]
fn the_largest_number_of_two_processors() {
    for (cmask, at_least, less) in [(15, 1, 0), (16, 1, 0), (29, 1, 0), (30, 1, 0), (31, 0, 1), (32, 0, 1), (255, 0, 1)]
    {
        let mut bench = C4::new(version_3());
        bench.write(SELECT, EN | ALL | ANY | cmask << 24 | 0x4F2E);
        bench.write(SELECT + 1, EN | ALL | ANY | cmask << 24 | INV | 0x4F2E);
        let before = [bench.count(0), bench.count(1)];
        for lp in 0..2 {
            bench.inputs.lp[lp].events.set(Line::LlcReferences, 15);
        }
        bench.cycle();
        let counts = [bench.count(0) - before[0], bench.count(1) - before[1]];
        assert_eq!(counts, [at_least, less], "CMASK {cmask}");
    }
}
