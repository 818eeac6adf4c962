//! Interruptions and the return from them.

use super::super::Unit::{B, M, X};
use super::super::frame::Frame;
use super::super::{Answer, Core, FaultKind, MonitorBits, Place, Request, Vector};
use super::machine::{CODE, DATA, in_front_of, step, with};

const IPSR: u8 = 16;
const ISR: u8 = 17;
const IIP: u8 = 19;
const IFA: u8 = 20;
const IIPA: u8 = 22;
const IFS: u8 = 23;
const IIM: u8 = 24;
const IVR: u8 = 65;
/// PSR.ic, PSR.i, PSR.bn, PSR.it, PSR.ac.
const ON: u64 = 1 << 13 | 1 << 14 | 1 << 44 | 1 << 36 | 1 << 3;

/// Changes a core to collect interruptions, with handlers from 8000H on.
fn collecting(mut core: Core) -> Core {
    core.registers.control[2] = 0x8000;
    core.psr = ON;
    core.set_cpl(3);
    core.set_monitor_bits(MonitorBits { up: true, sp: false, pp: true });
    core
}

#[test]
fn a_break_enters_its_handler() {
    // break.b 0x100002 in slot 2
    let mut core = collecting(with(B, 0x010_0000_0080, &[(16, 5)]));
    let fault = core.step().unwrap_err();
    assert_eq!(core.deliver(&fault), Some(Vector::Break));
    assert_eq!(core.place(), Place { ip: 0x8000 + 0x2c00, slot: 0 });
    assert_eq!([IIP, IIPA, IIM, IFS].map(|number| core.control(number)), [CODE, CODE, 0x10_0002, 0]);
    // up, pp, cpl 3, ri 2 and the bits of the core; ISR.ei.
    assert_eq!(core.control(IPSR), ON | 1 << 2 | 1 << 21 | 3 << 32 | 2 << 41);
    assert_eq!(core.control(ISR), 2 << 41);
    // PSR.it stays, as do up and pp, which the unit changes; bank 0.
    assert_eq!((core.psr(), core.cpl()), (1 << 36 | 1 << 2 | 1 << 21, 0));
    assert_eq!(core.general(16), 0);
    assert!(!core.accepts_interrupts());
}

#[test]
fn an_interruption_clears_the_psr_but_for_some_bits() {
    // mfl, mfh, pk, dt, rt, mc and it are kept.
    for bit in 0..64 {
        let mut core = in_front_of(B, 0x040_0000_0000, 0);
        core.psr |= 1 << bit;
        core.interrupt(0);
        let kept = matches!(bit, 4 | 5 | 15 | 17 | 27 | 35 | 36);
        assert_eq!(core.psr(), if kept { 1 << bit } else { 0 }, "bit {bit}");
    }
}

#[test]
fn a_core_starts_at_level_0_with_interruptions_off() {
    let core = in_front_of(M, 0x000_0800_0000, 0);
    assert_eq!((core.psr(), core.cpl(), core.place()), (1 << 44, 0, Place { ip: CODE, slot: 0 }));
    let registers = &core.registers;
    assert_eq!((registers.ccv, registers.lc, registers.ec, registers.pfs, registers.predicates()), (0, 0, 0, 0, 1));
    assert_eq!([0, 1].map(|number| core.float(number)), [0, 1f64.to_bits()]);
}

#[test]
fn an_external_interrupt_is_between_instructions() {
    let mut core = collecting(in_front_of(B, 0x040_0000_0000, 0));
    assert!(core.accepts_interrupts());
    step(&mut core);
    core.interrupt(0xef);
    assert_eq!(core.place(), Place { ip: 0x8000 + 0x3000, slot: 0 });
    assert_eq!([IIP, IIPA, IVR].map(|number| core.control(number)), [CODE + 16, CODE, 0xef]);
    assert_eq!(core.control(IPSR) >> 41 & 3, 0);
}

#[test]
fn an_instruction_with_a_request_is_the_last_one() {
    // sum 4, in a core that was elsewhere before
    let mut core = collecting(in_front_of(M, 0x000_2000_0100, 0));
    core.last = 0x4440;
    step(&mut core);
    core.answer(Answer::Done(0)).expect("an answer without a fault");
    core.interrupt(0);
    assert_eq!((core.control(IIPA), core.control(IPSR) >> 41 & 3), (CODE, 1));
}

#[test]
fn faults_leave_their_code_and_address() {
    // ld8 r8 = [r9], 255 of an address that is no multiple; add r0 = r9, r10; mov r8 = psr at level 3
    for (raw, vector, code, address) in [
        (0x0a0_c89f_e200, Vector::Unaligned, 0, DATA + 4),
        (0x100_00a1_2000, Vector::GeneralException, 0, 0),
        (0x021_2800_0200, Vector::GeneralException, 0x10, 0),
    ] {
        let mut core = collecting(with(M, raw, &[(9, DATA + 4)]));
        let fault = core.step().unwrap_err();
        assert_eq!(core.deliver(&fault), Some(vector));
        assert_eq!([ISR, IFA, IIP].map(|number| core.control(number)), [code, address, CODE]);
        assert_eq!(core.place().ip, 0x8000 + vector.offset());
    }
    assert_eq!((Vector::Unaligned.offset(), Vector::GeneralException.offset()), (0x5a00, 0x5400));
}

#[test]
fn an_interruption_in_a_handler_keeps_what_is_saved() {
    let mut core = collecting(in_front_of(B, 0x010_0000_0080, 0));
    core.psr = 0;
    core.registers.control[usize::from(IIP)] = 0x4440;
    core.registers.control[usize::from(IIM)] = 7;
    let fault = core.step().unwrap_err();
    core.deliver(&fault);
    assert_eq!([IIP, IPSR, IIM].map(|number| core.control(number)), [0x4440, 0, 7]);
}

/// Executes rfi, whose request is granted, to a place with PSR.ri.
fn rfi(core: &mut Core, iip: u64, ri: u64) -> Place {
    let ipsr = ON | 1 << 2 | 3 << 32 | ri << 41;
    core.registers.control[usize::from(IIP)] = iip;
    core.registers.control[usize::from(IPSR)] = ipsr;
    let retired = step(core);
    assert_eq!((retired.request, retired.branch, retired.taken), (Some(Request::Rfi(ipsr)), true, true));
    core.answer(Answer::Done(0)).expect("an answer without a fault");
    assert_eq!(core.place(), retired.next);
    core.place()
}

#[test]
fn rfi_restores_place_level_and_bank() {
    let mut core = in_front_of(B, 0x000_4000_0000, 0);
    core.psr = 0;
    core.set_general(16, 1).expect("a register that can be written");
    assert_eq!(rfi(&mut core, CODE, 1), Place { ip: CODE, slot: 1 });
    assert_eq!((core.psr(), core.cpl(), core.general(16)), (ON | 3 << 32, 3, 0));
}

#[test]
fn rfi_may_stay_in_bank_0() {
    let mut core = in_front_of(B, 0x000_4000_0000, 0);
    core.psr = 0;
    core.set_general(16, 1).expect("a register that can be written");
    core.registers.control[usize::from(IIP)] = CODE;
    step(&mut core);
    core.answer(Answer::Done(0)).expect("an answer without a fault");
    assert_eq!((core.psr(), core.general(16)), (0, 1));
}

#[test]
fn a_long_instruction_restarts_with_ri_1() {
    // break.x is in slot 2, and saved as 1.
    let mut core = collecting(in_front_of(X, 0x000_02aa_aa80, 0x155_5555_5555));
    let fault = core.step().unwrap_err();
    assert_eq!(fault.slot, 2);
    core.deliver(&fault);
    assert_eq!((core.control(IPSR) >> 41 & 3, core.control(ISR) >> 41 & 3), (1, 1));
    // rfi with 1 to a bundle MLX continues in slot 2. With 2 it faults there.
    let long = in_front_of(X, 0x0c0_0020_0200, 0).image().bundle(CODE).expect("the bundle");
    let back = in_front_of(B, 0x000_4000_0000, 0).image().bundle(CODE).expect("the bundle");
    let image = super::super::Image::of_bundles(CODE, &[back, long]);
    for (ri, slot) in [(0, 0), (1, 2), (2, 1)] {
        let mut core = Core::new(image.clone());
        core.step().expect("a nop");
        core.step().expect("a nop");
        assert_eq!(rfi(&mut core, CODE + 16, ri), Place { ip: CODE + 16, slot });
        assert_eq!(core.step().is_ok(), ri != 2);
    }
}

#[test]
fn rfi_above_level_0_is_refused_by_the_answer() {
    let mut core = in_front_of(B, 0x000_4000_0000, 0);
    core.set_cpl(3);
    step(&mut core);
    assert_eq!(core.answer(Answer::PrivilegedOperation).unwrap_err().kind, FaultKind::PrivilegedOperation);
    assert_eq!((core.place(), core.cpl()), (Place { ip: CODE, slot: 2 }, 3));
}

#[test]
fn cover_saves_the_frame_for_rfi() {
    let frame = Frame { sof: 8, sol: 5, ..Frame::default() };
    let mut core = in_front_of(B, 0x000_1000_0000, 0);
    core.registers.set_frame(frame);
    core.psr = 0;
    core.set_general(39, 6).expect("a register of the frame");
    step(&mut core);
    assert_eq!((core.registers.frame(), core.control(IFS)), (Frame::default(), 1 << 63 | 5 << 7 | 8));
    let mut back = in_front_of(B, 0x000_4000_0000, 0);
    back.registers = core.registers;
    rfi(&mut back, CODE, 0);
    assert_eq!((back.registers.frame(), back.general(39)), (frame, 6));
}

#[test]
fn rfi_to_a_frame_that_does_not_exist_is_illegal() {
    let mut core = in_front_of(B, 0x000_4000_0000, 0);
    core.registers.control[usize::from(IFS)] = 1 << 63 | 97;
    let psr = core.psr();
    step(&mut core);
    let fault = core.answer(Answer::Done(0)).unwrap_err();
    assert!(matches!(fault.kind, FaultKind::IllegalOperation(_)), "{fault}");
    assert_eq!((core.place(), core.psr()), (Place { ip: CODE, slot: 2 }, psr));
}
