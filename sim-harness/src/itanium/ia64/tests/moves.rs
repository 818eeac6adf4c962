//! Moves from and to application, branch and predicate registers, and long immediates.

use super::super::FaultKind;
use super::super::Unit::{self, I, M, X};
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

/// Writes an application register by r9 and reads it into r8.
fn written(unit: Unit, number: u64, r9: u64) -> Result<u64, FaultKind> {
    let (write, read) = if unit == M { (0x021_5001_2000, 0x021_1000_0200) } else { (0x001_5401_2000, 0x001_9400_0200) };
    let base = if unit == M { 0 } else { 64 };
    let mut core = with(unit, write | (number - base) << 20, &[(9, r9)]);
    core.step().map_err(|fault| fault.kind)?;
    let mut reader = in_front_of(unit, read | (number - base) << 20, 0);
    reader.registers = core.registers;
    step(&mut reader);
    Ok(reader.general(8))
}

#[test]
fn application_registers_keep_what_is_written() {
    let value = 0x1234_5678_9abc;
    // ar.k0 to ar.k7, ar.rsc, ar.ccv, ar.unat, ar.fpsr by an M unit; ar.pfs, ar.lc by an I unit.
    for (unit, range, has) in [(M, 0..48, &[0, 1, 2, 3, 4, 5, 6, 7, 16, 32, 36, 40][..]), (I, 64..112, &[64, 65][..])] {
        for number in range.filter(|number| *number != 66) {
            let expected = if has.contains(&number) { Ok(value) } else { Err(()) };
            let result = written(unit, number, value);
            assert!(!matches!(result, Err(kind) if !matches!(kind, FaultKind::Lacking(_))), "ar[{number}]");
            assert_eq!(result.map_err(|_| ()), expected, "ar[{number}]");
        }
    }
    // ar.ec has 6 bits.
    assert_eq!(written(I, 66, 0xff), Ok(0x3f));
    // An M unit does not have ar.pfs, nor an I unit ar.k0: the fields hold 64 and 0.
    assert_eq!(with(M, 0x021_5001_2000 | 64 << 20, &[]).step().unwrap_err().kind, FaultKind::Unknown);
    assert_eq!(with(I, 0x001_5001_2000, &[]).step().unwrap_err().kind, FaultKind::Unknown);
    // mov.m ar.ccv = -1, mov.i ar.lc = 5
    let mut core = in_front_of(M, 0x011_420f_e000, 0);
    step(&mut core);
    assert_eq!(core.registers.ccv, u64::MAX);
    let mut core = in_front_of(I, 0x000_5410_a000, 0);
    step(&mut core);
    assert_eq!(core.registers.lc, 5);
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
