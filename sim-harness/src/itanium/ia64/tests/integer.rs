//! Arithmetic, logic, shifts and fields.

use super::super::Unit::{self, I, M};
use super::machine::{step, with};

/// Assembly, unit, encoding, r9, r10, and r8 afterwards, which was 99.
type Row = (&'static str, Unit, u64, u64, u64, u64);

const ARITHMETIC: [Row; 25] = [
    ("addp4 r8 = 8191, r10", M, 0x10d_f8af_e200, 0, 0xffff_ffff, 0x6000_0000_0000_1ffe),
    ("addl r8 = 0x12345, r1", M, 0x122_3058_a200, 0, 0, 0x1_2345),
    ("add r8 = r9, r10", M, 0x100_00a1_2200, 40, 2, 42),
    ("add r8 = r9, r10, 1", I, 0x100_08a1_2200, 40, 2, 43),
    ("sub r8 = r9, r10", I, 0x100_28a1_2200, 2, 3, u64::MAX),
    ("sub r8 = r9, r10, 1", M, 0x100_20a1_2200, 2, 3, 0xffff_ffff_ffff_fffe),
    ("sub r8 = -128, r10", M, 0x111_28a0_0200, 0, 2, 0xffff_ffff_ffff_ff7e),
    ("addp4 r8 = r9, r10", M, 0x100_40a1_2200, 0x1_0000_0010, 0xc000_0004, 0x6000_0000_c000_0014),
    ("addp4 r8 = -4, r10", I, 0x11d_f8af_8200, 0, 0x4000_0000, 0x2000_0000_3fff_fffc),
    ("and r8 = r9, r10", M, 0x100_60a1_2200, 0b1100, 0b1010, 0b1000),
    ("andcm r8 = r9, r10", I, 0x100_68a1_2200, 0b1100, 0b1010, 0b0100),
    ("or r8 = r9, r10", M, 0x100_70a1_2200, 0b1100, 0b1010, 0b1110),
    ("xor r8 = r9, r10", I, 0x100_78a1_2200, 0b1100, 0b1010, 0b0110),
    ("and r8 = -8, r10", M, 0x111_60af_0200, 0, 0x123f, 0x1238),
    ("andcm r8 = 0x7f, r10", I, 0x101_68af_e200, 0, 15, 0x70),
    ("or r8 = -128, r10", M, 0x111_70a0_0200, 0, 1, 0xffff_ffff_ffff_ff81),
    ("xor r8 = 0x55, r10", I, 0x101_78aa_a200, 0, 255, 170),
    ("shladd r8 = r9, 1, r10", M, 0x100_80a1_2200, 5, 1, 11),
    ("shladd r8 = r9, 4, r10", I, 0x100_98a1_2200, 5, 1, 81),
    ("shladdp4 r8 = r9, 2, r10", M, 0x100_c8a1_2200, 0x4000_0001, 0x8000_0000, 0x4000_0000_8000_0004),
    ("adds r8 = 8191, r10", I, 0x109_f8af_e200, 0, 1, 8192),
    ("adds r8 = -8192, r10", M, 0x118_00a0_0200, 0, 0, 0xffff_ffff_ffff_e000),
    ("addl r8 = 0x1fffff, r3", M, 0x12f_ffff_e200, 0, 0, 0x1f_ffff),
    ("addl r8 = -0x200000, r3", I, 0x130_0030_0200, 0, 0, 0xffff_ffff_ffe0_0000),
    ("mov r8 = r9", I, 0x108_0090_0200, 7, 0, 7),
];
const SHIFTS: [Row; 34] = [
    ("dep r8 = r9, r10, 9, 3", I, 0x09b_10a1_2200, 0b1101, 0xffff, 0xfbff),
    ("dep r8 = r9, r10, 0, 1", I, 0x09f_80a1_2200, 0b10, 0xff, 0xfe),
    ("dep.z r8 = r9, 63, 1", I, 0x0a6_0001_2200, 3, 0, 0x8000_0000_0000_0000),
    ("extr.u r8 = r9, 33, 3", I, 0x0a4_1098_4200, 0x1d_0000_0000, 0, 6),
    ("dep r8 = -1, r10, 33, 5", I, 0x0be_20a7_8200, 0, 1, 0x3e_0000_0001),
    ("shrp r8 = r9, r10, 63", I, 0x0ad_f8a1_2200, 3, 0x8000_0000_0000_0000, 7),
    ("shr r8 = r9, r10", I, 0x0f2_2091_4200, 0xffff_ffff_ffff_fff0, 2, 0xffff_ffff_ffff_fffc),
    ("shr r8 = r9, r10", I, 0x0f2_2091_4200, 0x8000_0000_0000_0000, 64, u64::MAX),
    ("shr.u r8 = r9, r10", I, 0x0f2_0091_4200, 0x8000_0000_0000_0000, 63, 1),
    ("shr.u r8 = r9, r10", I, 0x0f2_0091_4200, 0x8000_0000_0000_0000, 64, 0),
    ("shl r8 = r9, r10", I, 0x0f2_40a1_2200, 3, 62, 0xc000_0000_0000_0000),
    ("shl r8 = r9, r10", I, 0x0f2_40a1_2200, 3, 0x1_0000_0000, 0),
    ("extr r8 = r9, 4, 8", I, 0x0a4_3891_2200, 0xff0, 0, u64::MAX),
    ("extr.u r8 = r9, 4, 8", I, 0x0a4_3891_0200, 0x1ff0, 0, 0xff),
    ("extr r8 = r9, 60, 8", I, 0x0a4_389f_2200, 0x7000_0000_0000_0000, 0, 7),
    ("extr r8 = r9, 60, 8", I, 0x0a4_389f_2200, 0x8000_0000_0000_0000, 0, 0xffff_ffff_ffff_fff8),
    ("extr.u r8 = r9, 0, 64", I, 0x0a5_f890_0200, u64::MAX, 0, u64::MAX),
    ("shr r8 = r9, 63", I, 0x0a4_009f_e200, 0x8000_0000_0000_0000, 0, u64::MAX),
    ("dep r8 = r9, r10, 8, 16", I, 0x09b_f8a1_2200, 0x1_2345, 0x1111_1111, 0x1123_4511),
    ("dep.z r8 = r9, 4, 60", I, 0x0a7_dbb1_2200, u64::MAX, 0, 0xffff_ffff_ffff_fff0),
    ("dep.z r8 = -1, 60, 8", I, 0x0b6_3c3f_e200, 0, 0, 0xf000_0000_0000_0000),
    ("dep.z r8 = 0x55, 8, 4", I, 0x0a6_1f7a_a200, 0, 0, 0x500),
    ("dep r8 = -1, r10, 0, 1", I, 0x0be_00af_c200, 0, 16, 17),
    ("dep r8 = 0, r10, 8, 56", I, 0x0af_b8ad_c200, 0, u64::MAX, 0xff),
    ("shl r8 = r9, 3", I, 0x0a7_e3c1_2200, 5, 0, 40),
    ("shrp r8 = r9, r10, 4", I, 0x0ac_20a1_2200, 0xabc, 16, 0xc000_0000_0000_0001),
    ("popcnt r8 = r9", I, 0x0e6_9090_0200, 0xff01, 0, 9),
    ("zxt1 r8 = r9", I, 0x000_8090_0200, 0x1ff, 0, 0xff),
    ("zxt2 r8 = r9", I, 0x000_8890_0200, 0x1_8000, 0, 0x8000),
    ("zxt4 r8 = r9", I, 0x000_9090_0200, 0xf_8000_0000, 0, 0x8000_0000),
    ("sxt1 r8 = r9", I, 0x000_a090_0200, 0x180, 0, 0xffff_ffff_ffff_ff80),
    ("sxt2 r8 = r9", I, 0x000_a890_0200, 0x7fff, 0, 0x7fff),
    ("sxt4 r8 = r9", I, 0x000_b090_0200, 0x8000_0000, 0, 0xffff_ffff_8000_0000),
    ("(p6) add r8 = r9, r10", I, 0x100_00a1_2206, 1, 2, 99),
];

#[test]
fn results_are_those_computed_by_hand() {
    for (text, unit, raw, r9, r10, result) in ARITHMETIC.into_iter().chain(SHIFTS) {
        let mut core = with(unit, raw, &[(8, 99), (9, r9), (10, r10)]);
        let retired = step(&mut core);
        assert_eq!(core.general(8), result, "{text}");
        assert_eq!((core.general(9), core.general(10)), (r9, r10), "{text}");
        assert_eq!((retired.off, retired.branch, retired.access), (text.starts_with('('), false, None), "{text}");
        assert_eq!(retired.unit, unit, "{text}");
    }
}

#[test]
fn addl_adds_to_one_of_four_registers() {
    // addl r8 = 5, r1; r2; r3
    for (raw, result) in [(0x120_0010_a200, 15), (0x120_0020_a200, 25), (0x120_0030_a200, 35)] {
        let mut core = with(M, raw, &[(1, 10), (2, 20), (3, 30)]);
        step(&mut core);
        assert_eq!(core.general(8), result);
    }
}
