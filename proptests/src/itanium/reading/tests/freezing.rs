//! Overflow, freeze and interrupt, by hand. Registers.

use super::bench::{ALL_LEVELS, Bench, CYCLES, DBR, DCR, EV, IA32, IBR, OI, PM, PMC, PMD, default, with};
use lwp_model::itanium::{Config, RegOp, RegResult};

fn clock(bench: &mut Bench) {
    bench.cycle(|inputs| inputs.core_clock = true);
}

// ITA-17: an overflow freezes all counters, sets its bit, and requests one interrupt.
#[test]
fn an_overflow_freezes() {
    default(|bench| {
        bench.select(0, ALL_LEVELS | CYCLES | OI | EV);
        bench.select(1, ALL_LEVELS | CYCLES);
        bench.write(PMC + 10, ALL_LEVELS);
        bench.preset(0, 2);
        clock(bench);
        assert!(!bench.out.irq && bench.out.pin == 0);
        clock(bench);
        assert!(bench.out.irq && bench.out.pin == 1);
        clock(bench);
        assert!(bench.out.irq && bench.out.pin == 0 && !bench.out.iear_on);
        assert_eq!([bench.count(0), bench.count(1), bench.read(PMC)], [0, 2, 0x11]);
        bench.cycle(|inputs| inputs.irq_ack = true);
        assert!(!bench.out.irq);
        // ITA-18: until software clears the bit.
        bench.write(PMC, 0);
        clock(bench);
        assert_eq!([bench.count(0), bench.count(1), bench.read(PMC)], [1, 3, 0]);
        assert!(!bench.out.irq);
    });
}

#[test]
fn an_overflow_without_oi_does_not_freeze() {
    for freeze_always in [false, true] {
        with(&Config { freeze_always, ..Config::default() }, |bench| {
            bench.select(3, ALL_LEVELS | CYCLES | EV);
            bench.preset(3, 1);
            clock(bench);
            assert!(!bench.out.irq && bench.out.pin == 8);
            clock(bench);
            assert_eq!([bench.count(3), bench.read(PMC) & 1], if freeze_always { [0, 1] } else { [1, 0] });
        });
    }
}

// ITA-18, ITA-20: software freezes, too.
#[test]
fn software_freezes() {
    default(|bench| {
        bench.select(0, ALL_LEVELS | CYCLES);
        for (value, count) in [(1, 0), (0, 1), (1, 1), (0, 2)] {
            bench.write(PMC, value);
            clock(bench);
            assert_eq!([bench.count(0), bench.read(PMC)], [count, value]);
        }
    });
}

#[test]
fn counters_overflow_at_once() {
    default(|bench| {
        (0..4).for_each(|counter| bench.select(counter, ALL_LEVELS | CYCLES | OI));
        (0..3).for_each(|counter| bench.preset(counter, 1));
        clock(bench);
        assert_eq!([bench.read(PMC), bench.count(3)], [0x71, 1]);
    });
}

// An interrupt that comes in the cycle of an acknowledgement is not lost.
#[test]
fn each_overflow_requests_an_interrupt() {
    default(|bench| {
        bench.select(0, ALL_LEVELS | CYCLES | OI);
        for _ in 0..2 {
            bench.preset(0, 1);
            bench.cycle(|inputs| (inputs.core_clock, inputs.irq_ack) = (true, true));
            assert!(bench.out.irq);
            bench.write(PMC, 0);
            assert!(bench.out.irq);
        }
    });
}

#[test]
fn a_threshold_is_exceeded() {
    default(|bench| {
        for (counter, threshold) in [0, 1, 2, 4].into_iter().enumerate() {
            bench.select(counter as u32, ALL_LEVELS | IA32 | threshold << 20);
        }
        bench.enter(0, true);
        for ia32 in [1, 2, 3] {
            bench.cycle(|inputs| inputs.ia32 = ia32);
        }
        bench.enter(0, false);
        // PMC[7] has two bits of threshold: 4 is 0.
        assert_eq!([0, 1, 2, 3].map(|counter| bench.count(counter)), [6, 2, 1, 6]);
    });
}

// ITA-06, ITA-15, ITA-20, ITA-29, ITA-31, ITA-41, ITA-42, ITA-43: what the registers hold.
#[test]
fn registers_hold_their_fields() {
    let written = [
        (PMC, 0xF1),
        (PMC + 1, 0),
        (PMC + 4, 0x037F_7F7F),
        (PMC + 5, 0x037F_7F7F),
        (PMC + 6, 0x033F_7F7F),
        (PMC + 7, 0x033F_7F7F),
        (PMC + 8, 0xFFFF_FFFE_3FFF_FFF8),
        (PMC + 9, 0xFFFF_FFFE_3FFF_FFF8),
        (PMC + 10, 0x030F_00CF),
        (PMC + 11, 0x130F_00CF),
        (PMC + 12, 0xFFCF),
        (PMC + 14, 0),
        (PMC + 255, 0),
        (PMD + 4, u64::MAX),
        (PMD + 7, u64::MAX),
        (PMD + 18, 0),
        (IBR, u64::MAX),
        (IBR + 7, 0x8FFF_FFFF_FFFF_FFFF),
        (DBR + 6, u64::MAX),
        (DBR + 7, 0xCFFF_FFFF_FFFF_FFFF),
        (DCR, 1),
    ];
    default(|bench| {
        for (number, value) in written {
            assert_eq!(bench.request(RegOp::WriteFile, number, u64::MAX), (RegResult::Done, 0));
            assert_eq!(bench.request(RegOp::ReadFile, number, 0), (RegResult::Done, value), "{number:#x}");
        }
        bench.write(PMD + 5, 0x7FFF_FFFF | 1 << 32);
        assert_eq!(bench.read(PMD + 5), 0x7FFF_FFFF);
    });
}

#[test]
fn requests_are_refused() {
    default(|bench| {
        for (number, result) in [
            (IBR + 8, RegResult::ReservedRegister),
            (DBR + 255, RegResult::ReservedRegister),
            (DCR + 1, RegResult::NotMine),
            (0x500, RegResult::NotMine),
            (0x704, RegResult::NotMine),
        ] {
            for op in [RegOp::ReadFile, RegOp::WriteFile] {
                assert_eq!(bench.request(op, number, 1), (result, 0), "{number:#x}");
            }
        }
        assert_eq!(bench.request(RegOp::Rdmsr, PMC + 4, 0), (RegResult::NotMine, 0));
        bench.select(0, ALL_LEVELS | CYCLES);
        bench.select(1, ALL_LEVELS | CYCLES | PM);
        clock(bench);
        bench.enter(3, false);
        for number in [PMC, PMC + 4, PMC + 99, IBR, IBR + 9, DBR + 1, DCR] {
            assert_eq!(bench.request(RegOp::ReadFile, number, 0), (RegResult::PrivilegedOperation, 0));
        }
        for number in [PMC, PMC + 99, PMD + 4, PMD + 99, IBR, DBR + 1, DBR + 9, DCR] {
            assert_eq!(bench.request(RegOp::WriteFile, number, 0), (RegResult::PrivilegedOperation, 0));
        }
        assert_eq!([bench.count(0), bench.count(1)], [1, 0]);
    });
}
