//! Comparisons and tests of a bit.

use super::super::Unit::{self, I, M};
use super::super::{Core, FaultKind};
use super::machine::{step, with};

/// Assembly, unit, encoding, r9, r10, and p6 and p7 before and afterwards. p8 is 0.
type Row = (&'static str, Unit, u64, u64, u64, [bool; 2], [bool; 2]);

const COMPARISONS: [Row; 47] = [
    ("cmp.lt p6, p7 = r9, r10", M, 0x180_38a1_2180, u64::MAX, 0, [false, false], [true, false]),
    ("cmp.lt p6, p7 = r9, r10", I, 0x180_38a1_2180, 0, 0, [true, false], [false, true]),
    ("cmp.ltu p6, p7 = r9, r10", M, 0x1a0_38a1_2180, u64::MAX, 0, [true, false], [false, true]),
    ("cmp.eq p6, p7 = r9, r10", I, 0x1c0_38a1_2180, 5, 5, [false, false], [true, false]),
    ("cmp.ne p6, p7 = r9, r10", I, 0x1c0_30a1_21c0, 5, 5, [false, false], [false, true]),
    ("cmp.le p6, p7 = r9, r10", M, 0x180_3091_41c0, 5, 5, [false, false], [true, false]),
    ("cmp.gt p6, p7 = r9, r10", M, 0x180_3891_4180, 6, 5, [false, false], [true, false]),
    ("cmp.eq.unc p6, p7 = r9, r10", M, 0x1c0_38a1_3180, 5, 6, [true, false], [false, true]),
    ("(p8) cmp.eq.unc p6, p7 = r9, r10", I, 0x1c0_38a1_3188, 5, 5, [true, true], [false, false]),
    ("(p8) cmp.eq p6, p7 = r9, r10", I, 0x1c0_38a1_2188, 5, 5, [false, true], [false, true]),
    ("(p8) cmp.lt.unc p6, p7 = -1, r10", M, 0x198_38af_f188, 0, 5, [true, true], [false, false]),
    ("cmp.eq.and p6, p7 = r9, r10", M, 0x182_38a1_2180, 5, 6, [true, true], [false, false]),
    ("cmp.eq.and p6, p7 = r9, r10", M, 0x182_38a1_2180, 5, 5, [true, false], [true, false]),
    ("cmp.ne.and p6, p7 = r9, r10", I, 0x182_38a1_3180, 5, 5, [true, true], [false, false]),
    ("cmp.eq.or p6, p7 = r9, r10", I, 0x1a2_38a1_2180, 5, 5, [false, false], [true, true]),
    ("cmp.eq.or p6, p7 = r9, r10", I, 0x1a2_38a1_2180, 5, 6, [false, true], [false, true]),
    ("cmp.ne.or p6, p7 = r9, r10", M, 0x1a2_38a1_3180, 5, 6, [false, false], [true, true]),
    ("cmp.eq.or.andcm p6, p7 = r9, r10", M, 0x1c2_38a1_2180, 5, 5, [false, true], [true, false]),
    ("cmp.ne.or.andcm p6, p7 = r9, r10", M, 0x1c2_38a1_3180, 5, 5, [false, true], [false, true]),
    ("cmp.gt.and p6, p7 = r0, r10", M, 0x190_38a0_0180, 0, u64::MAX, [true, true], [true, true]),
    ("cmp.gt.and p6, p7 = r0, r10", M, 0x190_38a0_0180, 0, 0, [true, true], [false, false]),
    ("cmp.le.and p6, p7 = r0, r10", I, 0x190_38a0_1180, 0, u64::MAX, [true, true], [false, false]),
    ("cmp.ge.or p6, p7 = r0, r10", I, 0x1b2_38a0_0180, 0, 0, [false, false], [true, true]),
    ("cmp.lt.or p6, p7 = r0, r10", I, 0x1b2_38a0_1180, 0, 0, [false, false], [false, false]),
    ("cmp.lt.or.andcm p6, p7 = r0, r10", I, 0x1d2_38a0_1180, 0, 1, [false, true], [true, false]),
    ("cmp.lt p6, p7 = -128, r10", M, 0x198_38a0_0180, 0, 0xffff_ffff_ffff_ff81, [false, false], [true, false]),
    ("cmp.eq p6, p7 = 127, r10", M, 0x1c8_38af_e180, 0, 127, [false, false], [true, false]),
    ("cmp.ltu p6, p7 = -1, r10", I, 0x1b8_38af_e180, 0, u64::MAX, [false, false], [false, true]),
    ("cmp.eq.or p6, p7 = -3, r10", I, 0x1ba_38af_a180, 0, 0xffff_ffff_ffff_fffd, [false, false], [true, true]),
    ("cmp.ne.and p6, p7 = 3, r10", I, 0x18a_38a0_7180, 0, 3, [true, true], [false, false]),
    ("cmp4.lt p6, p7 = r9, r10", M, 0x184_38a1_2180, 0x8000_0000, 1, [false, false], [true, false]),
    ("cmp4.ltu p6, p7 = r9, r10", M, 0x1a4_38a1_2180, 0x8000_0000, 1, [false, false], [false, true]),
    ("cmp4.ltu p6, p7 = r9, r10", M, 0x1a4_38a1_2180, 0x5_0000_0001, 0x8000_0000, [false, false], [true, false]),
    ("cmp4.eq p6, p7 = r9, r10", I, 0x1c4_38a1_2180, 0x1_0000_0005, 5, [false, false], [true, false]),
    ("cmp4.eq.and p6, p7 = -1, r10", I, 0x19e_38af_e180, 0, 0xffff_ffff, [true, true], [true, true]),
    ("cmp4.ne.or p6, p7 = -1, r10", I, 0x1be_38af_f180, 0, 0xffff_ffff, [false, false], [false, false]),
    ("cmp4.eq.unc p6, p7 = 1, r10", I, 0x1cc_38a0_3180, 0, 0x2_0000_0001, [false, true], [true, false]),
    ("tbit.z p6, p7 = r9, 63", I, 0x0a0_389f_c180, 0x8000_0000_0000_0000, 0, [true, false], [false, true]),
    ("tbit.nz p6, p7 = r9, 63", I, 0x0a0_309f_c1c0, 0x8000_0000_0000_0000, 0, [false, false], [true, false]),
    ("(p8) tbit.z.unc p6, p7 = r9, 0", I, 0x0a0_3890_1188, 0, 0, [true, true], [false, false]),
    ("tbit.z.unc p6, p7 = r9, 1", I, 0x0a0_3890_5180, 1, 0, [false, true], [true, false]),
    ("tbit.z.and p6, p7 = r9, 0", I, 0x0b0_3890_0180, 1, 0, [true, true], [false, false]),
    ("tbit.nz.and p6, p7 = r9, 0", I, 0x0b0_3890_1180, 1, 0, [true, true], [true, true]),
    ("tbit.z.or p6, p7 = r9, 5", I, 0x0a2_3891_4180, 0, 0, [false, false], [true, true]),
    ("tbit.nz.or p6, p7 = r9, 5", I, 0x0a2_3891_5180, 0, 0, [false, false], [false, false]),
    ("tbit.z.or.andcm p6, p7 = r9, 5", I, 0x0b2_3891_4180, 0, 0, [false, true], [true, false]),
    ("tbit.nz.or.andcm p6, p7 = r9, 5", I, 0x0b2_3891_5180, 32, 0, [false, true], [true, false]),
];

/// Writes p6 and p7.
fn set_predicates(core: &mut Core, values: [bool; 2]) {
    core.registers.set_predicates(u64::from(values[0]) << 6 | u64::from(values[1]) << 7, 0xc0);
}

#[test]
fn results_are_those_computed_by_hand() {
    for (text, unit, raw, r9, r10, before, after) in COMPARISONS {
        let mut core = with(unit, raw, &[(9, r9), (10, r10)]);
        set_predicates(&mut core, before);
        let retired = step(&mut core);
        assert_eq!([core.predicate(6), core.predicate(7)], after, "{text}");
        assert_eq!(retired.off, text.starts_with("(p8)"), "{text}");
    }
}

#[test]
fn the_same_target_twice_is_illegal() {
    // cmp.eq p6, p6 = r9, r10; the assembler refuses it, so its second target is written by hand.
    let mut core = with(M, 0x1c0_30a1_2180, &[]);
    let fault = core.step().unwrap_err();
    assert!(matches!(fault.kind, FaultKind::IllegalOperation(_)), "{fault}");
    // (p8) cmp.eq p6, p6 = r9, r10 is off; (p8) cmp.eq.unc p6, p6 = r9, r10 is illegal all the same.
    assert!(step(&mut with(M, 0x1c0_30a1_2188, &[])).off);
    assert!(with(M, 0x1c0_30a1_3188, &[]).step().is_err());
}

#[test]
fn writes_of_p0_have_no_effect() {
    // cmp.eq p0, p7 = r9, r10
    let mut core = with(M, 0x1c0_38a1_2000, &[(9, 1)]);
    step(&mut core);
    assert!(core.predicate(0) && core.predicate(7));
}
