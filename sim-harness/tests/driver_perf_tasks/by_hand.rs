//! Two tasks, ten instructions each, and what each has counted, to be followed by hand with the chapter open.

use super::{P6Device, Time, both, on_both, p6_world, program};
use lwp_regs::perf::virtual_counter::Counts;
use sim_harness::perf::tasks::Board;

/// Cycles that the virtual time-stamp counter of a stay counts in addition to those of the program: RDTSC and two RDPMC of the
/// resumption, three WRMSR of the suspension, two cycles each.
const STAY: u64 = 12;
/// Cycles of a read by the task itself: RDTSC and two RDPMC.
const READ: u64 = 6;

// VPC-04: each sees its own counts only. VPC-06: the time of one stands while the other runs. VPC-18: they count only while their
// task runs. VPC-35: a suspension adds. VPC-38: a second sample adds nothing. VPC-40: sums outside of a run, and the rest within it
#[test]
fn two_tasks_of_ten_instructions() {
    fn steps<D: P6Device, T: Time>(board: &Board<D, T>) -> Vec<Counts<2>> {
        let mut world = p6_world(board);
        let (a, b) = (world.spawn(program(10, 0)), world.spawn(program(10, 3)));
        let mut seen = Vec::new();
        world.switch(0, Some(a)).unwrap();
        world.count(a, both()).unwrap();
        world.run(4).unwrap(); // four instructions of A
        world.switch(0, Some(b)).unwrap();
        seen.push(world.counts(a).unwrap());
        world.count(b, both()).unwrap();
        world.run(10).unwrap(); // all of B, three branches among them
        seen.push(world.counts(b).unwrap());
        seen.push(world.counts(a).unwrap());
        world.switch(0, Some(a)).unwrap();
        world.run(6).unwrap(); // the rest of A
        seen.push(world.counts(a).unwrap());
        world.switch(0, None).unwrap();
        seen.extend([world.counts(a).unwrap(), world.counts(b).unwrap()]);
        seen
    }
    let of = |tsc, instructions, branches| Counts { tsc, pmc: [instructions, branches] };
    let seen = on_both!(P6, steps);
    assert_eq!(seen[0], of(4 + STAY, 4, 0), "A after its first stay");
    assert_eq!(seen[1].pmc, [10, 3], "B while it runs");
    assert_eq!(seen[2], of(4 + STAY, 4, 0), "A has not run, and has counted nothing of B, time included");
    assert_eq!(seen[3].pmc, [10, 0], "A while it runs");
    assert_eq!(seen[4], of(10 + 2 * STAY + READ, 10, 0), "A at the end");
    assert_eq!(seen[5], of(10 + STAY + READ, 10, 3), "B at the end");
}

// VPC-38: a sample moves the start, and adds nothing twice
#[test]
fn sampling_twice() {
    fn sums<D: P6Device, T: Time>(board: &Board<D, T>) -> Vec<([u64; 2], [u64; 2])> {
        let mut world = p6_world(board);
        let a = world.spawn(program(10, 5));
        world.switch(0, Some(a)).unwrap();
        world.count(a, both()).unwrap();
        let file = world.open(a, a, false).unwrap();
        let mut sums = Vec::new();
        for cycles in [4, 0, 6] {
            world.run(cycles).unwrap();
            world.call(a, |driver, caller, hw| driver.sample(&file, (caller.0, caller.1), hw)).unwrap();
            let page = world.page(a).unwrap();
            sums.push((page.counters.start().pmc, page.counters.sums().pmc));
        }
        world.driver.release(file);
        sums
    }
    assert_eq!(on_both!(P6, sums), [([4, 4], [4, 4]), ([4, 4], [4, 4]), ([10, 5], [10, 5])]);
}

// VPC-31: no counters until they are made. VPC-32: those of a task that ends stop and are freed with their last descriptor
#[test]
fn from_the_beginning_of_a_task_to_its_end() {
    fn sums<D: P6Device, T: Time>(board: &Board<D, T>) -> (bool, [u64; 2], usize, usize) {
        let mut world = p6_world(board);
        let (a, b) = (world.spawn(program(10, 5)), world.spawn(program(10, 0)));
        world.switch(0, Some(a)).unwrap();
        let without = world.open(a, a, false).unwrap();
        let none = world.driver.mmap::<()>(&without).is_err();
        world.count(a, both()).unwrap();
        let file = world.open(a, a, false).unwrap();
        world.run(7).unwrap();
        world.exit(0).unwrap();
        world.switch(0, Some(b)).unwrap();
        world.run(10).unwrap();
        let last = world.driver.mmap::<()>(&file).unwrap().counters.sums().pmc;
        let in_use = world.driver.in_use();
        world.driver.release(file);
        world.close(a);
        world.driver.release(without);
        (none, last, in_use, world.driver.in_use())
    }
    assert_eq!(on_both!(P6, sums), (true, [7, 5], 1, 0));
}
