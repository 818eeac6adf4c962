//! The boards of the cases, and the property: each task has counted what it counts alone, on the model, and the RTL agrees.

use super::case::{Case, Event, TaskCase};
use super::play::{Played, play};
use super::programs::programs;
use super::wrong::{Bug, Wrong};
use crate::lockstep::{UnitCycle, agree, recorded};
use lwp_model::perf::{Config, Inputs, Perf, Personality};
use lwp_model::tsc::{self, Tsc};
use lwp_model::{Moore, Unit};
use lwp_regs::perf::architectural::{Ia32PerfCapabilities, Ia32PerfEvtSel};
use lwp_regs::perf::p6::{Counter, PerfEvtSel0};
use lwp_regs::perf::virtual_counter::perfctr::Options;
use lwp_regs::perf::virtual_counter::{Control, ControlError, CounterHardware};
use sim_harness::perf::machine::Machine;
use sim_harness::perf::tasks::{All, Board, Counters, Program, Recorded, World};
use sim_harness::perf::tasks::{architectural as architectural_counters, p6_family};
use sim_harness::rtl::{BuildId, Flavour};
use sim_harness::tsc::machine::Machine as TimeMachine;
use std::sync::OnceLock;

/// Time-stamp counter that ticks once in each cycle.
const TIME: tsc::Config = tsc::Config { art_whole: 1, art_rest: 0, art_denominator: 1, ..tsc::Config::DEFAULT };

/// What is common to the processors: USR, EN; INT.
const COUNTS: u64 = 0x0041_0000;
const INTERRUPT: u64 = 1 << 20;

/// What happened in all cases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// Tasks that were compared.
    pub tasks: u64,
    /// Switches.
    pub switches: u64,
    /// Events that the tasks have counted.
    pub events: u64,
    /// Overflows that were reported.
    pub overflows: u64,
    /// Interrupts that came when their task did not run any more.
    pub strays: u64,
}

pub(super) type Recording<D> = Board<Recorded<D>, Recorded<Tsc<4>>>;

pub(super) fn board<U: Unit<Config = Config> + Moore>(
    straps: &Config,
) -> (Machine<Recorded<U>>, TimeMachine<Recorded<Tsc<4>>>) {
    let perf = Recorded::new(U::new(*straps).unwrap_or_else(|_| panic!("the straps are legal")));
    let time = Recorded::new(Tsc::new(TIME).expect("the straps are legal"));
    (Machine::new(perf, straps), TimeMachine::new(time, &TIME))
}

/// The RTL agrees with the models in every register of every cycle.
pub(super) fn replay<U>(
    build: BuildId,
    straps: &Config,
    inputs: Vec<U::Inputs>,
    time: Vec<tsc::Inputs>,
) -> Result<(), String>
where
    U: Unit<Config = Config>,
{
    let cycles: Vec<_> = inputs.into_iter().map(|inputs| UnitCycle { reset: false, inputs }).collect();
    agree::<U>(build, Flavour::Fast, straps, &recorded::<U>(straps, &cycles))?;
    let cycles: Vec<_> = time.into_iter().map(|inputs| UnitCycle { reset: false, inputs }).collect();
    let build = BuildId::from_name("tsc_lp4").expect("a build of the time-stamp counter");
    agree::<Tsc<4>>(build, Flavour::Fast, &TIME, &recorded::<Tsc<4>>(&TIME, &cycles))
}

/// A task's control, from the selects of its two events.
fn control<H: CounterHardware>(
    hw: &H,
    task: &TaskCase,
    counters: [H::Counter; 2],
    select: impl Fn(Event, u64) -> H::Select,
) -> Result<Control<H::Counter, H::Select, 2>, ControlError> {
    let [first, second] = task.events;
    let threshold = u64::from(task.threshold) << 24;
    let control = Control::new().with_tsc();
    let control = match task.period {
        None => control.count(counters[0], select(first, COUNTS | threshold))?,
        Some(period) => {
            let select = select(first, COUNTS | INTERRUPT | threshold);
            control.interrupt_after(hw, counters[0], select, period.into())?
        }
    };
    control.count(counters[1], select(second, COUNTS))
}

/// Whichever driver the counters are given to has this bug.
fn with_bug<A, H: CounterHardware>(counters: Vec<Counters<H, A>>, bug: Bug) -> Vec<Counters<Wrong<H>, A>> {
    let of = |of: Counters<H, A>| Counters {
        kernel: Wrong::new(of.kernel, bug),
        user: Wrong::new(of.user, Bug::None),
        apic: of.apic,
    };
    counters.into_iter().map(of).collect()
}

/// The driver without the tests of its initialisation, which a bug would fail.
const OPTIONS: Options = Options { init_tests: false, ..Options::ALL };

/// A P6 with one processor. What the case did, and what the units were given.
fn play_p6(case: &Case, bug: Bug) -> Result<(Played, Vec<Inputs<1, 4>>, Vec<tsc::Inputs>), String> {
    static PROGRAMS: OnceLock<Vec<Program<4>>> = OnceLock::new();
    let (perf, time) = board::<Perf<1, 2, 0, 4>>(&Config::default());
    let board: Recording<Perf<1, 2, 0, 4>> = Board::new(perf, time);
    let counters: All<'_, _, _, _> = p6_family(&board);
    let select = |event, bits: u64| {
        let code = match event {
            Event::Instructions => 0xC0,
            Event::Branches => 0xC4,
            Event::Mispredictions => 0xC5,
            Event::Cycles => 0x79,
            Event::Misses => 0x43, // DATA_MEM_REFS: a P6 counts its accesses
        };
        PerfEvtSel0::from_bits(bits | code)
    };
    let mut world = World::<_, _, _, 4, 2>::new(&board, with_bug(counters, bug), &Counter::ALL, OPTIONS);
    let programs = PROGRAMS.get_or_init(programs);
    let of = |hw: &mut Wrong<_>, task: usize| {
        control(&*hw, &case.tasks[task], Counter::ALL, select).expect("the strategy draws legal controls")
    };
    let played = play(&mut world, (case, programs), &board, of, &Counter::ALL)?;
    drop(world);
    let (perf, time) = board.into_devices();
    Ok((played, perf.into_inputs(), time.into_inputs()))
}

/// Version 3 with counters of 40 bits.
pub(super) fn version_3() -> Config {
    Config {
        personality: Personality::Version3,
        counters: 4,
        width: 40,
        fixed: 3,
        fixed_width: 40,
        capabilities: Ia32PerfCapabilities::from_bits(1 << 13),
        pdcm: true,
        ..Config::default()
    }
}

/// The event select of an architectural event.
pub(super) fn architectural_select(event: Event, bits: u64) -> Ia32PerfEvtSel {
    let code = match event {
        Event::Instructions => 0xC0,
        Event::Branches => 0xC4,
        Event::Mispredictions => 0xC5,
        Event::Cycles => 0x3C,
        Event::Misses => 0x4F2E, // references to the last cache
    };
    Ia32PerfEvtSel::from_bits(bits | code)
}

/// Two processors of version 3.
fn play_architectural(case: &Case, bug: Bug) -> Result<(Played, Vec<Inputs<2, 2>>, Vec<tsc::Inputs>), String> {
    static PROGRAMS: OnceLock<Vec<Program<2>>> = OnceLock::new();
    let (perf, time) = board::<Perf<2, 4, 3, 2>>(&version_3());
    let board: Recording<Perf<2, 4, 3, 2>> = Board::new(perf, time);
    let (counters, caps) = architectural_counters(&board);
    // Not the first: a number that is the place of the counter in the control would hide a mistake.
    let two = [3, 1].map(|number| caps.counter(number).expect("there are four"));
    let mut world = World::<_, _, _, 2, 2>::new(&board, with_bug(counters, bug), &two, OPTIONS);
    let programs = PROGRAMS.get_or_init(programs);
    let of = |hw: &mut Wrong<_>, task: usize| {
        control(&*hw, &case.tasks[task], two, architectural_select).expect("the strategy draws legal controls")
    };
    let played = play(&mut world, (case, programs), &board, of, &two)?;
    drop(world);
    let (perf, time) = board.into_devices();
    Ok((played, perf.into_inputs(), time.into_inputs()))
}

/// Plays a case, and each of its tasks alone, by `play`, and compares.
fn compared<I>(
    case: &Case,
    bug: Bug,
    play: impl Fn(&Case, Bug) -> Result<(Played, Vec<I>, Vec<tsc::Inputs>), String>,
) -> Result<(Sizes, Vec<I>, Vec<tsc::Inputs>), String> {
    let (played, inputs, time) = play(case, bug)?;
    let mut sizes = Sizes { switches: played.switches as u64, strays: played.strays as u64, ..Sizes::default() };
    for task in (0..case.tasks.len()).filter(|task| played.started(*task)) {
        let (alone, ..) = play(&played.alone(case, task), Bug::None)?;
        played.compare(task, &alone)?;
        if case.tasks[task].period.is_none() && played.overflows[task] != 0 {
            return Err(format!("task {task} asked for no interrupt, and is told of {}", played.overflows[task]));
        }
        sizes.tasks += 1;
        sizes.overflows += played.overflows[task] as u64;
        sizes.events += played.counts[task].map_or(0, |counts| counts.pmc.iter().sum());
    }
    Ok((sizes, inputs, time))
}

/// Checks a case on a P6.
///
/// # Errors
/// What a task has counted that it does not count alone, or the first difference between model and RTL.
pub fn p6(case: &Case, bug: Bug) -> Result<Sizes, String> {
    let (sizes, inputs, time) = compared(case, bug, play_p6)?;
    replay::<Perf<1, 2, 0, 4>>(BuildId::PerfC2, &Config::default(), inputs, time)?;
    Ok(sizes)
}

/// Checks a case on two processors of version 3.
///
/// # Errors
/// As [`p6`].
pub fn architectural(case: &Case, bug: Bug) -> Result<Sizes, String> {
    let (sizes, inputs, time) = compared(case, bug, play_architectural)?;
    replay::<Perf<2, 4, 3, 2>>(BuildId::PerfC4, &version_3(), inputs, time)?;
    Ok(sizes)
}
