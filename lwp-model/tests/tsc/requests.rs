//! Who may ask for what, by the table of step 1 of the contract.

use super::bench::{ADJUST, AUX, Answer, Bench, TSC};
use lwp_model::Choice;
use lwp_model::retire::{OpMode, RegOp};
use lwp_model::tsc::Config;

const ABSENT: Config = Config { present: false, adjust: false, aux: false, ..Config::DEFAULT };

/// The level as the contract has it.
fn level(op_mode: OpMode, cpl: u8) -> u8 {
    match op_mode {
        OpMode::Real => 0,
        OpMode::Virtual8086 => 3,
        _ => cpl,
    }
}

/// A counter of 83, and a signature of 7.
fn counting(straps: Config) -> Bench<1> {
    let mut bench = Bench::new(straps);
    if straps.aux {
        bench.write(AUX, 7);
    }
    bench.ticks(1);
    bench
}

// TSC-11: both instructions, TSD, four levels, eight codes of the mode
#[test]
fn who_may_execute_rdtsc() {
    let mut cases = 0;
    for op in [RegOp::Rdtsc, RegOp::Rdtscp] {
        for tsd in [false, true] {
            for (cpl, &op_mode) in (0..4).flat_map(|cpl| OpMode::ALL.iter().map(move |op_mode| (cpl, op_mode))) {
                let mut bench = counting(Config::default());
                (bench.inputs.tsd, bench.inputs.cpl, bench.inputs.op_mode) = (tsd, cpl, op_mode);
                let aux = if op == RegOp::Rdtscp { 7 } else { 0 };
                let refused = tsd && level(op_mode, cpl) != 0;
                let expected = if refused { Answer::GP } else { Answer::Done { rdata: 83, aux } };
                assert_eq!(bench.ask(op, 0, 0), expected, "{op:?} {tsd} {cpl} {op_mode:?}");
                cases += 1;
            }
        }
    }
    assert_eq!(cases, 128);
}

// TSC-12, TSC-11: RDMSR and WRMSR need level 0, whatever TSD is
#[test]
fn who_may_access_the_registers() {
    for number in [TSC, ADJUST, AUX] {
        for (cpl, &op_mode) in (0..4).flat_map(|cpl| OpMode::ALL.iter().map(move |op_mode| (cpl, op_mode))) {
            for tsd in [false, true] {
                let mut bench = counting(Config::default());
                let before = *bench.unit.state();
                (bench.inputs.tsd, bench.inputs.cpl, bench.inputs.op_mode) = (tsd, cpl, op_mode);
                let done = level(op_mode, cpl) == 0;
                let value = if number == TSC {
                    83
                } else if number == AUX {
                    7
                } else {
                    0
                };
                let read = if done { Answer::value(value) } else { Answer::GP };
                assert_eq!(bench.ask(RegOp::Rdmsr, number, 0), read, "{cpl} {op_mode:?}");
                let written = if done { Answer::value(0) } else { Answer::GP };
                assert_eq!(bench.ask(RegOp::Wrmsr, number, 5), written, "{cpl} {op_mode:?}");
                assert_eq!(bench.unit.state().processors != before.processors, done, "{number:#x}");
            }
        }
    }
}

// TSC-01: what a strap takes away is #UD or not mine, also where the level would be refused
#[test]
fn what_does_not_exist() {
    let all = Config::default();
    for straps in [all, Config { adjust: false, ..all }, Config { aux: false, ..all }, ABSENT] {
        for cpl in [0, 3] {
            let mut bench = counting(straps);
            (bench.inputs.cpl, bench.inputs.tsd) = (cpl, true);
            let mut check = |op, number, exists: bool, without| {
                let expected = if !exists {
                    without
                } else if cpl == 3 {
                    Answer::GP
                } else {
                    return assert!(matches!(bench.ask(op, number, 0), Answer::Done { .. }), "{op:?} {straps:?}");
                };
                assert_eq!(bench.ask(op, number, 0), expected, "{op:?} {straps:?}");
            };
            check(RegOp::Rdtsc, 0, straps.present, Answer::UD);
            check(RegOp::Rdtscp, 0, straps.aux, Answer::UD);
            for op in [RegOp::Rdmsr, RegOp::Wrmsr] {
                check(op, TSC, straps.present, Answer::NOT_MINE);
                check(op, ADJUST, straps.adjust, Answer::NOT_MINE);
                check(op, AUX, straps.aux, Answer::NOT_MINE);
                check(op, 0x11, false, Answer::NOT_MINE);
                check(op, 0x8000_0010, false, Answer::NOT_MINE);
            }
        }
    }
}

#[test]
fn other_operations_are_not_mine() {
    for &op in &RegOp::ALL[4..] {
        let mut bench = counting(Config::default());
        let before = *bench.unit.state();
        assert_eq!(bench.ask(op, TSC, 1), Answer::NOT_MINE, "{op:?}");
        assert_eq!(bench.unit.state().processors, before.processors);
    }
}

// TSC-14: bits 63:32 of IA32_TSC_AUX are reserved; level and existence are checked before
#[test]
fn reserved_bits_of_the_signature() {
    let mut bench = counting(Config::default());
    for bit in 32..64 {
        assert_eq!(bench.ask(RegOp::Wrmsr, AUX, 1 << bit | 9), Answer::GP, "bit {bit}");
    }
    assert_eq!(bench.read(AUX), 7);
    bench.write(AUX, 0xFFFF_FFFF);
    assert_eq!(bench.read(AUX), 0xFFFF_FFFF);
    let mut without = counting(Config { aux: false, ..Config::default() });
    assert_eq!(without.ask(RegOp::Wrmsr, AUX, 1 << 32), Answer::NOT_MINE);
}

// TSC-15: time and signature are of the cycle of the request, whatever comes before and behind it
#[test]
fn rdtscp_is_one_read() {
    let mut bench = Bench::<1>::new(Config::default());
    bench.inputs.processor.crystal_tick = true;
    for cycle in 0..12_u32 {
        bench.write(AUX, cycle.into());
        let time = bench.counter(0);
        assert_eq!(bench.ask(RegOp::Rdtscp, 0, 0), Answer::Done { rdata: time, aux: cycle });
        assert_ne!(bench.counter(0), time, "a tick has come");
    }
    bench.cycle();
    assert_eq!(Answer::of(bench.unit.outputs()), None, "an answer lasts one cycle");
}

#[test]
fn without_valid_nothing_is_asked() {
    let mut bench = counting(Config::default());
    let before = bench.unit.state().processors;
    for &op in RegOp::ALL {
        bench.inputs.reg.op = op;
        bench.inputs.reg.number = TSC;
        bench.inputs.reg.wdata = 5;
        bench.cycle();
        assert_eq!((Answer::of(bench.unit.outputs()), bench.unit.state().processors), (None, before));
    }
}
