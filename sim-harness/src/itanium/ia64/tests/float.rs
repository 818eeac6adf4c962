//! Floating-point numbers.

use super::super::Unit::{F, M};
use super::super::float_format::Float;
use super::super::{Core, FaultKind};
use super::machine::{DATA, step, with};

/// Assembly, encoding, and f8 afterwards with f9 = 3.5, f10 = -2.0, f11 = 0.25.
const ARITHMETIC: [(&str, u64, f64); 14] = [
    ("fma.d f8 = f9, f10, f11", 0x120_5091_6200, -6.75),
    ("fma.s f8 = f9, f10, f11", 0x110_5091_6200, -6.75),
    ("fms.d f8 = f9, f10, f11", 0x160_5091_6200, -7.25),
    ("fms.s f8 = f9, f10, f11", 0x150_5091_6200, -7.25),
    ("fnma.d f8 = f9, f10, f11", 0x1a0_5091_6200, 7.25),
    ("fnma.s f8 = f9, f10, f11", 0x190_5091_6200, 7.25),
    ("fadd.d f8 = f9, f11", 0x120_0891_6200, 3.75),
    ("fmpy.d f8 = f9, f10", 0x120_5090_0200, -7.0),
    ("fsub.d f8 = f9, f11", 0x160_0891_6200, 3.25),
    ("fnorm f8 = f9", 0x100_0890_0200, 3.5),
    ("fneg f8 = f9", 0x000_8891_2200, -3.5),
    ("fabs f8 = f9", 0x000_8090_0200, 3.5),
    // Sign and exponent of -2.0, fraction of 3.5, which is 1.75.
    ("fmerge.se f8 = f10, f9", 0x000_9091_4200, -3.5),
    ("mov f8 = f9", 0x000_8091_2200, 3.5),
];

fn core(raw: u64, values: [f64; 3]) -> Core {
    let mut core = with(F, raw, &[]);
    for (number, value) in (9..).zip(values) {
        core.registers.set_float(number, Float::of_double(value)).expect("a register that can be written");
    }
    core
}

#[test]
fn results_are_those_computed_by_hand() {
    for (text, raw, result) in ARITHMETIC {
        let mut core = core(raw, [3.5, -2.0, 0.25]);
        step(&mut core);
        assert_eq!(f64::from_bits(core.float(8)), result, "{text}");
    }
}

#[test]
fn a_double_sum_is_rounded_once() {
    // fma.d f8 = f9, f10, f11: (1 + 2^-52)^2 - (1 + 2^-51) is 2^-104, which a rounded product would lose.
    let mut core = core(0x120_5091_6200, [1.0 + f64::EPSILON, 1.0 + f64::EPSILON, -(1.0 + 2.0 * f64::EPSILON)]);
    step(&mut core);
    assert_eq!(f64::from_bits(core.float(8)), f64::powi(2.0, -104));
}

#[test]
fn sums_that_the_executor_cannot_round_are_refused() {
    // fma f8 = f9, f10, f11, in the precision of the register.
    let fault = core(0x100_5091_6200, [1.0; 3]).step().unwrap_err();
    assert!(matches!(fault.kind, FaultKind::Lacking(_)), "{fault}");
    // fma.s f8 = f9, f10, f11 with an operand that is not a single.
    let fault = core(0x110_5091_6200, [1.0 + f64::EPSILON, 1.0, 1.0]).step().unwrap_err();
    assert!(matches!(fault.kind, FaultKind::Lacking(_)), "{fault}");
    // fma.d f8 = f9, f10, f11 with a significand of 64 bits.
    let mut wide = core(0x120_5091_6200, [1.0; 3]);
    wide.registers.set_float(9, Float::integer(u64::MAX)).expect("a register that can be written");
    assert!(wide.step().is_err());
}

#[test]
fn comparisons() {
    // Assembly, encoding, and (p6, p7) for f9, f10 = (1, 2), (2, 2), (2, 1), (NaN, 1); they were (0, 0).
    let rows: [(&str, u64, [[bool; 2]; 4]); 5] = [
        ("fcmp.eq p6, p7 = f9, f10", 0x080_38a1_2180, [[false, true], [true, false], [false, true], [false, true]]),
        ("fcmp.lt p6, p7 = f9, f10", 0x090_38a1_2180, [[true, false], [false, true], [false, true], [false, true]]),
        ("fcmp.le p6, p7 = f9, f10", 0x082_38a1_2180, [[true, false], [true, false], [false, true], [false, true]]),
        ("fcmp.unord p6, p7 = f9, f10", 0x092_38a1_2180, [[false, true], [false, true], [false, true], [true, false]]),
        ("fcmp.neq p6, p7 = f9, f10", 0x080_30a1_21c0, [[true, false], [false, true], [true, false], [true, false]]),
    ];
    let operands = [(1.0, 2.0), (2.0, 2.0), (2.0, 1.0), (f64::NAN, 1.0)];
    for (text, raw, results) in rows {
        for ((left, right), result) in operands.into_iter().zip(results) {
            let mut core = core(raw, [left, right, 0.0]);
            step(&mut core);
            assert_eq!([core.predicate(6), core.predicate(7)], result, "{text} with {left}, {right}");
        }
    }
    // (p8) fcmp.gt.unc p6, p7 = f9, f10 clears both.
    let mut core = core(0x090_3891_5188, [2.0, 1.0, 0.0]);
    core.registers.set_predicates(0xc0, 0xc0);
    assert!(step(&mut core).off);
    assert!(!core.predicate(6) && !core.predicate(7));
}

#[test]
fn integers() {
    // xma.l, xma.hu and xma.h f8 = f9, f10, f11 with -1 * 5 + 7, read as significands.
    for (raw, result) in [(0x1d0_5091_6200, 2), (0x1d8_5091_6200, 5), (0x1dc_5091_6200, 0)] {
        let mut core = core(raw, [0.0; 3]);
        for (number, value) in [(9, u64::MAX), (10, 5), (11, 7)] {
            core.registers.set_float(number, Float::integer(value)).expect("a register that can be written");
        }
        step(&mut core);
        assert_eq!(core.registers.float(8), Float::integer(result), "{raw:#x}");
    }
    // fcvt.xf f8 = f9 of -6.
    let mut from = core(0x000_e001_2200, [0.0; 3]);
    from.registers.set_float(9, Float::integer(-6i64 as u64)).expect("a register that can be written");
    step(&mut from);
    assert_eq!(f64::from_bits(from.float(8)), -6.0);
    // fcvt.fx.trunc f8 = f9.
    for (value, result) in [(-2.75, -2i64 as u64), (1e19, 1 << 63), (f64::NAN, 1 << 63), (41.9, 41)] {
        let mut to = core(0x000_d001_2200, [value, 0.0, 0.0]);
        step(&mut to);
        assert_eq!(to.registers.float(8), Float::integer(result), "{value}");
    }
}

#[test]
fn moves_between_the_files() {
    let double = 0xc008_0000_0000_0000; // -3.0
    // setf.sig, setf.exp, setf.s, setf.d f8 = r9, and the register afterwards.
    let minus_three = Float { negative: true, exponent: 0x1_0000, significand: 3 << 62 };
    let rows = [
        (0x0c7_0801_2200, 5, Float { negative: false, exponent: 0x1_003e, significand: 5 }),
        (0x0c7_4801_2200, 0x2_0003, Float { negative: true, exponent: 3, significand: 1 << 63 }),
        (0x0c7_8801_2200, 0xc040_0000, minus_three),
        (0x0c7_c801_2200, double, minus_three),
    ];
    for (raw, r9, value) in rows {
        let mut core = with(M, raw, &[(9, r9)]);
        step(&mut core);
        assert_eq!(core.registers.float(8), value, "{raw:#x}");
    }
    // getf.sig, getf.exp, getf.s, getf.d r8 = f8.
    let rows = [
        (0x087_0801_0200, 3 << 62),
        (0x087_4801_0200, 0x3_0000),
        (0x087_8801_0200, 0xc040_0000),
        (0x087_c801_0200, double),
    ];
    for (raw, r8) in rows {
        let mut core = with(M, raw, &[]);
        core.registers.set_float(8, minus_three).expect("a register that can be written");
        step(&mut core);
        assert_eq!(core.general(8), r8, "{raw:#x}");
    }
}

#[test]
fn loads_and_stores() {
    // ldfd f8 = [r9]; ldfs f8 = [r9], 4; ldf8 f8 = [r9], r11 with 16 in r11: encoding, memory, f8, r9 afterwards, size.
    let rows = [
        (0x0c0_c090_0200, 0x4004_0000_0000_0000, Float::of_double(2.5), DATA, 8),
        (0x0e0_8090_8200, 0x7777_7777_4020_0000, Float::of_double(2.5), DATA + 4, 4),
        (0x0d0_4091_6200, 9, Float::integer(9), DATA + 16, 8),
    ];
    for (raw, memory, value, r9, size) in rows {
        let mut core = with(M, raw, &[(9, DATA), (11, 16)]);
        core.image_mut().write(DATA, 8, memory).expect("memory");
        let access = step(&mut core).access.expect("an access");
        assert_eq!((core.registers.float(8), core.general(9)), (value, r9), "{raw:#x}");
        assert_eq!((access.addr, access.size, access.read, access.write), (DATA, size, true, false));
    }
    // stfd [r9] = f8; stfs [r9] = f8, 4; stf8 [r9] = f8.
    let rows = [
        (0x0cc_c091_0000, 0x4004_0000_0000_0000, DATA, 8),
        (0x0ec_8091_0100, 0x4020_0000, DATA + 4, 4),
        (0x0cc_4091_0000, 5 << 61, DATA, 8),
    ];
    for (raw, memory, r9, size) in rows {
        let mut core = with(M, raw, &[(9, DATA)]);
        core.registers.set_float(8, Float::of_double(2.5)).expect("a register that can be written");
        let access = step(&mut core).access.expect("an access");
        assert_eq!((core.image().read(DATA, 8), core.general(9)), (Ok(memory), r9), "{raw:#x}");
        assert_eq!((access.addr, access.size, access.read, access.write), (DATA, size, false, true));
    }
}

#[test]
fn numbers_keep_their_value_in_a_register() {
    let smallest = f64::from_bits(1);
    let values = [0.0, -0.0, 1.0, -1.5, f64::MAX, f64::MIN_POSITIVE, smallest, -3.0 * smallest, f64::INFINITY];
    for value in values {
        assert_eq!(Float::from_double(value.to_bits()).to_double(), value.to_bits(), "{value:e}");
        assert_eq!(Float::of_double(value).double().map(f64::to_bits), Some(value.to_bits()), "{value:e}");
    }
    for value in [0.5f32, f32::MAX, f32::from_bits(1), f32::NEG_INFINITY] {
        assert_eq!(Float::from_single(value.to_bits().into()).to_single(), u64::from(value.to_bits()), "{value:e}");
        assert_eq!(Float::of_single(value).single(), Some(value));
    }
}
