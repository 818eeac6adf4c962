//! Runs of the performance counters with something changed, which the independent reading has to notice.

use crate::perf_reading::{Shown, model, read};
use lwp_model::Unit;
use lwp_model::perf::{Config, Events, Inputs, Lp, Outputs, Perf};
use lwp_model::retire::{RegOp, RegResult};
use proptests::perf::Sizes;
use proptests::perf::counting::counting;
use proptests::perf::reading::Reading;
use proptests::perf::scenario::Scenario;
use proptests::runner::draw;
use std::ops::RangeInclusive;

/// Stretches of a scenario at most.
const STRETCHES: usize = 40;

/// Changes of the outputs, and how many of them were noticed in the same cycle.
#[derive(Clone, Copy, Debug, Default)]
struct Noticed {
    made: u64,
    noticed: u64,
}

/// Kinds of changes.
const KINDS: [&str; 7] = ["a bit of a count", "a result", "an overflow", "pmi", "irq", "a pin", "the entry"];

/// The runs of a build, each cycle with one output changed.
fn changes<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize>(runs: u64) -> [Noticed; 7]
where
    Perf<LP, GENERAL, FIXED, LANES>:
        Unit<Config = Config, Inputs = Inputs<LP, LANES>, Outputs = Outputs<LP, GENERAL, FIXED>>,
{
    let strategy = counting::<LP, LANES>(Sizes { general: GENERAL, fixed: FIXED }, STRETCHES);
    let mut total = [Noticed::default(); 7];
    for seed in 0..runs {
        let run = draw(seed, &strategy);
        let shown = model::<LP, GENERAL, FIXED, LANES>(run.straps, run.straps, &run.cycles, |_| ());
        let mut reading = Reading::<LP, GENERAL, FIXED, LANES>::new(&run.straps);
        let mut counts = false;
        for (at, (rst_n, inputs, out)) in shown.iter().enumerate() {
            for (kind, wrong) in wrongs(at, out, counts).into_iter().enumerate().filter(|_| *rst_n) {
                if let Some(wrong) = wrong {
                    total[kind].made += 1;
                    total[kind].noticed += u64::from(reading.clone().cycle(true, inputs, &wrong).is_err());
                }
            }
            reading.cycle(*rst_n, inputs, out).expect("the model is right");
            counts = *rst_n && inputs.reg.valid && inputs.reg.op == RegOp::Rdpmc;
        }
    }
    total
}

/// The outputs with one of them changed, for each kind. `counts` is whether they show a count.
fn wrongs<const LP: usize, const GENERAL: usize, const FIXED: usize>(
    at: usize,
    out: &Outputs<LP, GENERAL, FIXED>,
    counts: bool,
) -> [Option<Outputs<LP, GENERAL, FIXED>>; 7] {
    let mut wrong = [*out; 7];
    let lp = at % LP;
    wrong[0].reg_rdata ^= 1 << (at % 32);
    wrong[1].reg_result = if out.reg_result == RegResult::NotMine { RegResult::Done } else { RegResult::NotMine };
    wrong[2].general[lp][0].overflow ^= true;
    wrong[3].lp[lp].pmi ^= true;
    wrong[4].lp[lp].irq ^= true;
    wrong[5].general[lp][0].pin ^= true;
    wrong[6].lp[lp].lvt_vector ^= 1 << (at % 8);
    let mut wrong = wrong.map(Some);
    if !counts || out.reg_result != RegResult::Done {
        wrong[0] = None;
    }
    if !out.reg_done {
        wrong[1] = None;
    }
    wrong
}

fn all_noticed(what: &str, seen: [Noticed; 7], least: [u64; 7]) {
    for ((kind, Noticed { made, noticed }), least) in KINDS.iter().zip(seen).zip(least) {
        println!("{what}: {kind}: {noticed} of {made} noticed");
        assert!(made >= 100 && noticed * 100 >= made * least, "{what}: {kind}: {noticed} of {made} noticed");
    }
}

#[test]
fn changed_outputs_of_the_p6_are_noticed() {
    all_noticed("P6", changes::<1, 2, 0, 4>(40), LEAST);
}

#[test]
fn changed_outputs_of_two_processors_are_noticed() {
    all_noticed("two processors", changes::<2, 4, 3, 2>(40), LEAST);
}

/// The least share of changes that is noticed, in percent. A count or an overflow that the documents leave open may change, and so may the
/// result of a request for `IA32_FIXED_CTR_CTRL` without fixed counters, and a pin that has three bus clocks of time.
const LEAST: [u64; 7] = [90, 95, 95, 100, 100, 60, 100];

/// Something that is wrong with a unit: it sees other inputs than the reading is told.
type Wrong = (&'static str, fn(&mut Inputs<1, 4>));

/// Changes a bit of what is written to the event selects.
fn select(inputs: &mut Inputs<1, 4>, change: impl Fn(u64) -> u64) {
    if inputs.reg.op == RegOp::Wrmsr && matches!(inputs.reg.number, 0x186 | 0x187) {
        let changed = change(inputs.reg.wdata);
        inputs.reg.wdata = changed & 0xFFFF_FFFF;
    }
}

const WRONG: [Wrong; 14] = [
    ("edges are not seen", |inputs| select(inputs, |value| value & !(1 << 18))),
    ("INV is not seen", |inputs| select(inputs, |value| value & !(1 << 23))),
    ("CMASK is not seen", |inputs| select(inputs, |value| value & !(0xFF << 24))),
    ("CMASK is one more", |inputs| {
        select(inputs, |value| if value >> 24 & 0xFF > 0 { value + (1 << 24) } else { value });
    }),
    ("INT is not seen", |inputs| select(inputs, |value| value & !(1 << 20))),
    ("PC is not seen", |inputs| select(inputs, |value| value & !(1 << 19))),
    ("USR for OS", |inputs| {
        select(inputs, |value| value & !(3 << 16) | (value >> 16 & 1) << 17 | (value >> 17 & 1) << 16);
    }),
    ("the unit mask is not seen", |inputs| select(inputs, |value| value & !0xFF00)),
    ("virtual-8086 mode is not seen", |inputs| inputs.lp[0].op_mode = lwp_model::retire::OpMode::Protected),
    ("the core's clock is not seen", |inputs| inputs.core_clock = true),
    ("the bus clock is the core's", |inputs| inputs.bus_tick = inputs.core_clock),
    ("freeze is not seen", |inputs| inputs.lp[0].freeze = false),
    ("lanes of an interruption are seen", |inputs| inputs.lp[0].int_valid = false),
    ("partial is not seen", |inputs| inputs.lp[0].partial = false),
];

#[test]
fn a_wrong_unit_is_noticed() {
    let strategy = counting::<1, 4>(Sizes { general: 2, fixed: 0 }, STRETCHES);
    let runs: Vec<Scenario<1, 4>> = (0..300).map(|seed| draw(seed, &strategy)).collect();
    for (what, wires) in WRONG {
        noticed(what, &runs, |run| {
            let shown: Vec<Shown<1, 2, 0, 4>> = model(run.straps, run.straps, &run.cycles, wires);
            read::<1, 2, 0, 4>(&run.straps, &shown).is_err()
        });
    }
}

/// Runs in which something wrong has to be noticed.
const RUNS: usize = 5;

/// Checks that so many of the runs are objected to.
fn noticed<S>(what: &str, runs: &[S], objects: impl Fn(&S) -> bool) {
    match runs.iter().enumerate().filter(|(_, run)| objects(run)).nth(RUNS - 1) {
        Some((number, _)) => println!("{what}: noticed in {RUNS} of {} runs", number + 1),
        None => panic!("{what}: noticed in fewer than {RUNS} of {} runs", runs.len()),
    }
}

/// Something that is wrong with AnyThread: the counters of each logical processor see other inputs than the reading is told.
type WrongCore = (&'static str, [fn(&mut Inputs<2, 2>); 2]);

/// Hides what a logical processor does, but for its requests and its privilege level.
fn hide(inputs: &mut Inputs<2, 2>, lp: usize) {
    inputs.lanes[lp] = Default::default();
    (inputs.lp[lp].events, inputs.lp[lp].halted) = (Events::default(), true);
}

fn blind<const OWN: usize>(inputs: &mut Inputs<2, 2>) {
    hide(inputs, 1 - OWN);
}

fn no_clocks_of_the_other<const OWN: usize>(inputs: &mut Inputs<2, 2>) {
    inputs.lp[1 - OWN].halted = true;
}

fn own_level<const OWN: usize>(inputs: &mut Inputs<2, 2>) {
    let Lp { cpl, op_mode, .. } = inputs.lp[OWN];
    inputs.lp[1 - OWN] = Lp { cpl, op_mode, ..inputs.lp[1 - OWN] };
}

fn frozen<const OWN: usize>(inputs: &mut Inputs<2, 2>) {
    if inputs.lp[1 - OWN].freeze {
        hide(inputs, 1 - OWN);
    }
}

/// Changes what is written to the registers `numbers`.
fn written(inputs: &mut Inputs<2, 2>, numbers: RangeInclusive<u32>, change: impl Fn(u64) -> u64) {
    if inputs.reg.op == RegOp::Wrmsr && numbers.contains(&inputs.reg.number) {
        inputs.reg.wdata = change(inputs.reg.wdata);
    }
}

const WRONG_CORE: [WrongCore; 7] = [
    ("bit 21 of a select is dropped", [|inputs| written(inputs, 0x186..=0x189, |value| value & !(1 << 21)); 2]),
    ("bit 21 of a select is always 1", [|inputs| written(inputs, 0x186..=0x189, |value| value | 1 << 21); 2]),
    ("bit 2 of a fixed field is dropped", [|inputs| written(inputs, 0x38D..=0x38D, |value| value & 0xBBB); 2]),
    ("the other processor is not seen", [blind::<0>, blind::<1>]),
    ("the other processor's clocks are not seen", [no_clocks_of_the_other::<0>, no_clocks_of_the_other::<1>]),
    ("the level is that of the counter's processor", [own_level::<0>, own_level::<1>]),
    ("the events of a frozen processor are not seen", [frozen::<0>, frozen::<1>]),
];

/// The ports of a unit in which the counters of each logical processor see the inputs that its entry of `wires` makes.
fn core(run: &Scenario<2, 2>, wires: [fn(&mut Inputs<2, 2>); 2]) -> Vec<Shown<2, 4, 3, 2>> {
    let [mut shown, other] = wires.map(|wires| model::<2, 4, 3, 2>(run.straps, run.straps, &run.cycles, wires));
    let mut asked = 0;
    for ((_, inputs, out), (.., other)) in shown.iter_mut().zip(other) {
        (out.lp[1], out.general[1], out.fixed[1]) = (other.lp[1], other.general[1], other.fixed[1]);
        if asked == 1 {
            (out.reg_done, out.reg_result, out.reg_rdata) = (other.reg_done, other.reg_result, other.reg_rdata);
        }
        asked = inputs.reg.lp & 1;
    }
    shown
}

#[test]
fn a_wrong_any_thread_is_noticed() {
    let strategy = counting::<2, 2>(Sizes { general: 4, fixed: 3 }, STRETCHES);
    let runs: Vec<_> = (0..600).map(|seed| draw(seed, &strategy)).filter(|run| run.straps.any_thread).collect();
    let objects = |run: &Scenario<2, 2>, wires| read::<2, 4, 3, 2>(&run.straps, &core(run, wires)).is_err();
    assert!(runs.iter().all(|run| !objects(run, [|_| (); 2])), "nothing is wrong");
    for (what, wires) in WRONG_CORE {
        noticed(what, &runs, |run| objects(run, wires));
    }
}
