//! The pair of a P6 counts for the processor, virtual counters for a task: both over the same run of two tasks.

use super::{P6Control, P6Device, P6World, Time, cycle, on_both, p6_world, program};
use lwp_regs::perf::p6::{Counter, EventSelect, P6Counters, P6Model, PerfEvtSel0, Run, event};
use lwp_regs::perf::virtual_counter::Control;
use sim_harness::perf::tasks::{Bench, Board, TaskId};

/// INST_RETIRED and BR_INST_RETIRED at all levels, enabled.
const INSTRUCTIONS: u64 = 0x0043_00C0;
const BRANCHES: u64 = 0x0043_00C4;

fn virtual_pair() -> P6Control {
    let control = Control::new().with_tsc().count(Counter::Counter0, PerfEvtSel0::from_bits(INSTRUCTIONS)).unwrap();
    control.count(Counter::Counter1, PerfEvtSel0::from_bits(BRANCHES)).unwrap()
}

/// Ten instructions with three branches, and seven with two.
fn two_tasks<D: P6Device, T: Time>(world: &mut P6World<'_, D, T>) -> [TaskId; 2] {
    [world.spawn(program(10, 3)), world.spawn(program(7, 2))]
}

/// The run: five instructions of the system that start the first task, four of that task, all of the second, the rest of the first.
fn run<D: P6Device, T: Time>(
    board: &Board<D, T>,
    world: &mut P6World<'_, D, T>,
    [own, other]: [TaskId; 2],
    control: Option<P6Control>,
) {
    let mut system = cycle(1, false);
    system.lp[0].cpl = 0;
    (0..5).for_each(|_| board.cycle(&[Some(&system)]));
    for (task, cycles, first) in [(own, 4, true), (other, 7, true), (own, 6, false)] {
        world.switch(0, Some(task)).unwrap();
        if let Some(control) = control.filter(|_| first) {
            world.count(task, control).unwrap();
        }
        world.run(cycles).unwrap();
    }
    world.switch(0, None).unwrap();
}

// MET-07: the result of the pair is that of the system that starts the program, the program and the other task; the virtual counters of
// each task have its own
#[test]
fn the_pair_counts_what_virtual_counters_divide() {
    fn of_the_processor<D: P6Device, T: Time>(board: &Board<D, T>) -> [u64; 2] {
        let mut world = p6_world(board);
        let tasks = two_tasks(&mut world);
        let [instructions, branches] = [&event::INST_RETIRED, &event::BR_INST_RETIRED].map(EventSelect::new);
        let setup = Run::pair(instructions, branches).unwrap().setup(P6Model::PentiumIII).unwrap();
        let work = || run(board, &mut world, tasks, None);
        P6Counters::new(board.core(0)).count(&setup, &mut board.core(0), work).unwrap().counts
    }
    fn of_each_task<D: P6Device, T: Time>(board: &Board<D, T>) -> [[u64; 2]; 2] {
        let mut world = p6_world(board);
        let tasks = two_tasks(&mut world);
        run(board, &mut world, tasks, Some(virtual_pair()));
        tasks.map(|task| world.counts(task).unwrap().pmc)
    }
    assert_eq!(on_both!(P6, of_the_processor), [5 + 10 + 7, 3 + 2]);
    assert_eq!(on_both!(P6, of_each_task), [[10, 3], [7, 2]]);
}
