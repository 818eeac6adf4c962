//! Branches.

use super::super::Unit::{self, B, X};
use super::super::{Core, FaultKind, Place, Retired};
use super::machine::{CODE, in_front_of, step};

const BEHIND: Place = Place { ip: CODE + 16, slot: 0 };

fn to(ip: u64) -> Place {
    Place { ip, slot: 0 }
}

/// Executes a branch in a core that `prepare` has changed.
fn branch(unit: Unit, raw: u64, upper: u64, prepare: impl FnOnce(&mut Core)) -> (Core, Retired) {
    let mut core = in_front_of(unit, raw, upper);
    prepare(&mut core);
    let retired = step(&mut core);
    assert!(retired.branch);
    assert_eq!(retired.next, core.place());
    (core, retired)
}

#[test]
fn conditional() {
    // br.cond.sptk . - 0x1000
    let (_, retired) = branch(B, 0x091_ffe0_0000, 0, |_| ());
    assert_eq!((retired.next, retired.taken, retired.off), (to(CODE - 0x1000), true, false));
    // (p6) br.cond.spnt . - 0x90
    let (_, retired) = branch(B, 0x093_fffe_e006, 0, |_| ());
    assert_eq!((retired.next, retired.taken, retired.off), (BEHIND, false, true));
    let (_, retired) = branch(B, 0x093_fffe_e006, 0, |core| core.registers.set_predicate(6, true));
    assert_eq!((retired.next, retired.taken, retired.off), (to(CODE - 0x90), true, false));
    // br.cond.sptk.many b6; bits 3:0 of the register are ignored.
    let (_, retired) = branch(B, 0x001_0000_d000, 0, |core| core.registers.branch[6] = 0x567f);
    assert_eq!(retired.next, to(0x5670));
}

#[test]
fn long() {
    // brl.cond.sptk . + 0x3fffffffffffff90
    let (_, retired) = branch(X, 0x181_ffff_2000, 0x0ff_ffff_fffc, |_| ());
    assert_eq!((retired.next, retired.slot), (to(0x4000_0000_0000_0f90), 2));
    // brl.call.sptk b2 = . - 0x90
    let (core, retired) = branch(X, 0x1b1_fffe_e080, 0x1ff_ffff_fffc, |_| ());
    assert_eq!((retired.next, core.registers.branch[2]), (to(CODE - 0x90), CODE + 16));
}

#[test]
fn counted_loop() {
    // br.cloop.sptk . - 0x20
    for (lc, next, after) in [(2, to(CODE - 0x20), 1), (1, to(CODE - 0x20), 0), (0, BEHIND, 0)] {
        let (core, retired) = branch(B, 0x091_ffff_c140, 0, |core| core.registers.lc = lc);
        assert_eq!((retired.next, core.registers.lc), (next, after), "ar.lc = {lc}");
        assert_eq!((retired.taken, retired.off), (lc != 0, false));
    }
}

#[test]
fn loop_branches_in_other_slots_or_with_predicates_are_illegal() {
    // (p6) br.cloop.sptk . - 0x20, which the assembler refuses.
    let fault = in_front_of(B, 0x091_ffff_c146, 0).step().unwrap_err();
    assert!(matches!(fault.kind, FaultKind::IllegalOperation(_)), "{fault}");
}

/// Registers before and after a branch of a pipelined loop: ar.lc, ar.ec.
type Counts = (u64, u8);

fn pipelined(raw: u64, qp: bool, counts: Counts) -> (bool, Counts, bool, u8) {
    let (core, retired) = branch(B, raw, 0, |core| {
        (core.registers.lc, core.registers.ec) = counts;
        core.registers.set_predicate(16, qp);
    });
    assert!(!retired.off);
    let registers = &core.registers;
    (retired.taken, (registers.lc, registers.ec), core.predicate(16), registers.frame().rrb_predicate)
}

#[test]
fn pipelined_counted_loop() {
    let ctop = |counts| pipelined(0x091_ffff_a1c0, false, counts);
    let cexit = |counts| pipelined(0x091_ffff_8180, false, counts);
    // Taken, counts, p16 and the base of rotation afterwards: 47 is one rotation.
    assert_eq!(ctop((2, 3)), (true, (1, 3), true, 47));
    assert_eq!(ctop((0, 2)), (true, (0, 1), false, 47));
    assert_eq!(ctop((0, 1)), (false, (0, 0), false, 47));
    // Without a rotation p63 is cleared, and p16 stays 0.
    assert_eq!(ctop((0, 0)), (false, (0, 0), false, 0));
    assert_eq!(cexit((2, 3)), (false, (1, 3), true, 47));
    assert_eq!(cexit((0, 2)), (false, (0, 1), false, 47));
    assert_eq!(cexit((0, 1)), (true, (0, 0), false, 47));
    assert_eq!(cexit((0, 0)), (true, (0, 0), false, 0));
}

#[test]
fn pipelined_while_loop() {
    // The qualifying predicate, p16, is the condition; ar.lc is not looked at.
    let wtop = |qp, counts| pipelined(0x091_ffff_60d0, qp, counts);
    let wexit = |qp, counts| pipelined(0x091_ffff_4090, qp, counts);
    assert_eq!(wtop(true, (7, 1)), (true, (7, 1), false, 47));
    assert_eq!(wtop(false, (7, 2)), (true, (7, 1), false, 47));
    assert_eq!(wtop(false, (7, 1)), (false, (7, 0), false, 47));
    assert_eq!(wexit(true, (7, 1)), (false, (7, 1), false, 47));
    assert_eq!(wexit(false, (7, 2)), (false, (7, 1), false, 47));
    assert_eq!(wexit(false, (7, 0)), (true, (7, 0), false, 0));
}
