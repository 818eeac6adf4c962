//! The global mode under a schedule: the processors together count what the tasks have done.

use super::case::{Case, Event, LONGEST, Step};
use super::programs::programs;
use super::property::{Recording, architectural_select, board, replay, version_3};
use lwp_model::perf::{Inputs, Perf};
use lwp_regs::perf::architectural::{CounterIndex, Ia32PerfEvtSel};
use lwp_regs::perf::virtual_counter::Control;
use lwp_regs::perf::virtual_counter::perfctr::{BadAddress, CpuControl, CpuState, Options, UserStates};
use sim_harness::perf::tasks::{Board, Program, TaskId, World, architectural};
use sim_harness::rtl::BuildId;
use std::sync::OnceLock;

/// Sums of instructions and branches of each processor.
#[derive(Debug, Default)]
struct Sums(Vec<[u64; 2]>);

impl UserStates<CounterIndex, Ia32PerfEvtSel, 2> for Sums {
    fn requested(&mut self) -> Result<usize, BadAddress> {
        Ok(2)
    }

    fn put(&mut self, _: usize, state: &CpuState<CounterIndex, Ia32PerfEvtSel, 2>) -> Result<(), BadAddress> {
        self.0.push(state.sum.pmc);
        Ok(())
    }
}

/// Instructions and branches of a cycle of a program, by its lanes.
fn of_cycle(cycle: &Inputs<1, 2>) -> [u64; 2] {
    let count = |which: fn(&lwp_model::perf::Lane) -> bool| {
        cycle.lanes[0].iter().filter(|lane| lane.valid && which(lane)).count() as u64
    };
    let is_branch = |lane: &lwp_model::perf::Lane| lane.branch_kind != lwp_model::retire::BranchKind::None;
    [count(|lane| lane.counts), count(is_branch)]
}

/// Two processors count instructions and branches of whatever runs there, and the sums are those of the cycles that ran. The timer
/// samples in between, and the last read, after the timer has run down once more, has everything.
///
/// # Errors
/// A processor that has counted anything else, or more than has happened.
///
/// # Panics
/// If the straps are illegal or the traces are missing.
pub fn global_sums(case: &Case) -> Result<u64, String> {
    static PROGRAMS: OnceLock<Vec<Program<2>>> = OnceLock::new();
    let programs = PROGRAMS.get_or_init(programs);
    let straps = version_3();
    let (perf, time) = board::<Perf<2, 4, 3, 2>>(&straps);
    let board: Recording<Perf<2, 4, 3, 2>> = Board::new(perf, time);
    let (counters, caps) = architectural(&board);
    let two = [3, 1].map(|number| caps.counter(number).expect("there are four"));
    let mut world = World::<_, _, _, 2, 2>::new(&board, counters, &two, Options::ALL);
    let parts: Vec<_> = case.tasks.iter().map(|task| programs[task.trace].part(task.first, LONGEST)).collect();
    for part in &parts {
        world.spawn(part.clone());
    }
    let select = |event| architectural_select(event, 0x0041_0000);
    let control = Control::new()
        .count(two[0], select(Event::Instructions))
        .and_then(|control| control.count(two[1], select(Event::Branches)));
    let control = control.map_err(|error| error.to_string())?;
    let interval = u64::from(case.interval);
    world.global_control(&[0, 1].map(|cpu| CpuControl { cpu, control }), interval).map_err(told)?;
    let mut expected = vec![[0; 2]; 2];
    for step in &case.steps {
        match *step {
            Step::Run(cycles) => {
                for (cpu, expected) in expected.iter_mut().enumerate() {
                    let Some(task) = world.current(cpu) else { continue };
                    let ran = parts[task.0].cycles().iter().skip(world.ran(task)).take(cycles.into()).map(of_cycle);
                    *expected = ran.fold(*expected, |sum, cycle| [sum[0] + cycle[0], sum[1] + cycle[1]]);
                }
                world.run(cycles.into()).map_err(told)?;
            }
            Step::Switch { cpu, task, .. } => {
                let task = TaskId(usize::from(task) % parts.len());
                if (0..2).all(|cpu| world.current(cpu) != Some(task)) {
                    world.switch(usize::from(cpu) % 2, Some(task)).map_err(told)?;
                }
            }
            Step::Idle(cpu) => world.switch(usize::from(cpu) % 2, None).map_err(told)?,
            Step::Read(_) | Step::Sample(_) | Step::Exit(_) => {
                let mut sums = Sums::default();
                world.global_read(&mut sums).map_err(told)?;
                let more = |(sum, most): (&[u64; 2], &[u64; 2])| sum[0] > most[0] || sum[1] > most[1];
                if (interval == 0 && sums.0 != expected) || sums.0.iter().zip(&expected).any(more) {
                    return Err(format!("{step:?}: {sums:?}, and {expected:?} have happened"));
                }
            }
        }
    }
    (0..2).try_for_each(|cpu| world.switch(cpu, None)).map_err(told)?;
    world.run(interval).map_err(told)?;
    let mut sums = Sums::default();
    world.global_read(&mut sums).map_err(told)?;
    if sums.0 != expected {
        return Err(format!("at the end {sums:?}, and {expected:?} have happened"));
    }
    drop(world);
    let (perf, time) = board.into_devices();
    replay::<Perf<2, 4, 3, 2>>(BuildId::PerfC4, &straps, perf.into_inputs(), time.into_inputs())?;
    Ok(expected.iter().flatten().sum())
}

fn told(error: impl std::fmt::Debug) -> String {
    format!("{error:?}")
}
