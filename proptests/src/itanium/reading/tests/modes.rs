//! The modes of Table 6-3 and the set-ups of Figures 6-6 to 6-8, by hand.

use super::bench::{
    ADD, ALL_LEVELS, Bench, CLOOP, CYCLES, DBR, DCR, IBR, LOADS, ONLY_CLOOP, PM, PMC, PP, UP, default, with,
};
use lwp_model::itanium::{Config, Mem, RegOp, UpOnInterruption};

/// Modes of Table 6-3, and the one that it does not list: PMC\[13\].ta, whether opcodes are constrained, PMC\[11\].pt.
const MODES: [(u64, bool, u64); 8] = [
    (1, false, 1),
    (0, false, 1),
    (1, true, 1),
    (1, false, 0),
    (0, true, 1),
    (0, false, 0),
    (1, true, 0),
    (0, true, 0),
];

// ITA-28, ITA-32, ITA-33, ITA-34, ITA-35, ITA-36, ITA-37, ITA-38, ITA-39: each mode counts what meets all of its constraints.
#[test]
fn modes_of_event_qualification() {
    default(|bench| {
        let range = 15 << 56 | u64::MAX >> 8 & !31;
        for (file, addr) in [(IBR, 0x4000), (DBR, 0x1000)] {
            bench.write(file, addr);
            bench.write(file + 1, range);
        }
        for (ta, opcodes, pt) in MODES {
            bench.write(PMC + 13, ta);
            bench.write(PMC + 8, if opcodes { ONLY_CLOOP } else { u64::MAX });
            bench.write(PMC + 11, pt << 28);
            for case in 0..8 {
                let [inside, matching, data] = [1, 2, 4].map(|bit| case & bit != 0);
                bench.select(0, ALL_LEVELS | LOADS);
                bench.bundle(0, if inside { 0x4010 } else { 0x8000 }, 0x16, [if matching { CLOOP } else { ADD }; 3]);
                bench.access(Mem { addr: if data { 0x1010 } else { 0x2000 }, read: true, ..Mem::default() });
                let qualifies = (inside || ta == 1) && (matching || !opcodes) && (data || pt == 1);
                assert_eq!(bench.count(0), u64::from(qualifies), "ta {ta}, opcodes {opcodes}, pt {pt}, case {case}");
            }
        }
    });
}

/// Cycles of a process at user level, in the kernel, and in an interrupt handler.
const USER: u64 = 1;
const KERNEL: u64 = 10;
const HANDLER: u64 = 100;

fn clocks(bench: &mut Bench, cycles: u64) {
    (0..cycles).for_each(|_| bench.cycle(|inputs| inputs.core_clock = true));
}

/// Runs three processes, each with its PSR, and returns the count of a monitor.
fn processes(bench: &mut Bench, pmc: u64, dcr: u64, psr: [u64; 3]) -> u64 {
    bench.write(DCR, dcr);
    bench.request(RegOp::WritePsrL, 0, 0);
    bench.select(0, pmc | CYCLES);
    for psr in psr {
        bench.request(RegOp::Rfi, 0, psr);
        bench.enter(3, false);
        clocks(bench, USER);
        bench.enter(0, false);
        clocks(bench, KERNEL);
        bench.interrupt();
        clocks(bench, HANDLER);
    }
    bench.request(RegOp::WritePsrL, 0, 0);
    bench.count(0)
}

// ITA-57, ITA-58, ITA-59, ITA-60, ITA-61, ITA-62, ITA-63, ITA-64, ITA-65: one process, two
// processes, all processes; user level, with the kernel, with interrupts.
#[test]
fn monitors_of_processes() {
    let straps = Config { up_on_interruption: UpOnInterruption::Cleared, ..Config::default() };
    with(&straps, |bench| {
        for of in 1..=3 {
            let psr = |bit: u64| [0, 1, 2].map(|process| if process < of { bit } else { 0 });
            let of = of as u64;
            assert_eq!(processes(bench, 8, 0, psr(UP)), of * USER);
            assert_eq!(processes(bench, 9, 0, psr(UP)), of * (USER + KERNEL));
            // DCR.pp belongs to no process: handlers are counted whatever they interrupt.
            assert_eq!(processes(bench, 9 | PM, 1, psr(PP)), of * (USER + KERNEL) + 3 * HANDLER);
        }
    });
}

// ITA-51: without DCR.pp handlers are not counted. With PSR.up kept, user monitors count them.
#[test]
fn handlers_are_counted_if_dcr_pp_says_so() {
    default(|bench| {
        assert_eq!(processes(bench, 9 | PM, 0, [PP, 0, 0]), USER + KERNEL);
        assert_eq!(processes(bench, 9, 0, [UP, 0, 0]), USER + KERNEL + HANDLER);
    });
}
