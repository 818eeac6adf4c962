//! The independent reading of the performance counters: what model and RTL show at their ports is what the documents say. And runs with
//! something changed, which the reading has to notice.

use lwp_model::Unit;
use lwp_model::perf::{Config, Inputs, Outputs, Perf};
use lwp_model::retire::{RegOp, RegRequest};
use proptest::prelude::Strategy;
use proptests::capsule::note_property;
use proptests::floor::Floors;
use proptests::lockstep::UnitCycle;
use proptests::perf::Sizes;
use proptests::perf::counting::counting;
use proptests::perf::reading::{Choices, Coverage, Reading, outputs};
use proptests::perf::scenario::{Scenario, scenario};
use proptests::ports::{input_rows, of_model, of_rtl};
use proptests::runner::check;
use sim_harness::rtl::BuildId;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Stretches of a scenario at most.
const STRETCHES: usize = 40;

/// A cycle at the ports: `rst_n`, the inputs, what is shown.
pub(crate) type Shown<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize> =
    (bool, Inputs<LP, LANES>, Outputs<LP, GENERAL, FIXED>);

/// Every counter, read in level 0 by RDMSR, and a last cycle that shows the result.
fn last<const LP: usize, const LANES: usize>(straps: &Config) -> Vec<UnitCycle<Inputs<LP, LANES>>> {
    let read = |lp: u8, number: u32| {
        let reg = RegRequest { valid: true, op: RegOp::Rdmsr, lp, number, wdata: 0 };
        UnitCycle { reset: false, inputs: Inputs { reg, ..Inputs::default() } }
    };
    let numbers = (0xC1..0xC1 + u32::from(straps.counters)).chain(0x309..0x309 + u32::from(straps.fixed));
    let all = (0..LP as u8).flat_map(|lp| numbers.clone().map(move |number| read(lp, number)));
    all.chain([UnitCycle { reset: false, inputs: Inputs::default() }]).collect()
}

/// The ports of the model in these cycles, and then of [`last`]. The model is given the inputs that `wires` makes of those that are shown.
pub(crate) fn model<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize>(
    straps: Config,
    told: Config,
    cycles: &[UnitCycle<Inputs<LP, LANES>>],
    wires: fn(&mut Inputs<LP, LANES>),
) -> Vec<Shown<LP, GENERAL, FIXED, LANES>>
where
    Perf<LP, GENERAL, FIXED, LANES>:
        Unit<Config = Config, Inputs = Inputs<LP, LANES>, Outputs = Outputs<LP, GENERAL, FIXED>>,
{
    of_model::<Perf<LP, GENERAL, FIXED, LANES>>(straps, cycles.iter().copied().chain(last(&told)), wires)
}

pub(crate) fn read<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize>(
    straps: &Config,
    cycles: &[Shown<LP, GENERAL, FIXED, LANES>],
) -> Result<(Coverage, Vec<Choices>), (u64, String)> {
    let mut reading = Reading::<LP, GENERAL, FIXED, LANES>::new(straps);
    for (number, (rst_n, inputs, out)) in cycles.iter().enumerate() {
        reading.cycle(*rst_n, inputs, out).map_err(|text| (number as u64, format!("cycle {number}: {text}")))?;
    }
    Ok((reading.coverage(), reading.choices()))
}

/// What 1000 cases held, when it was measured; a quarter of it is the floor
/// (`cargo test --release -p proptests --test suite perf_reading:: -- --nocapture`).
type Rate = (&'static str, fn(&Coverage) -> u64, u64);

const EXACT: &str = "reads of a counter with one possible value";

/// Scenarios with any requests.
const ANY: [Rate; 9] = [
    (EXACT, |seen| seen.exact, 1300),
    ("writes", |seen| seen.writes, 6300),
    ("writes of reserved bits", |seen| seen.refused, 3100),
    ("unprivileged requests", |seen| seen.unprivileged, 3700),
    ("RDPMC without permission", |seen| seen.forbidden, 100),
    ("requests for what does not exist", |seen| seen.absent, 32_000),
    ("interrupts", |seen| seen.interrupts, 1900),
    ("masked interrupts", |seen| seen.masked, 3500),
    ("freezes", |seen| seen.freezes, 2200),
];

/// Programs that count.
const BUSY: [Rate; 9] = [
    (EXACT, |seen| seen.exact, 35_000),
    ("reads outside level 0", |seen| seen.user_reads, 9500),
    ("reads of other registers", |seen| seen.reads, 290),
    ("reads of the status", |seen| seen.status_reads, 190),
    ("overflows", |seen| seen.overflows, 680),
    ("interrupts", |seen| seen.interrupts, 1700),
    ("masked interrupts", |seen| seen.masked, 3900),
    ("freezes", |seen| seen.freezes, 2200),
    ("cycles with a pin", |seen| seen.pulses, 12_000),
];

/// Programs that count, with fixed counters.
const FIXED: [Rate; 1] = [("overflows of fixed counters", |seen| seen.fixed_overflows, 280)];

/// Reads the model, or the RTL, in many runs, and asks that everything was there to be read. The choices are the same in all runs.
fn read_all<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize>(
    name: &str,
    (build, rtl): (BuildId, bool),
    runs: &impl Strategy<Value = Scenario<LP, LANES>>,
    floors: &[Rate],
) where
    Perf<LP, GENERAL, FIXED, LANES>:
        Unit<Config = Config, Inputs = Inputs<LP, LANES>, Outputs = Outputs<LP, GENERAL, FIXED>>,
{
    let total = RefCell::new((Coverage::default(), BTreeMap::<String, Vec<Choices>>::new()));
    let cases = check("perf_reading", name, runs, |run| {
        let mut shown = model::<LP, GENERAL, FIXED, LANES>(run.straps, run.straps, &run.cycles, |_| ());
        if rtl {
            let outputs = outputs::<LP, GENERAL, FIXED, LANES>;
            shown = of_rtl::<Perf<LP, GENERAL, FIXED, LANES>>(build, &run.straps, &shown, outputs)?;
        }
        let (seen, choices) = read(&run.straps, &shown).map_err(|(cycle, text)| {
            let rows = input_rows::<Perf<LP, GENERAL, FIXED, LANES>>(&shown);
            note_property::<Perf<LP, GENERAL, FIXED, LANES>>("reading", build, &run.straps, &rows, (cycle, &text));
            text
        })?;
        let (coverage, all) = &mut *total.borrow_mut();
        *coverage += seen;
        let kind = format!("{:?}, masks itself: {}", run.straps.personality, run.straps.mask_on_delivery);
        let left = all.entry(kind.clone()).or_insert_with(|| choices.clone());
        left.retain(|choice| choices.contains(choice));
        if left.is_empty() {
            Err(format!("{kind}: the choices differ from those of other runs: {choices:#?}"))
        } else {
            Ok(())
        }
    });
    let (seen, choices) = total.into_inner();
    println!("{name}: {cases} cases, {seen:?}");
    for (kind, left) in choices {
        println!("{kind}: {} left, first {:?}", left.len(), left[0]);
    }
    let counts: Vec<(&str, u64, u64)> = floors.iter().map(|(what, count, rate)| (*what, count(&seen), *rate)).collect();
    Floors { test: name, cases, counts: &counts }.check();
}

/// Any requests, to the P6.
fn any_of_the_p6(name: &str, rtl: bool) {
    let runs = scenario::<1, 4>(Sizes { general: 2, fixed: 0 }, STRETCHES);
    read_all::<1, 2, 0, 4>(name, (BuildId::PerfC2, rtl), &runs, &ANY);
}

/// Any requests, to two logical processors.
fn any_of_two(name: &str, rtl: bool) {
    let runs = scenario::<2, 2>(Sizes { general: 4, fixed: 3 }, STRETCHES);
    read_all::<2, 4, 3, 2>(name, (BuildId::PerfC4, rtl), &runs, &ANY);
}

/// Programs that count, on the P6.
fn busy_p6(name: &str, rtl: bool) {
    let runs = counting::<1, 4>(Sizes { general: 2, fixed: 0 }, STRETCHES);
    read_all::<1, 2, 0, 4>(name, (BuildId::PerfC2, rtl), &runs, &BUSY);
}

/// Programs that count, on two logical processors.
fn busy_two(name: &str, rtl: bool) {
    let runs = counting::<2, 2>(Sizes { general: 4, fixed: 3 }, STRETCHES);
    read_all::<2, 4, 3, 2>(name, (BuildId::PerfC4, rtl), &runs, &[&BUSY[..], &FIXED].concat());
}

#[test]
fn the_model_of_the_p6_counts_as_the_documents_say() {
    any_of_the_p6("the_model_of_the_p6_counts_as_the_documents_say", false);
}

#[test]
fn the_model_of_two_processors_counts_as_the_documents_say() {
    any_of_two("the_model_of_two_processors_counts_as_the_documents_say", false);
}

#[test]
fn the_rtl_of_the_p6_counts_as_the_documents_say() {
    any_of_the_p6("the_rtl_of_the_p6_counts_as_the_documents_say", true);
}

#[test]
fn the_rtl_of_two_processors_counts_as_the_documents_say() {
    any_of_two("the_rtl_of_two_processors_counts_as_the_documents_say", true);
}

#[test]
fn programs_that_count_on_the_model_of_the_p6() {
    busy_p6("programs_that_count_on_the_model_of_the_p6", false);
}

#[test]
fn programs_that_count_on_the_model_of_two_processors() {
    busy_two("programs_that_count_on_the_model_of_two_processors", false);
}

#[test]
fn programs_that_count_on_the_rtl_of_the_p6() {
    busy_p6("programs_that_count_on_the_rtl_of_the_p6", true);
}

#[test]
fn programs_that_count_on_the_rtl_of_two_processors() {
    busy_two("programs_that_count_on_the_rtl_of_two_processors", true);
}
