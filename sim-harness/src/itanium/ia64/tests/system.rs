//! Instructions of the system, and requests to the monitoring unit.

use super::super::Unit::{B, F, I, M, X};
use super::super::{Answer, Core, FaultKind, File, MonitorBits, Place, Request};
use super::machine::{CODE, in_front_of, step, with};

#[test]
fn nops_have_no_effect() {
    for (text, unit, raw, upper) in [
        ("nop.m 0x1fffff", M, 0x010_0bff_ffc0, 0),
        ("hint.m 3", M, 0x000_0c00_00c0, 0),
        ("nop.i 0x100001", I, 0x010_0800_0040, 0),
        ("nop.b 7", B, 0x040_0000_01c0, 0),
        ("nop.f 0x12345", F, 0x000_0848_d140, 0),
        ("hint.f 3", F, 0x000_0c00_00c0, 0),
        ("nop.x 0x3fffffffffffffff", X, 0x010_0bff_ffc0, 0x1ff_ffff_ffff),
        ("srlz.d", M, 0x001_8000_0000, 0),
        ("srlz.i", M, 0x001_8800_0000, 0),
        ("mf", M, 0x001_1000_0000, 0),
        ("sync.i", M, 0x001_9800_0000, 0),
        ("invala", M, 0x000_8000_0000, 0),
    ] {
        let mut core = in_front_of(unit, raw, upper);
        let retired = step(&mut core);
        assert_eq!(
            (retired.off, retired.branch, retired.access, retired.request),
            (false, false, None, None),
            "{text}"
        );
    }
}

#[test]
fn breaks_fault_with_their_immediate() {
    for (unit, raw, upper, immediate) in [
        (M, 0x010_0155_5540, 0, 0x15_5555),
        (I, 0x010_03ff_ffc0, 0, 0x1f_ffff),
        (B, 0x010_0000_0080, 0, 0x10_0002),
        (F, 0x000_0000_0140, 0, 5),
        (X, 0x000_02aa_aa80, 0x155_5555_5555, 0x2aaa_aaaa_aaaa_aaaa),
    ] {
        let fault = in_front_of(unit, raw, upper).step().unwrap_err();
        assert_eq!(fault.kind, FaultKind::Break { immediate });
    }
}

/// The requests of instructions with r9 = 1c04H and r10 = 2222H.
#[test]
fn requests() {
    let (index, value) = (4, 0x2222);
    for (text, raw, request) in [
        ("mov pmc[r9] = r10", 0x020_2091_4000, Request::Write { file: File::Pmc, index, value }),
        ("mov pmd[r9] = r10", 0x020_2891_4000, Request::Write { file: File::Pmd, index, value }),
        ("mov ibr[r9] = r10", 0x020_1091_4000, Request::Write { file: File::Ibr, index, value }),
        ("mov dbr[r9] = r10", 0x020_0891_4000, Request::Write { file: File::Dbr, index, value }),
        ("mov r8 = pmc[r9]", 0x020_a090_0200, Request::Read { file: File::Pmc, index }),
        ("mov r8 = pmd[r9]", 0x020_a890_0200, Request::Read { file: File::Pmd, index }),
        ("mov r8 = ibr[r9]", 0x020_9090_0200, Request::Read { file: File::Ibr, index }),
        ("mov r8 = dbr[r9]", 0x020_8890_0200, Request::Read { file: File::Dbr, index }),
        ("mov cr.dcr = r9", 0x021_6001_2000, Request::Write { file: File::Cr, index: 0, value: 0x1c04 }),
        ("mov r8 = cr.dcr", 0x021_2000_0200, Request::Read { file: File::Cr, index: 0 }),
        ("sum 0x4", 0x000_2000_0100, Request::Sum(4)),
        ("rum 0x4", 0x000_2800_0100, Request::Rum(4)),
        ("ssm 0x804004", 0x010_3010_0100, Request::Ssm(0x80_4004)),
        ("ssm 0x400004", 0x001_3000_0100, Request::Ssm(0x40_0004)),
        ("rsm 0x300000", 0x000_bc00_0000, Request::Rsm(0x30_0000)),
        ("mov psr.um = r9", 0x021_4801_2000, Request::MoveUm(0x1c04)),
        ("mov psr.l = r9", 0x021_6801_2000, Request::MoveL(0x1c04)),
    ] {
        let mut core = with(M, raw, &[(8, 99), (9, 0x1c04), (10, 0x2222)]);
        let retired = step(&mut core);
        assert_eq!(retired.request, Some(request), "{text}");
        let next = Place { ip: CODE, slot: 1 };
        assert_eq!((core.place().slot, retired.next), (0, next), "{text} has no effect before its answer");
        core.answer(Answer::Done(0x5555)).expect("an answer without a fault");
        assert_eq!(core.place(), next, "{text}");
        let reads = matches!(request, Request::Read { .. });
        assert_eq!(core.general(8), if reads { 0x5555 } else { 99 }, "{text}");
    }
}

#[test]
fn a_request_that_faults_does_not_complete() {
    // mov r8 = pmc[r9]; ssm 0x804004
    for raw in [0x020_a090_0200, 0x010_3010_0100] {
        for (answer, kind) in [
            (Answer::PrivilegedOperation, FaultKind::PrivilegedOperation),
            (Answer::ReservedRegister, FaultKind::ReservedRegister),
        ] {
            let mut core = with(M, raw, &[(8, 99)]);
            let psr = core.psr();
            step(&mut core);
            let fault = core.answer(answer).unwrap_err();
            assert_eq!((fault.kind, fault.ip, fault.slot, fault.raw), (kind, CODE, 0, raw));
            assert_eq!((core.place(), core.general(8), core.psr()), (Place { ip: CODE, slot: 0 }, 99, psr));
        }
    }
}

#[test]
#[should_panic(expected = "has no answer")]
fn a_request_needs_an_answer() {
    let mut core = in_front_of(M, 0x020_a090_0200, 0);
    step(&mut core);
    let _ = core.step();
}

/// Executes an instruction that changes the PSR, whose request is granted, and returns the PSR.
fn psr_after(raw: u64, r9: u64) -> u64 {
    let mut core = with(M, raw, &[(9, r9)]);
    core.psr = 1 << 44 | 0x2012;
    step(&mut core);
    core.answer(Answer::Done(0)).expect("an answer without a fault");
    core.psr()
}

#[test]
fn bits_of_the_psr_that_the_core_has() {
    // Those of the monitoring unit (2, 20, 21) are not changed here.
    assert_eq!(psr_after(0x010_3010_0100, 0), 1 << 44 | 0x80_6012); // ssm 0x804004
    assert_eq!(psr_after(0x000_bc00_0000, 0), 1 << 44 | 0x2012); // rsm 0x300000
    assert_eq!(psr_after(0x021_4801_2000, u64::MAX), 1 << 44 | 0x203a); // mov psr.um = r9
    assert_eq!(psr_after(0x021_4801_2000, 0), 1 << 44 | 0x2000);
    assert_eq!(psr_after(0x021_6801_2000, u64::MAX), 1 << 44 | 0xffcf_fffb); // mov psr.l = r9
    assert_eq!(psr_after(0x021_6801_2000, 0), 1 << 44);
}

#[test]
fn moves_from_the_psr_include_the_bits_of_the_unit() {
    let prepared = |raw: u64, cpl: u8| {
        let mut core: Core = in_front_of(M, raw, 0);
        core.psr |= 0x18_0000_2002;
        core.set_monitor_bits(MonitorBits { up: true, sp: true, pp: true });
        core.set_cpl(cpl);
        core
    };
    // mov r8 = psr reads bits 31:0, 35 and 36; above level 0 it faults.
    let mut core = prepared(0x021_2800_0200, 0);
    step(&mut core);
    assert_eq!(core.general(8), 0x18_0030_2006);
    assert_eq!(core.psr(), 1 << 44 | 0x18_0030_2006);
    assert_eq!(prepared(0x021_2800_0200, 1).step().unwrap_err().kind, FaultKind::PrivilegedOperation);
    // mov r8 = psr.um reads bits 5:1 at every level.
    let mut core = prepared(0x021_0800_0200, 3);
    step(&mut core);
    assert_eq!(core.general(8), 6);
}

#[test]
fn control_registers_are_those_of_level_0() {
    // mov cr.iva = r9; mov r8 = cr.iip
    let mut core = with(M, 0x021_6021_2000, &[(9, 0x8000)]);
    step(&mut core);
    assert_eq!(core.control(2), 0x8000);
    let mut core = in_front_of(M, 0x021_2130_0200, 0);
    core.registers.control[19] = 0x4440;
    step(&mut core);
    assert_eq!(core.general(8), 0x4440);
    for raw in [0x021_6021_2000, 0x021_2130_0200] {
        let mut core = with(M, raw, &[(9, 0x8000)]);
        core.set_cpl(3);
        assert_eq!(core.step().unwrap_err().kind, FaultKind::PrivilegedOperation);
    }
}

#[test]
fn control_registers_that_cannot_be_accessed() {
    // mov cr[n] = r9; mov r8 = cr[n]
    let access = |write: bool, number: u64, psr: u64| {
        let raw = if write { 0x021_6001_2000 } else { 0x021_2000_0200 };
        let mut core = in_front_of(M, raw | number << 20, 0);
        core.psr = psr;
        core.step().map_err(|fault| fault.kind)
    };
    for number in [2, 16, 17, 19, 20, 21, 22, 23, 24, 25, 64, 66, 67, 73] {
        assert!(access(false, number, 0).is_ok() && access(true, number, 0).is_ok(), "cr[{number}]");
    }
    // cr.ivr is read-only. cr.itm, cr.pta, cr.irr0, cr.itv, and the reserved cr[3], cr[18] and cr[26].
    assert!(access(false, 65, 0).is_ok());
    assert!(matches!(access(true, 65, 0), Err(FaultKind::IllegalOperation(_))));
    for number in [1, 8, 68, 72, 3, 18, 26] {
        assert!(matches!(access(false, number, 0), Err(FaultKind::Lacking(_))), "cr[{number}]");
        assert!(matches!(access(true, number, 0), Err(FaultKind::Lacking(_))), "cr[{number}]");
    }
    // While PSR.ic is 1, the registers of an interruption are not accessed.
    for (number, legal) in [(2, true), (16, false), (17, false), (19, false), (25, false), (65, true), (73, true)] {
        assert_eq!(access(false, number, 1 << 13).is_ok(), legal, "cr[{number}]");
    }
}

#[test]
fn banks_of_registers() {
    // bsw.0, in bank 1
    let mut core = with(B, 0x000_6000_0000, &[(15, 1), (16, 2), (31, 3)]);
    step(&mut core);
    assert_eq!([15, 16, 31].map(|number| core.general(number)), [1, 0, 0]);
    core.set_general(16, 7).expect("a register that can be written");
    // bsw.1, twice
    for _ in 0..2 {
        let mut back = in_front_of(B, 0x000_6800_0000, 0);
        (back.registers, back.psr) = (core.registers.clone(), core.psr);
        step(&mut back);
        assert_eq!([16, 31].map(|number| back.general(number)), [2, 3]);
        core = back;
    }
    let mut user = in_front_of(B, 0x000_6000_0000, 0);
    user.set_cpl(3);
    assert_eq!(user.step().unwrap_err().kind, FaultKind::PrivilegedOperation);
}

#[test]
fn epc_raises_the_level_if_ppl_allows() {
    for (cpl, ppl, allowed) in [(3, 3, true), (3, 2, false), (0, 0, true), (1, 3, true)] {
        let mut core = in_front_of(B, 0x000_8000_0000, 0);
        core.set_cpl(cpl);
        core.registers.pfs = ppl << 62;
        match core.step() {
            Ok(retired) => assert!(allowed && !retired.branch && core.cpl() == 0),
            Err(fault) => assert!(!allowed && matches!(fault.kind, FaultKind::IllegalOperation(_)), "{fault}"),
        }
    }
}

#[test]
fn instructions_of_another_unit_are_refused() {
    // ldfd f8 = [r9] in I; popcnt r8 = r9 in M; add r8 = r9, r10 in B.
    for (unit, raw) in [(I, 0x0c0_c090_0200), (M, 0x0e6_9090_0200), (B, 0x100_00a1_2200)] {
        assert_eq!(in_front_of(unit, raw, 0).step().unwrap_err().kind, FaultKind::Unknown);
    }
}
