//! The independent reading of the time-stamp counter: what the model shows at its ports is what the documents say. And a run with one
//! bit changed, which the reading has to notice.

use lwp_model::retire::{Processor, RegOp, RegRequest, RegResult};
use lwp_model::tsc::{Config, Inputs, Outputs, Tsc};
use lwp_model::{Choice, Unit};
use lwp_regs::tsc::TscRate;
use proptests::floor::Floors;
use proptests::runner::check;
use proptests::tsc::reading::{Coverage, Moment, Reading, outputs, run};
use std::cell::RefCell;

const TSC: u32 = 0x10;
const ADJUST: u32 = 0x3B;
const AUX: u32 = 0xC000_0103;

/// A tick of the bus.
const BUS: Processor =
    Processor { halted: false, stpclk: false, dpslp: false, bus_tick: true, crystal_tick: false, core_ratio: 6 };

/// A cycle at the ports: `rst_n`, the inputs, what is shown.
type Shown = (bool, Inputs, Outputs);

/// The ports of the model in a run, and afterwards every register of every processor, read in level 0.
fn model<const LP: usize>(straps: Config, moments: &[Moment]) -> Vec<Shown>
where
    Tsc<LP>: Unit<Config = Config, Inputs = Inputs, Outputs = Outputs>,
{
    let read = |lp: u8, number: u32| {
        let reg = RegRequest { valid: true, op: RegOp::Rdmsr, lp, number, wdata: 0 };
        Moment::Cycle(Inputs { processor: BUS, reg, ..Inputs::default() })
    };
    let last = (0..LP as u8).flat_map(|lp| [TSC, ADJUST, AUX].map(|number| read(lp, number)));
    let mut unit = Tsc::<LP>::new(straps).unwrap_or_else(|_| panic!("illegal straps: {straps:?}"));
    let mut row = vec![0; Tsc::<LP>::OUTPUT_WORDS];
    let mut shown = vec![(false, Inputs::default(), unit.outputs())];
    for moment in moments.iter().copied().chain(last).chain([Moment::Cycle(Inputs::default())]) {
        let out = unit.outputs();
        Tsc::<LP>::pack_expected(Unit::state(&unit), &straps, &mut row);
        assert_eq!(outputs::<LP>(&row), Ok(out), "the row shows the same");
        match moment {
            Moment::Reset => {
                shown.push((false, Inputs::default(), out));
                unit.reset();
            }
            Moment::Cycle(inputs) => {
                shown.push((true, inputs, out));
                unit.step(&inputs);
            }
        }
    }
    shown
}

fn read<const LP: usize>(straps: &Config, cycles: &[Shown]) -> Result<Coverage, String> {
    let mut reading = Reading::<LP>::new(straps);
    for (number, (rst_n, inputs, out)) in cycles.iter().enumerate() {
        reading.cycle(*rst_n, inputs, out).map_err(|text| format!("cycle {number}: {text}"))?;
    }
    Ok(*reading.coverage())
}

/// What 1000 cases held at least, with one logical processor and with four, when it was measured
/// (`LWP_TIER=ci cargo nextest run --release -p proptests tsc_reading::the_ --no-capture`).
type Rate = (&'static str, fn(&Coverage) -> u64, [u64; 2]);

const FLOORS: [Rate; 0] = [];

fn read_all<const LP: usize>(name: &str, rate: usize)
where
    Tsc<LP>: Unit<Config = Config, Inputs = Inputs, Outputs = Outputs>,
{
    let total = RefCell::new(Coverage::default());
    let cases = check("tsc_reading", name, &run(12), |run| {
        let seen = read::<LP>(&run.straps, &model::<LP>(run.straps, &run.moments))?;
        *total.borrow_mut() += seen;
        Ok(())
    });
    let seen = *total.borrow();
    println!("{name}: {cases} cases, {seen:?}");
    let counts = FLOORS.map(|(what, count, rates)| (what, count(&seen), rates[rate]));
    Floors { test: name, cases, counts: &counts }.check();
}

#[test]
fn the_model_of_one_processor_counts_as_the_documents_say() {
    read_all::<1>("the_model_of_one_processor_counts_as_the_documents_say", 0);
}

#[test]
fn the_model_of_four_processors_counts_as_the_documents_say() {
    read_all::<4>("the_model_of_four_processors_counts_as_the_documents_say", 1);
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
        Moment::Cycle(Inputs { processor: BUS, reg, ..Inputs::default() })
    };
    let refused = |op: RegOp| {
        let reg = RegRequest { valid: true, op, lp: 0, number: TSC, wdata: 9 };
        Moment::Cycle(Inputs { processor: BUS, cpl: 3, tsd: true, reg, ..Inputs::default() })
    };
    let straps = Config { rate: TscRate::ConstantMax, max_ratio: 20, ..Config::default() };
    let moments = [
        ask(RegOp::Rdtsc, 0, 0, 0),
        ask(RegOp::Wrmsr, 1, AUX, 0x55),
        ask(RegOp::Wrmsr, 2, ADJUST, 1 << 40),
        ask(RegOp::Wrmsr, 1, TSC, 1 << 50),
        ask(RegOp::Rdtscp, 1, 0, 0),
        refused(RegOp::Rdtscp),
        refused(RegOp::Wrmsr),
        ask(RegOp::Rdpmc, 0, 0, 0),
        ask(RegOp::Rdmsr, 3, 0x11, 0),
        Moment::Cycle(Inputs { processor: BUS, ..Inputs::default() }),
        ask(RegOp::Rdtscp, 3, 0, 0),
    ];
    let cycles = model::<4>(straps, &moments);
    read::<4>(&straps, &cycles).expect("the model is right");
    for at in 1..cycles.len() {
        for out in changes(&cycles[at].2) {
            let mut wrong = cycles.clone();
            wrong[at].2 = out;
            assert!(read::<4>(&straps, &wrong).is_err(), "cycle {at}: {out:x?} goes unnoticed");
        }
    }
}
