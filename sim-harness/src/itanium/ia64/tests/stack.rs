//! The register stack and rotation.

use super::super::Unit::{B, M};
use super::super::frame::Frame;
use super::super::{Core, FaultKind, Place};
use super::machine::{CODE, in_front_of, step};

/// alloc r34 = ar.pfs, 2, 3, 3, 0
const ALLOC: u64 = 0x02c_0051_0880;

fn set_frame(core: &mut Core, sof: u8, sol: u8, sor: u8) {
    core.registers.set_frame(Frame { sof, sol, sor, ..Frame::default() });
}

#[test]
fn alloc_makes_a_frame_and_saves_the_old_one() {
    let mut core = in_front_of(M, ALLOC, 0);
    core.registers.pfs = 0x1234;
    step(&mut core);
    let frame = core.registers.frame();
    assert_eq!((frame.sof, frame.sol, frame.sor), (8, 5, 0));
    assert_eq!(core.general(34), 0x1234);
    assert_eq!(core.set_general(39, 1), Ok(()));
    assert!(core.set_general(40, 1).is_err());
}

#[test]
fn alloc_of_the_largest_frame() {
    // alloc r2 = ar.pfs, 0, 96, 0, 96
    let mut core = in_front_of(M, 0x02c_660c_0080, 0);
    step(&mut core);
    assert_eq!(core.registers.frame(), Frame { sof: 96, sol: 96, sor: 12, ..Frame::default() });
    assert_eq!(core.set_general(127, 5), Ok(()));
    assert_eq!(core.general(127), 5);
}

#[test]
fn alloc_into_a_register_outside_the_stack() {
    // alloc r31 = ar.pfs, 0, 0, 0, 0
    let mut core = in_front_of(M, 0x02c_0000_07c0, 0);
    core.registers.pfs = 6;
    step(&mut core);
    assert_eq!(core.general(31), 6);
}

#[test]
fn the_layout_of_a_frame_marker() {
    let frame = Frame { sof: 80, sol: 70, sor: 9, rrb_general: 65, rrb_float: 90, rrb_predicate: 43 };
    let bits = 43 << 32 | 90 << 25 | 65 << 18 | 9 << 14 | 70 << 7 | 80;
    assert_eq!(frame.bits(), bits);
    assert_eq!(Frame::from_bits(bits | 0xff << 38), frame);
}

#[test]
fn alloc_refuses_frames_that_do_not_exist() {
    // Frames of 97 registers, of 8 with 9 locals, and of 8 with 16 that rotate; a target outside the frame.
    for raw in [
        0x02c_0000_0880 | 97 << 13 | 5 << 20,
        0x02c_0000_0880 | 8 << 13 | 9 << 20,
        0x02c_0000_0880 | 8 << 13 | 8 << 20 | 2 << 27,
        0x02c_0000_0880 | 2 << 13 | 2 << 20,
    ] {
        let fault = in_front_of(M, raw, 0).step().unwrap_err();
        assert!(matches!(fault.kind, FaultKind::IllegalOperation(_)), "{fault}");
    }
}

#[test]
fn a_call_passes_the_outputs_and_a_return_restores_the_frame() {
    // br.call.sptk.many b0 = b6
    let mut core = in_front_of(B, 0x021_0000_d000, 0);
    set_frame(&mut core, 8, 5, 0);
    for number in 32..40 {
        core.set_general(number, u64::from(number)).expect("a register of the frame");
    }
    core.registers.ec = 9;
    core.set_cpl(2);
    core.registers.branch[6] = CODE;
    step(&mut core);
    // The callee sees the outputs r37 to r39 as r32 to r34.
    assert_eq!([32, 33, 34, 35].map(|number| core.general(number)), [37, 38, 39, 0]);
    let frame = core.registers.frame();
    assert_eq!((frame.sof, frame.sol), (3, 0));
    assert_eq!(core.registers.branch[0], CODE + 16);
    // ppl 2 in bits 63:62, pec 9 in 57:52, sol 5 in 13:7, sof 8 in 6:0.
    assert_eq!(core.registers.pfs, 2 << 62 | 9 << 52 | 5 << 7 | 8);

    // br.ret.sptk.many b0, with another ar.ec and a higher level, which falls to ppl.
    let mut back = in_front_of(B, 0x001_0800_1100, 0);
    back.registers = core.registers.clone();
    back.set_general(32, 99).expect("a register of the frame");
    back.registers.ec = 1;
    let retired = step(&mut back);
    assert_eq!((retired.taken, retired.next), (true, Place { ip: CODE + 16, slot: 0 }));
    assert_eq!([32, 36, 37, 39].map(|number| back.general(number)), [32, 36, 99, 39]);
    assert_eq!((back.registers.ec, back.cpl()), (9, 2));
}

#[test]
fn a_return_does_not_raise_the_level() {
    // br.ret.sptk.many b0 at level 3 with ar.pfs.ppl = 1
    let mut core = in_front_of(B, 0x001_0800_1100, 0);
    core.registers.pfs = 1 << 62;
    core.set_cpl(3);
    step(&mut core);
    assert_eq!(core.cpl(), 3);
}

#[test]
fn registers_in_front_of_the_first_frame_are_refused() {
    // br.ret.sptk.many b0 with a frame of 5 locals that no call has left
    let mut core = in_front_of(B, 0x001_0800_1100, 0);
    core.registers.pfs = 5 << 7 | 8;
    let fault = core.step().unwrap_err();
    assert!(matches!(fault.kind, FaultKind::Lacking(_)), "{fault}");
}

#[test]
fn rotation_renames_the_registers_of_each_file() {
    // br.ctop.sptk . - 0x30: r32, f32 and p16 are r33, f33 and p17 afterwards.
    let mut core = in_front_of(B, 0x091_ffff_a1c0, 0);
    set_frame(&mut core, 10, 8, 1);
    core.set_general(32, 5).expect("a register of the frame");
    core.set_general(39, 6).expect("a register of the frame");
    core.set_general(40, 7).expect("a register of the frame");
    let two = super::super::float_format::Float::of_double(2.0);
    core.registers.set_float(32, two).expect("a register that can be written");
    core.registers.set_predicate(16, true);
    core.registers.lc = 1;
    step(&mut core);
    assert_eq!([32, 33, 40].map(|number| core.general(number)), [6, 5, 7]);
    assert_eq!(core.registers.float(33), two);
    assert!(core.predicate(17) && core.predicate(16) && !core.predicate(18));
    // f31 and p15 do not rotate.
    assert_eq!((core.registers.frame().float(31), core.registers.frame().predicate(15)), (31, 15));
}

#[test]
fn clrrrb_ends_the_renaming() {
    let rotated = Frame { sof: 8, sol: 8, sor: 1, rrb_general: 7, rrb_float: 95, rrb_predicate: 47 };
    // clrrrb, clrrrb.pr
    for (raw, frame) in [
        (0x000_2000_0000, Frame { rrb_general: 0, rrb_float: 0, rrb_predicate: 0, ..rotated }),
        (0x000_2800_0000, Frame { rrb_predicate: 0, ..rotated }),
    ] {
        let mut core = in_front_of(B, raw, 0);
        core.registers.set_frame(rotated);
        step(&mut core);
        assert_eq!(core.registers.frame(), frame);
    }
}

#[test]
fn alloc_with_another_rotating_part_needs_bases_of_zero() {
    let mut core = in_front_of(M, ALLOC, 0);
    core.registers.set_frame(Frame { sof: 8, sol: 8, sor: 1, rrb_predicate: 1, ..Frame::default() });
    assert_eq!(core.step().unwrap_err().kind, FaultKind::ReservedRegister);
}

#[test]
fn frames_that_do_not_exist_are_not_returned_to() {
    let legal = Frame { sof: 96, sol: 96, sor: 12, rrb_general: 95, rrb_float: 95, rrb_predicate: 47 };
    for (frame, returns) in [
        (Frame { sol: 0, ..legal }, true),
        (Frame { sof: 97, sol: 0, ..legal }, false),
        (Frame { sof: 96, sol: 0, rrb_general: 96, ..legal }, false),
        (Frame { sof: 95, sol: 0, ..legal }, false),
        (Frame { sof: 8, sol: 9, ..Frame::default() }, false),
        (Frame { sol: 0, rrb_float: 96, ..legal }, false),
        (Frame { sol: 0, rrb_predicate: 48, ..legal }, false),
        (Frame { sof: 8, rrb_general: 1, ..Frame::default() }, false),
    ] {
        // br.ret.sptk.many b0
        let mut core = in_front_of(B, 0x001_0800_1100, 0);
        core.registers.pfs = frame.bits();
        assert_eq!(core.step().is_ok(), returns, "{frame:?}");
    }
}
