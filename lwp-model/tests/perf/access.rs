//! Which registers exist, who may access them, and what a write does.

use super::bench::{
    ALL, ANY, BRANCHES, Bench, C2, C4, CLEAR, CONTROL, COUNTER, DONE, EN, FIXED, FIXED_CONTROL, GP, INSTRUCTIONS, LVT,
    NOT_MINE, SELECT, STATUS, version_1, version_2, version_3,
};
use lwp_model::Choice;
use lwp_model::perf::{Config, Sel1En, X2apic};
use lwp_model::retire::{OpMode, RegOp};
use lwp_regs::perf::architectural::Ia32PerfCapabilities;

fn full_width() -> Config {
    let capabilities = Ia32PerfCapabilities::new().with_full_width_write(true);
    Config { pdcm: true, capabilities, ..version_3() }
}

/// The numbers that answer a RDMSR.
fn numbers(straps: Config) -> Vec<u32> {
    let ranges = [0xB0..0xE0, 0x180..0x1A0, 0x300..0x3A0, 0x4B0..0x4E0, 0x830..0x838];
    ranges.into_iter().flatten().filter(|&number| C4::new(straps).ask(RegOp::Rdmsr, number, 0) != NOT_MINE).collect()
}

// P6-06, APM-03, APM-10, APM-12, APM-38, APM-39: which numbers exist, and no neighbours
#[test]
fn numbers_that_exist() {
    let p6 = vec![0xC1, 0xC2, 0x186, 0x187];
    assert_eq!(numbers(Config::default()), p6);
    assert_eq!(numbers(Config { x2apic: X2apic::Memory, ..version_1() }), p6);
    assert_eq!(numbers(version_1()), [&p6[..], &[LVT]].concat());
    assert_eq!(numbers(version_2()), [&p6[..], &[0x38D, 0x38E, 0x38F, 0x390, LVT]].concat());
    let one = Config { counters: 1, fixed: 1, ..version_3() };
    assert_eq!(numbers(one), [0xC1, 0x186, 0x309, 0x38D, 0x38E, 0x38F, 0x390, LVT]);
    let all = [
        0xC1, 0xC2, 0xC3, 0xC4, 0x186, 0x187, 0x188, 0x189, 0x309, 0x30A, 0x30B, 0x345, 0x38D, 0x38E, 0x38F, 0x390,
        0x4C1, 0x4C2, 0x4C3, 0x4C4, LVT,
    ];
    assert_eq!(numbers(full_width()), all);
}

// P6-07: RDMSR and WRMSR need level 0; a refused request changes nothing but the answer
#[test]
fn levels() {
    for &op_mode in OpMode::ALL {
        for cpl in 0..4 {
            let mut bench = C2::new(version_2());
            (bench.inputs.lp[0].op_mode, bench.inputs.lp[0].cpl) = (op_mode, cpl);
            let level = op_mode.level(cpl);
            assert_eq!(bench.ask(RegOp::Rdmsr, SELECT, 0), if level == 0 { DONE } else { GP });
            let before = *bench.unit.state();
            let answer = bench.ask(RegOp::Wrmsr, SELECT, ALL);
            assert_eq!(answer, if level == 0 { DONE } else { GP });
            assert_eq!(bench.general(0).select, if level == 0 { ALL as u32 } else { 0 });
            if level != 0 {
                assert_eq!(lwp_model::perf::State { answer: before.answer, ..*bench.unit.state() }, before);
            }
            for pce in [false, true] {
                bench.inputs.lp[0].pce = pce;
                // P6-08, P6-34
                assert_eq!(bench.ask(RegOp::Rdpmc, 1, 0), if pce || level == 0 { DONE } else { GP });
                assert_eq!(bench.ask(RegOp::Rdpmc, 2, 0), NOT_MINE);
            }
        }
    }
    for &op in &RegOp::ALL[2..] {
        let answer = C2::new(version_2()).ask(op, 0, 0);
        assert_eq!(answer, if op == RegOp::Rdpmc { DONE } else { NOT_MINE });
    }
}

/// The bits that a WRMSR of this number alone refuses.
fn refused(straps: Config, number: u32) -> u64 {
    (0..64).filter(|bit| C4::new(straps).ask(RegOp::Wrmsr, number, 1 << bit) == GP).fold(0, |bits, bit| bits | 1 << bit)
}

// P6-25, P6-27, APM-37: which bits fault
#[test]
fn reserved_bits() {
    let high = 0xFFFF_FFFF_0000_0000;
    let p6 = Config::default();
    assert_eq!(refused(p6, 0x186), high | ANY);
    assert_eq!(refused(p6, 0x187), high | ANY | EN);
    assert_eq!(refused(Config { sel1_en: Sel1En::Ignored, ..p6 }, 0x187), high | ANY);
    assert_eq!(refused(p6, 0xC1), 0);
    for straps in [version_1(), version_2(), Config { any_thread: false, ..version_3() }] {
        assert_eq!(refused(straps, 0x187), high | ANY);
    }
    let straps = Config { counters: 3, fixed: 2, width: 44, fixed_width: 33, ..full_width() };
    assert_eq!((refused(straps, 0x187), refused(straps, 0xC1)), (high, 0));
    assert_eq!((refused(straps, 0x4C1), refused(straps, FIXED)), (u64::MAX << 44, u64::MAX << 33));
    assert_eq!((refused(straps, 0x345), refused(straps, STATUS)), (u64::MAX, u64::MAX));
    assert_eq!(refused(straps, FIXED_CONTROL), !0xFF);
    let alone = Config { any_thread: false, ..straps };
    assert_eq!((refused(alone, FIXED_CONTROL), refused(alone, 0x186)), (!0xBB, high | ANY));
    assert_eq!(refused(straps, CONTROL), !0x3_0000_0007);
    assert_eq!(refused(straps, CLEAR), !0xE000_0003_0000_0007);
    let version_2 = Config { counters: 3, fixed: 2, ..version_2() };
    assert_eq!(refused(version_2, CLEAR), !0xC000_0003_0000_0007);
    assert_eq!(refused(straps, LVT), !0x1_17FF);
    for number in [0x345, STATUS] {
        assert_eq!(C4::new(straps).ask(RegOp::Wrmsr, number, 0), GP, "read-only");
    }
}

// P6-25: EN of PerfEvtSel1 is dropped where it is ignored
#[test]
fn enable_of_the_second_select() {
    let mut bench = C2::new(Config { sel1_en: Sel1En::Ignored, ..Config::default() });
    bench.write(SELECT + 1, BRANCHES);
    assert_eq!(bench.read(SELECT + 1), BRANCHES & !EN);
    bench.retire(0, 2);
    bench.cycle();
    assert_eq!(bench.count(1), 0, "it enables nothing");
}

// P6-37, P6-38, APM-13, APM-14: 32 bits with sign, or all
#[test]
fn writes_of_counters() {
    for width in 32..=48 {
        let most = (1 << width) - 1;
        let mut bench = C4::new(Config { width, fixed_width: width, ..full_width() });
        for (wdata, count) in [
            (0x8000_0000, most & 0xFFFF_FFFF_8000_0000),
            (0x7FFF_FFFF, 0x7FFF_FFFF),
            (0xAAAA_AAAA_0000_0001, 1),
            (u64::MAX, most),
        ] {
            bench.write(COUNTER + 3, wdata);
            assert_eq!((bench.count(3), bench.read(COUNTER + 3), bench.read(0x4C4)), (count, count, count));
        }
        for number in [0x4C2, FIXED + 2] {
            bench.write(number, most);
            assert_eq!(bench.read(number), most);
        }
        assert_eq!((bench.count(1), bench.fixed(2).counter), (most, most));
        // P6-01, P6-24: the carry out of the width
        bench.write(SELECT + 1, INSTRUCTIONS);
        bench.instructions(2);
        assert_eq!((bench.count(1), bench.general(1).overflow), (1, true));
        bench.instructions(2);
        assert_eq!((bench.count(1), bench.general(1).overflow), (3, false));
    }
}

// P6-35, PERF-22: a read shows the value without the events of its cycle; a write replaces them
#[test]
fn a_request_in_a_cycle_with_events() {
    let mut bench = C2::new(Config::default());
    bench.write(SELECT, INSTRUCTIONS);
    bench.retire(3, 0);
    assert_eq!(bench.read(COUNTER), 0);
    assert_eq!(bench.ask(RegOp::Rdpmc, 0, 0), Ok(3));
    assert_eq!(bench.count(0), 6);
    bench.write(COUNTER, 0xFFFF_FFFF);
    assert_eq!((bench.count(0), bench.general(0).overflow), (0xFF_FFFF_FFFF, false));
    bench.write(COUNTER, 100);
    assert_eq!((bench.count(0), bench.general(0).overflow), (100, true), "the old value overflows");
    bench.write(SELECT, 0);
    assert_eq!(bench.count(0), 103, "the last cycle that counts");
    bench.cycle();
    assert_eq!(bench.count(0), 103);
}

// P6-10, P6-26, P6-41, P6-42, APM-29: EN for both, or for each
#[test]
fn enables() {
    let run = |straps, selects: [u64; 2]| {
        let mut bench = C2::new(straps);
        bench.write(SELECT + 1, selects[1]);
        bench.write(SELECT, selects[0]);
        bench.retire(1, 1);
        bench.cycle();
        [0, 1].map(|c| bench.count(c))
    };
    let (off, on) = (INSTRUCTIONS & !EN, INSTRUCTIONS);
    assert_eq!(run(Config::default(), [on, off]), [1, 1]);
    assert_eq!(run(Config::default(), [off, off]), [0, 0]);
    assert_eq!(run(Config::default(), [on, 0]), [1, 0]);
    assert_eq!(run(Config::default(), [EN, off]), [0, 1]);
    for straps in [version_1(), version_2()] {
        assert_eq!(run(straps, [on, off]), [1, 0]);
        assert_eq!(run(straps, [off, on]), [0, 1]);
        assert_eq!(run(straps, [on, on]), [1, 1]);
    }
}

// The global registers: what is written is read, and a fixed counter's field is its own
#[test]
fn global_registers() {
    let mut bench = C4::new(Config { counters: 3, ..full_width() });
    assert_eq!(bench.read(CONTROL), 7, "PERF-28");
    bench.write(CONTROL, 0x5_0000_0002);
    assert_eq!(bench.read(CONTROL), 0x5_0000_0002);
    assert_eq!([0, 1, 2, 3].map(|c| bench.general(c).on), [false, true, false, true], "3 does not exist");
    bench.write(FIXED_CONTROL, 0x9A3);
    assert_eq!((bench.read(FIXED_CONTROL), bench.fixed(2).control.into_bits()), (0x9A3, 9));
    assert_eq!(bench.read(0x345), 0x2000);
    assert_eq!((bench.read(CLEAR), bench.read(STATUS)), (0, 0));
}

// After reset, and after a reset in the middle of everything
#[test]
fn reset() {
    let mut bench = Bench::<2, 4, 3, 2>::new(version_3());
    let reset = *bench.unit.state();
    assert_eq!(reset, lwp_model::perf::State::default());
    assert_eq!(bench.read(LVT), 0x1_0000, "P6-46: masked");
    bench.write(SELECT, INSTRUCTIONS);
    bench.write_by(1, FIXED_CONTROL, 0x777);
    bench.instructions(2);
    bench.unit.reset();
    assert_eq!(*bench.unit.state(), reset);
    bench.instructions(2);
    bench.cycle();
    assert_eq!(*bench.unit.state(), reset, "the event selects are reset as well");
}
