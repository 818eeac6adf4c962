//! Privilege levels, processes and instruction sets, by hand.

use super::bench::{ALL_LEVELS, Bench, CYCLES, DCR, IA32, LOADS, PM, PMC, PP, SP, TAGGED_8, UP, default, event, with};
use lwp_model::itanium::{Config, Inputs, IsmOrder, RegOp, RegResult, UpOnInterruption};

/// Shows so many cycles of the core's clock.
fn clocks(bench: &mut Bench, cycles: u64) {
    (0..cycles).for_each(|_| bench.cycle(|inputs| inputs.core_clock = true));
}

// ITA-14, ITA-43, ITA-44, ITA-45: a monitor counts at the levels of its mask.
#[test]
fn a_mask_selects_levels() {
    default(|bench| {
        for (counter, plm) in [0b1000, 0b0001, 0b1001, 0b0110].into_iter().enumerate() {
            bench.select(counter as u32, plm | CYCLES);
        }
        for (cpl, cycles) in [(0, 3), (1, 5), (2, 7), (3, 11)] {
            bench.enter(cpl, false);
            clocks(bench, cycles);
        }
        bench.enter(0, false);
        assert_eq!([0, 1, 2, 3].map(|counter| bench.count(counter)), [11, 3, 14, 12]);
    });
}

// ITA-45, ITA-46, ITA-47: user monitors go by PSR.up, system monitors by PSR.pp.
#[test]
fn up_enables_user_monitors_and_pp_system_monitors() {
    default(|bench| {
        bench.select(0, ALL_LEVELS | CYCLES);
        bench.select(1, ALL_LEVELS | CYCLES | PM);
        for (psr, cycles) in [(UP, 3), (PP, 5), (UP | PP, 7), (0, 9)] {
            bench.request(RegOp::WritePsrL, 0, psr);
            clocks(bench, cycles);
        }
        assert_eq!([bench.count(0), bench.count(1)], [10, 12]);
    });
}

// ITA-48: sum and rum act at all levels. ITA-49: PSR.pp changes at level 0 alone.
#[test]
fn an_application_switches_its_monitors() {
    default(|bench| {
        bench.select(0, ALL_LEVELS | CYCLES);
        bench.request(RegOp::Rsm, 0, UP | PP);
        bench.enter(3, false);
        clocks(bench, 2);
        assert_eq!(bench.request(RegOp::Sum, 0, UP), (RegResult::Done, 0));
        assert!(bench.out.psr_up);
        clocks(bench, 4);
        bench.request(RegOp::Rum, 0, UP);
        assert!(!bench.out.psr_up);
        clocks(bench, 8);
        for op in [RegOp::Ssm, RegOp::Rsm, RegOp::WritePsrL, RegOp::Rfi] {
            assert_eq!(bench.request(op, 0, PP), (RegResult::PrivilegedOperation, 0));
            assert!(!bench.out.psr_pp);
        }
        bench.request(RegOp::WritePsrUm, 0, UP | PP | SP);
        assert_eq!([bench.out.psr_up, bench.out.psr_pp, bench.out.psr_sp], [true, false, false]);
        assert_eq!(bench.count(0), 4);
    });
}

#[test]
fn a_secured_monitor_cannot_be_switched_or_read() {
    default(|bench| {
        bench.select(0, ALL_LEVELS | CYCLES);
        bench.request(RegOp::Ssm, 0, SP);
        clocks(bench, 3);
        assert_eq!(bench.count(0), 3);
        bench.enter(3, false);
        for (op, wdata) in [(RegOp::Rum, UP), (RegOp::WritePsrUm, 0)] {
            bench.request(op, 0, wdata);
            assert!(bench.out.psr_up);
        }
        assert_eq!(bench.count(0), 0);
        bench.enter(0, false);
        bench.request(RegOp::Rsm, 0, SP | UP);
        bench.request(RegOp::Ssm, 0, SP);
        bench.request(RegOp::Sum, 0, UP);
        assert!(!bench.out.psr_up);
    });
}

// ITA-50, ITA-51: DCR.pp becomes PSR.pp when an interruption is delivered.
#[test]
fn an_interruption_copies_dcr_pp() {
    default(|bench| {
        bench.select(0, ALL_LEVELS | CYCLES | PM);
        for (dcr, cycles, count) in [(0, 3, 0), (1, 5, 5)] {
            bench.write(DCR, dcr);
            bench.request(RegOp::WritePsrL, 0, (1 - dcr) * PP);
            bench.interrupt();
            assert_eq!(bench.out.psr_pp, dcr == 1);
            clocks(bench, cycles);
            assert_eq!(bench.count(0), count);
        }
    });
}

#[test]
fn an_interruption_clears_up_if_the_strap_says_so() {
    for (up_on_interruption, up) in [(UpOnInterruption::Kept, true), (UpOnInterruption::Cleared, false)] {
        with(&Config { up_on_interruption, ..Config::default() }, |bench| {
            bench.request(RegOp::Ssm, 0, UP);
            bench.interrupt();
            assert_eq!(bench.out.psr_up, up);
        });
    }
}

// What retires in the cycle of an interruption is ignored, and so is a request. Memory records are not.
#[test]
fn nothing_retires_with_an_interruption() {
    default(|bench| {
        bench.write(DCR, 1);
        bench.select(0, ALL_LEVELS | TAGGED_8);
        bench.select(1, ALL_LEVELS | LOADS);
        bench.bundle(0, 0x4000, 0, [0; 3]);
        bench.cycle(|inputs: &mut Inputs<1>| {
            inputs.int_valid = true;
            (inputs.retire[0].valid, inputs.retire[0].slots) = (true, 7);
            (inputs.mem[0].valid, inputs.mem[0].read) = (true, true);
            (inputs.reg.valid, inputs.reg.op, inputs.reg.wdata) = (true, RegOp::Rsm, UP | PP);
        });
        assert!(!bench.out.reg_done && bench.out.psr_up);
        bench.cycle(|_| ());
        assert_eq!([bench.count(0), bench.count(1)], [0, 1]);
    });
}

// ITA-15, ITA-16, ITA-54: ism leaves out an instruction set.
#[test]
fn ism_selects_the_instruction_set() {
    for (ism_order, counts) in [(IsmOrder::Field, [8, 5, 3, 0]), (IsmOrder::Printed, [8, 3, 5, 0])] {
        with(&Config { ism_order, ..Config::default() }, |bench| {
            // 00 both; 01 and 10 one of them; 11 none.
            (0..4).for_each(|ism| bench.select(ism, ALL_LEVELS | CYCLES | u64::from(ism) << 24));
            clocks(bench, 3);
            bench.enter(0, true);
            clocks(bench, 5);
            bench.enter(0, false);
            assert_eq!([0, 1, 2, 3].map(|counter| bench.count(counter)), counts);
        });
    }
}

// ITA-54: the event address registers go by ism. ITA-55: the branch trace buffer is on for IA-64 alone.
#[test]
fn registers_of_addresses_and_branches_go_by_the_instruction_set() {
    default(|bench| {
        bench.write(PMC + 10, ALL_LEVELS);
        bench.write(PMC + 11, ALL_LEVELS | 2 << 24);
        bench.write(PMC + 12, ALL_LEVELS);
        bench.cycle(|_| ());
        assert_eq!([bench.out.iear_on, bench.out.dear_on, bench.out.btb_on], [true; 3]);
        bench.enter(0, true);
        assert_eq!([bench.out.iear_on, bench.out.dear_on, bench.out.btb_on], [true, false, false]);
        bench.enter(3, false);
        bench.request(RegOp::Rum, 0, UP);
        assert_eq!([bench.out.iear_on, bench.out.dear_on, bench.out.btb_on], [false; 3]);
    });
}

#[test]
fn instructions_of_ia32_retire() {
    default(|bench| {
        bench.select(0, ALL_LEVELS | IA32);
        bench.select(1, ALL_LEVELS | event(0x15, 0) | 2 << 20);
        bench.enter(0, true);
        for ia32 in [3, 1, 2, 0] {
            bench.cycle(|inputs| inputs.ia32 = ia32);
        }
        bench.enter(0, false);
        assert_eq!([bench.count(0), bench.count(1)], [6, 1]);
    });
}
