//! The independent reading of the time-stamp counter: what model and RTL show at their ports is what the documents say. And a run with one
//! bit changed, which the reading has to notice.

use lwp_model::retire::{OpMode, Processor, RegOp, RegRequest, RegResult};
use lwp_model::tsc::{Config, DeepSleep, Inputs, Outputs, Tsc};
use lwp_model::{Choice, Unit};
use lwp_regs::tsc::{TscRate, TscWrite};
use proptests::capsule::note_property;
use proptests::floor::Floors;
use proptests::lockstep::UnitCycle;
use proptests::ports::{input_rows, of_rtl};
use proptests::runner::{check, draw};
use proptests::tsc::reading::{Coverage, Reading, outputs};
use proptests::tsc::scenario::{Scenario, scenario};
use sim_harness::rtl::BuildId;
use std::cell::RefCell;

const TSC: u32 = 0x10;
const ADJUST: u32 = 0x3B;
const AUX: u32 = 0xC000_0103;

/// A tick of the bus.
const BUS: Processor =
    Processor { halted: false, stpclk: false, dpslp: false, bus_tick: true, crystal_tick: false, core_ratio: 6 };

/// Stretches of a scenario at most.
const STRETCHES: usize = 30;

/// No request, no tick.
fn nothing() -> Inputs {
    Inputs { processor: Processor { bus_tick: false, ..BUS }, op_mode: OpMode::Long64, ..Inputs::default() }
}

fn reset() -> UnitCycle<Inputs> {
    UnitCycle { reset: true, inputs: nothing() }
}

/// A cycle at the ports: `rst_n`, the inputs, what is shown.
type Shown = (bool, Inputs, Outputs);

/// The ports of the model in these cycles, and afterwards every register of every processor, read in level 0. The model is given the
/// inputs that `wires` makes of those that are shown.
fn model<const LP: usize>(straps: Config, cycles: &[UnitCycle<Inputs>], wires: fn(&mut Inputs)) -> Vec<Shown>
where
    Tsc<LP>: Unit<Config = Config, Inputs = Inputs, Outputs = Outputs>,
{
    let read = |lp: u8, number: u32| {
        let reg = RegRequest { valid: true, op: RegOp::Rdmsr, lp, number, wdata: 0 };
        cycle(Inputs { processor: BUS, reg, ..Inputs::default() })
    };
    let last = (0..LP as u8).flat_map(|lp| [TSC, ADJUST, AUX].map(|number| read(lp, number)));
    let mut unit = Tsc::<LP>::new(straps).unwrap_or_else(|_| panic!("illegal straps: {straps:?}"));
    let mut row = vec![0; Tsc::<LP>::OUTPUT_WORDS];
    let mut shown = Vec::new();
    for UnitCycle { reset, mut inputs } in cycles.iter().copied().chain(last).chain([cycle(Inputs::default())]) {
        let out = unit.outputs();
        Tsc::<LP>::pack_expected(Unit::state(&unit), &straps, &mut row);
        assert_eq!(outputs::<LP>(&row), Ok(out), "the row shows the same");
        shown.push((!reset, inputs, out));
        if reset {
            unit.reset();
        } else {
            wires(&mut inputs);
            unit.step(&inputs);
        }
    }
    shown
}

/// A cycle out of reset.
fn cycle(inputs: Inputs) -> UnitCycle<Inputs> {
    UnitCycle { reset: false, inputs }
}

fn read<const LP: usize>(straps: &Config, cycles: &[Shown]) -> Result<Coverage, (u64, String)> {
    let mut reading = Reading::<LP>::new(straps);
    for (number, (rst_n, inputs, out)) in cycles.iter().enumerate() {
        reading.cycle(*rst_n, inputs, out).map_err(|text| (number as u64, format!("cycle {number}: {text}")))?;
    }
    Ok(*reading.coverage())
}

/// What 1000 cases held at least, with one logical processor and with four, when it was measured
/// (`cargo test --release -p proptests --test suite tsc_reading::the_ -- --nocapture`).
type Rate = (&'static str, fn(&Coverage) -> u64, [u64; 2]);

const FLOORS: [Rate; 22] = [
    ("resets", |seen| seen.resets, [1800, 1800]),
    ("reads of a counter", |seen| seen.counter_reads, [22_000, 24_000]),
    ("reads by RDTSCP", |seen| seen.stamps, [7800, 7800]),
    ("decided orders of a write and a tick", |seen| seen.undecided, [650, 670]),
    ("reads of synchronised counters", |seen| seen.synchronised, [0, 290]),
    ("reads of IA32_TSC_ADJUST", |seen| seen.adjust_reads, [3400, 3800]),
    ("reads of IA32_TSC_AUX", |seen| seen.aux_reads, [1400, 1000]),
    ("writes of 64 bits", |seen| seen.counter_writes, [2000, 2000]),
    ("writes of 32 bits", |seen| seen.narrow_writes, [890, 890]),
    ("writes in a tick", |seen| seen.writes_in_a_tick, [1900, 1900]),
    ("writes to IA32_TSC_ADJUST", |seen| seen.adjust_writes, [3300, 3200]),
    ("writes to IA32_TSC_AUX", |seen| seen.aux_writes, [1400, 1400]),
    ("reads refused by TSD", |seen| seen.disabled, [3300, 3300]),
    ("reads outside level 0", |seen| seen.user_reads, [3200, 3200]),
    ("reads in level 0 with TSD", |seen| seen.kernel_reads, [7200, 7200]),
    ("unprivileged requests", |seen| seen.unprivileged, [8900, 8900]),
    ("requests for what does not exist", |seen| seen.absent, [18_000, 19_000]),
    ("ticks that deep sleep stops", |seen| seen.slept, [3600, 3600]),
    ("ticks in deep sleep", |seen| seen.sleepless, [6400, 6400]),
    ("ticks during HLT or STPCLK#", |seen| seen.halted, [17_000, 17_000]),
    ("ticks at a constant rate, the ratio changed", |seen| seen.steady, [20_000, 24_000]),
    ("ticks at a variable rate, the ratio changed", |seen| seen.varied, [11_000, 13_000]),
];

/// Reads the model, or the RTL, in many runs, and asks that everything was there to be read.
fn read_all<const LP: usize>(name: &str, build: BuildId, rtl: bool)
where
    Tsc<LP>: Unit<Config = Config, Inputs = Inputs, Outputs = Outputs>,
{
    let total = RefCell::new(Coverage::default());
    let cases = check("tsc_reading", name, &scenario(STRETCHES), |run| {
        let mut shown = model::<LP>(run.straps, &run.cycles, as_shown);
        if rtl {
            shown = of_rtl::<Tsc<LP>>(build, &run.straps, &shown, outputs::<LP>)?;
        }
        *total.borrow_mut() += read::<LP>(&run.straps, &shown).map_err(|(cycle, text)| {
            note_property::<Tsc<LP>>("reading", build, &run.straps, &input_rows::<Tsc<LP>>(&shown), (cycle, &text));
            text
        })?;
        Ok(())
    });
    let seen = *total.borrow();
    println!("{name}: {cases} cases, {seen:?}");
    let counts = FLOORS.map(|(what, count, rates)| (what, count(&seen), rates[usize::from(LP > 1)]));
    Floors { test: name, cases, counts: &counts }.check();
    // The first read that can tell decides the order for the rest of its run.
    assert!(seen.undecided <= cases, "the order of a write and a tick is not kept");
}

#[test]
fn the_model_of_one_processor_counts_as_the_documents_say() {
    read_all::<1>("the_model_of_one_processor_counts_as_the_documents_say", BuildId::TscLp1, false);
}

#[test]
fn the_model_of_four_processors_counts_as_the_documents_say() {
    read_all::<4>("the_model_of_four_processors_counts_as_the_documents_say", BuildId::TscLp4, false);
}

#[test]
fn the_rtl_of_one_processor_counts_as_the_documents_say() {
    read_all::<1>("the_rtl_of_one_processor_counts_as_the_documents_say", BuildId::TscLp1, true);
}

#[test]
fn the_rtl_of_four_processors_counts_as_the_documents_say() {
    read_all::<4>("the_rtl_of_four_processors_counts_as_the_documents_say", BuildId::TscLp4, true);
}

/// What the model shows, with one bit of one answer changed, or another result.
fn changes(out: &Outputs) -> impl Iterator<Item = Outputs> {
    let out = *out;
    let data = (0..64).map(move |bit| Outputs { reg_rdata: out.reg_rdata ^ 1 << bit, ..out });
    let aux = (0..32).map(move |bit| Outputs { reg_aux: out.reg_aux ^ 1 << bit, ..out });
    let other = RegResult::ALL.iter().filter(move |result| **result != out.reg_result);
    let result = other.map(move |reg_result| Outputs { reg_result: *reg_result, ..out });
    data.chain(aux).chain(result).chain([Outputs { reg_done: !out.reg_done, ..out }])
}

#[test]
fn every_change_of_a_run_is_noticed() {
    let ask = |op: RegOp, lp: u8, number: u32, wdata: u64| {
        let reg = RegRequest { valid: true, op, lp, number, wdata };
        cycle(Inputs { processor: BUS, reg, ..Inputs::default() })
    };
    let refused = |op: RegOp| {
        let reg = RegRequest { valid: true, op, lp: 0, number: TSC, wdata: 9 };
        cycle(Inputs { processor: BUS, cpl: 3, tsd: true, reg, ..Inputs::default() })
    };
    let straps = Config { rate: TscRate::ConstantMax, max_ratio: 20, ..Config::default() };
    let asked = [
        ask(RegOp::Rdtsc, 0, 0, 0),
        ask(RegOp::Wrmsr, 1, AUX, 0x55),
        ask(RegOp::Wrmsr, 2, ADJUST, 1 << 40),
        ask(RegOp::Wrmsr, 1, TSC, 1 << 50),
        ask(RegOp::Rdtscp, 1, 0, 0),
        refused(RegOp::Rdtscp),
        refused(RegOp::Wrmsr),
        ask(RegOp::Rdpmc, 0, 0, 0),
        ask(RegOp::Rdmsr, 3, 0x11, 0),
        cycle(Inputs { processor: BUS, ..Inputs::default() }),
        ask(RegOp::Rdtscp, 3, 0, 0),
    ];
    let cycles = model::<4>(straps, &[&[reset()][..], &asked].concat(), as_shown);
    read::<4>(&straps, &cycles).expect("the model is right");
    for at in 1..cycles.len() {
        for out in changes(&cycles[at].2) {
            let mut wrong = cycles.clone();
            wrong[at].2 = out;
            assert!(read::<4>(&straps, &wrong).is_err(), "cycle {at}: {out:x?} goes unnoticed");
        }
    }
}

/// Something that is wrong with a unit: it has other straps than the reading is told, or sees other inputs.
type Wrong = (&'static str, fn(&mut Config), fn(&mut Inputs));

fn as_told(_: &mut Config) {}

fn as_shown(_: &mut Inputs) {}

/// A WRMSR to this register.
fn writes(inputs: &Inputs, number: u32) -> bool {
    inputs.reg.op == RegOp::Wrmsr && inputs.reg.number == number
}

const WRONG: [Wrong; 26] = [
    ("variable for constant-boot", |straps| straps.rate = other(straps.rate, TscRate::ConstantBoot), as_shown),
    ("variable for constant-max", |straps| straps.rate = other(straps.rate, TscRate::ConstantMax), as_shown),
    ("variable for invariant", |straps| straps.rate = other(straps.rate, TscRate::Invariant), as_shown),
    (
        "write width",
        |straps| straps.write_width = TscWrite::ALL[usize::from(straps.write_width == TscWrite::All)],
        as_shown,
    ),
    (
        "deep sleep",
        |straps| straps.deep_sleep = DeepSleep::ALL[usize::from(straps.deep_sleep == DeepSleep::Count)],
        as_shown,
    ),
    ("half of the maximum ratio", |straps| straps.max_ratio ^= 1, as_shown),
    ("a tick of the crystal", |straps| straps.art_whole ^= 1, as_shown),
    ("the rest of a tick", |straps| straps.art_rest ^= 1, as_shown),
    ("the parts of a tick", |straps| straps.art_denominator ^= 1, as_shown),
    ("no IA32_TSC_ADJUST", |straps| straps.adjust = false, as_shown),
    ("no RDTSCP", |straps| straps.aux = false, as_shown),
    ("no counter", |straps| (straps.present, straps.adjust, straps.aux) = (false, false, false), as_shown),
    ("HLT stops it", as_told, |inputs| inputs.processor.bus_tick &= !inputs.processor.halted),
    ("STPCLK# stops it", as_told, |inputs| inputs.processor.crystal_tick &= !inputs.processor.stpclk),
    ("DPSLP# is not seen", as_told, |inputs| inputs.processor.dpslp = false),
    ("the ratio is not seen", as_told, |inputs| inputs.processor.core_ratio = 30),
    ("the bus clock for the crystal", as_told, |inputs| inputs.processor.crystal_tick = inputs.processor.bus_tick),
    ("the level is not seen", as_told, |inputs| inputs.cpl = 0),
    ("virtual-8086 mode is not seen", as_told, |inputs| {
        if inputs.op_mode == OpMode::Virtual8086 {
            inputs.op_mode = OpMode::Protected;
        }
    }),
    ("TSD is not seen", as_told, |inputs| inputs.tsd = false),
    ("TSD always", as_told, |inputs| inputs.tsd = true),
    ("two processors are one", as_told, |inputs| inputs.reg.lp &= 2),
    ("a number of fewer bits", as_told, |inputs| inputs.reg.number &= 0x7FFF_FFFF),
    ("the low half of IA32_TSC_ADJUST", as_told, |inputs| {
        if writes(inputs, ADJUST) {
            inputs.reg.wdata &= 0xFFFF_FFFF;
        }
    }),
    ("a bit of a write to the counter", as_told, |inputs| {
        inputs.reg.wdata ^= u64::from(writes(inputs, TSC)) << 31;
    }),
    ("a bit of a write to IA32_TSC_AUX", as_told, |inputs| {
        inputs.reg.wdata ^= u64::from(writes(inputs, AUX)) << 31;
    }),
];

/// Variable instead of `meant`.
fn other(rate: TscRate, meant: TscRate) -> TscRate {
    if rate == meant { TscRate::Variable } else { rate }
}

#[test]
fn a_wrong_unit_is_noticed() {
    let runs: Vec<Scenario> = (0..400).map(|seed| draw(seed, &scenario(STRETCHES))).collect();
    for (what, straps, wires) in WRONG {
        let (mut units, mut noticed) = (0, 0);
        for run in &runs {
            let mut wrong = run.straps;
            straps(&mut wrong);
            if wrong.validate().is_ok() {
                units += 1;
                noticed += u32::from(read::<4>(&run.straps, &model::<4>(wrong, &run.cycles, wires)).is_err());
            }
        }
        println!("{what}: noticed in {noticed} of {units} runs");
        assert!(noticed >= 5, "{what}: noticed in {noticed} of {units} runs");
    }
}

#[test]
fn a_reset_that_does_nothing_is_noticed() {
    let noticed = (0..400).filter(|seed| {
        let Scenario { straps, mut cycles } = draw(*seed, &scenario(STRETCHES));
        // Nothing is asked in the last cycle before the reset.
        cycles.push(cycle(Inputs::default()));
        let mut shown = model::<4>(straps, &cycles, as_shown);
        shown.insert(cycles.len(), (false, Inputs::default(), Outputs::default()));
        read::<4>(&straps, &shown).is_err()
    });
    assert!(noticed.count() >= 300);
}
