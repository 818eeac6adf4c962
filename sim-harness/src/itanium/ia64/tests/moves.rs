//! Moves from and to application, branch and predicate registers, and long immediates.

use super::super::FaultKind;
use super::super::Unit::{I, M, X};
use super::machine::{CODE, in_front_of, step, with};

#[test]
fn long_immediates() {
    for (text, raw, upper, value) in [
        ("movl r8 = 0x8123456789abcdef", 0x0dc_daed_e200, 0x004_8d15_9e26, 0x8123_4567_89ab_cdef),
        ("movl r8 = -2", 0x0df_ffef_c200, 0x1ff_ffff_ffff, -2i64 as u64),
        ("movl r8 = 0x200000", 0x0c0_0020_0200, 0, 0x20_0000),
    ] {
        let mut core = in_front_of(X, raw, upper);
        let retired = step(&mut core);
        assert_eq!(core.general(8), value, "{text}");
        assert_eq!((retired.slot, retired.unit, retired.branch), (2, X, false));
    }
}

#[test]
fn application_registers_keep_what_is_written() {
    // Write from r9, read to r8: ar.k3, ar.ccv, ar.lc, ar.pfs.
    for (unit, write, read) in [
        (M, 0x021_5031_2000, 0x021_1030_0200),
        (M, 0x021_5201_2000, 0x021_1200_0200),
        (I, 0x001_5411_2000, 0x001_9410_0200),
        (I, 0x001_5401_2000, 0x001_9400_0200),
    ] {
        let mut core = with(unit, write, &[(9, 0x1234_5678_9abc)]);
        step(&mut core);
        let mut reader = in_front_of(unit, read, 0);
        reader.registers = core.registers;
        step(&mut reader);
        assert_eq!(reader.general(8), 0x1234_5678_9abc, "{write:#x}");
    }
    // mov.m ar.ccv = -1, mov.i ar.lc = 5, mov ar.ec = r9 with more than 6 bits
    let mut core = in_front_of(M, 0x011_420f_e000, 0);
    step(&mut core);
    assert_eq!(core.registers.ccv, u64::MAX);
    let mut core = in_front_of(I, 0x000_5410_a000, 0);
    step(&mut core);
    assert_eq!(core.registers.lc, 5);
    let mut core = with(I, 0x001_5421_2000, &[(9, 0x7f)]);
    step(&mut core);
    assert_eq!(core.registers.ec, 0x3f);
}

#[test]
fn the_kernel_registers_are_written_at_level_0_alone() {
    // mov ar.k3 = r9
    let mut core = with(M, 0x021_5031_2000, &[(9, 1)]);
    core.set_cpl(1);
    assert_eq!(core.step().unwrap_err().kind, FaultKind::PrivilegedRegister);
    assert_eq!(core.registers.kernel[3], 0);
    // mov r8 = ar.k3
    let mut core = in_front_of(M, 0x021_1030_0200, 0);
    core.registers.kernel[3] = 6;
    core.set_cpl(3);
    step(&mut core);
    assert_eq!(core.general(8), 6);
}

#[test]
fn branch_registers_and_the_instruction_pointer() {
    // mov b3 = r9; mov r8 = b3; mov r8 = ip
    let mut core = with(I, 0x00e_0011_20c0, &[(9, 0x1239)]);
    step(&mut core);
    assert_eq!(core.registers.branch[3], 0x1239);
    let mut core = in_front_of(I, 0x001_8800_6200, 0);
    core.registers.branch[3] = 77;
    step(&mut core);
    assert_eq!(core.general(8), 77);
    let mut core = in_front_of(I, 0x001_8000_0200, 0);
    step(&mut core);
    assert_eq!(core.general(8), CODE);
}

#[test]
fn predicate_registers() {
    // mov r8 = pr
    let mut core = in_front_of(I, 0x001_9800_0200, 0);
    core.registers.set_predicate(6, true);
    core.registers.set_predicate(63, true);
    step(&mut core);
    assert_eq!(core.general(8), 1 << 63 | 1 << 6 | 1);
    // mov pr = r9, with the masks -1, 1feH and -65536; of 0, of ones. The predicates were 2.
    for (raw, zeros, ones) in
        [(0x016_ff01_3fc0, 1, u64::MAX), (0x006_0101_3fc0, 1, 0x1ff), (0x016_0001_2000, 3, 0xffff_ffff_ffff_0003)]
    {
        for (r9, result) in [(0, zeros), (u64::MAX, ones)] {
            let mut core = with(I, raw, &[(9, r9)]);
            core.registers.set_predicates(2, u64::MAX);
            step(&mut core);
            assert_eq!(core.registers.predicates(), result, "{raw:#x} of {r9:#x}");
        }
    }
    // mov pr.rot = 1 << 16
    let mut core = in_front_of(I, 0x004_0000_0040, 0);
    core.registers.set_predicates(u64::MAX, u64::MAX);
    step(&mut core);
    assert_eq!(core.registers.predicates(), 0x1_ffff);
    // mov pr.rot = 1 << 43, whose sign is that of p44 to p63.
    let mut core = in_front_of(I, 0x014_0000_0000, 0);
    step(&mut core);
    assert_eq!(core.registers.predicates(), 0xffff_f800_0000_0001);
}
