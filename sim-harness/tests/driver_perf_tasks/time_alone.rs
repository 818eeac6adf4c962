//! The drivers on a processor that has a time-stamp counter and no counters, as the AMD K6.

use super::{P6Device, Time, on_both, program};
use lwp_regs::perf::virtual_counter::perfctr::{
    BadAddress, CallError, CpuControl, CpuState, Info, Options, UserStates,
};
use lwp_regs::perf::virtual_counter::{Control, NoSelect, TscOnly};
use sim_harness::perf::tasks::{Board, BoardCore, Called, Counters, World};
use std::convert::Infallible;

type TimeAlone<'a, D, T> = World<'a, Board<D, T>, TscOnly<BoardCore<'a, D, T>>, BoardCore<'a, D, T>, 4, 1>;

/// Of the board nothing but the time-stamp counter is used.
fn world<D: P6Device, T: Time>(board: &Board<D, T>) -> TimeAlone<'_, D, T> {
    let counters = Counters { kernel: TscOnly(board.core(0)), user: TscOnly(board.core(0).at(3)), apic: board.core(0) };
    World::new(board, vec![counters], &[], Options::ALL)
}

fn time() -> Control<Infallible, NoSelect, 1> {
    Control::new().with_tsc()
}

/// The sums of a program that counts itself, what three calls returned, and the objects in use at the end.
type Itself = (Vec<u64>, Called<Info>, Called<u32>, Called<()>, usize);

// VPC-03: open, mmap, control, sample, stop, iresume, unlink and info, as with counters; VPC-12: no overflow interrupts
#[test]
fn a_program_times_itself() {
    fn sums<D: P6Device, T: Time>(board: &Board<D, T>) -> Itself {
        let mut world = world(board);
        let a = world.spawn(program(40, 20));
        world.switch(0, Some(a)).unwrap();
        let file = world.open(a, a, true).unwrap();
        let info = world.driver.info(&file);
        let mut seen = Vec::new();
        world.run(3).unwrap(); // created, and not controlled yet
        world.call(a, |driver, of, hw| driver.control(&file, (of.0, of.1), hw, time())).unwrap();
        world.run(5).unwrap();
        seen.push(world.driver.mmap::<()>(&file).unwrap().counters.sums().tsc);
        world.call(a, |driver, of, hw| driver.sample(&file, (of.0, of.1), hw)).unwrap();
        seen.push(world.driver.mmap::<()>(&file).unwrap().counters.sums().tsc);
        world.run(2).unwrap();
        world.call(a, |driver, of, hw| driver.stop(&file, (of.0, of.1), hw)).unwrap();
        world.run(4).unwrap(); // stopped, at a switch as well
        world.switch(0, None).unwrap();
        world.switch(0, Some(a)).unwrap();
        world.run(4).unwrap();
        seen.push(world.driver.mmap::<()>(&file).unwrap().counters.sums().tsc);
        world.call(a, |driver, of, hw| driver.control(&file, (of.0, of.1), hw, time())).unwrap();
        world.run(6).unwrap(); // from 0 again
        let resumed = world.call(a, |driver, of, hw| driver.iresume(&file, (of.0, of.1), hw));
        world.call(a, |driver, of, hw| driver.unlink(&file, (of.0, of.1), hw)).unwrap();
        world.run(3).unwrap();
        seen.push(world.driver.mmap::<()>(&file).unwrap().counters.sums().tsc);
        let unlinked = world.call(a, |driver, of, hw| driver.sample(&file, (of.0, of.1), hw));
        world.driver.release(file);
        (seen, info, resumed, unlinked, world.driver.in_use())
    }
    let (seen, info, resumed, unlinked, in_use) = on_both!(P6, sums);
    // RDTSC takes two cycles: 5 + 2, then 2 + 2 more; anew 6 + 2.
    assert_eq!(seen, [0, 7, 11, 8]);
    assert_eq!(info, Ok(Info { counters: 0, width: 64, interrupts: false, cpus: 1 }));
    assert_eq!(resumed, Err(CallError::NothingOverflowed));
    assert_eq!(unlinked, Err(CallError::Unlinked));
    assert_eq!(in_use, 0);
}

// VPC-03: each task has its own time, and reads it in user mode
#[test]
fn two_tasks() {
    fn times<D: P6Device, T: Time>(board: &Board<D, T>) -> [u64; 5] {
        let mut world = world(board);
        let (a, b) = (world.spawn(program(10, 0)), world.spawn(program(10, 3)));
        world.switch(0, Some(a)).unwrap();
        world.count(a, time()).unwrap();
        world.run(4).unwrap();
        world.switch(0, Some(b)).unwrap();
        let first = world.counts(a).unwrap().tsc;
        world.count(b, time()).unwrap();
        world.run(100).unwrap();
        world.switch(0, Some(a)).unwrap();
        let (other, still) = (world.counts(b).unwrap().tsc, world.page(a).unwrap().counters.sums().tsc);
        world.run(6).unwrap();
        let read = world.counts(a).unwrap().tsc;
        world.switch(0, None).unwrap();
        [first, still, other, read, world.counts(a).unwrap().tsc]
    }
    // A: 4 + 2, and nothing while B runs for 100 + 2; then 6 + 2 when it reads, and the 2 of that.
    assert_eq!(on_both!(P6, times), [6, 6, 102, 14, 16]);
}

/// The states of a read.
#[derive(Debug, Default)]
struct Memory(Vec<u64>);

impl UserStates<Infallible, NoSelect, 1> for Memory {
    fn requested(&mut self) -> Result<usize, BadAddress> {
        Ok(1)
    }

    fn put(&mut self, _: usize, state: &CpuState<Infallible, NoSelect, 1>) -> Result<(), BadAddress> {
        self.0.push(state.sum.tsc);
        Ok(())
    }
}

// VPC-03, VPC-10: the global mode samples time, by a read and by the timer
#[test]
fn global_time() {
    fn times<D: P6Device, T: Time>(board: &Board<D, T>) -> (Called<Info>, Vec<u64>) {
        let mut world = world(board);
        let (info, mut memory) = (world.global.info(), Memory::default());
        for (interval, cycles) in [(0, [7, 5]), (40, [39, 50])] {
            assert_eq!(world.global_control(&[CpuControl { cpu: 0, control: time() }], interval), Ok(1));
            for cycles in cycles {
                world.run(cycles).unwrap();
                assert_eq!(world.global_read(&mut memory), Ok(1));
            }
            world.global_stop().unwrap();
        }
        (info, memory.0)
    }
    let (info, seen) = on_both!(P6, times);
    assert_eq!(info, Ok(Info { counters: 0, width: 64, interrupts: false, cpus: 1 }));
    // 7 + 2, then 5 + 2 more; with the timer the first and the second tick.
    assert_eq!(seen, [9, 16, 40, 80]);
}
