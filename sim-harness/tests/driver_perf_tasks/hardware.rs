//! What the units contribute: counters that wrap, RDPMC in user mode, time without counters.

use super::{Architectural, Device, P6Device, Time, both, on_both, on_two_cpus, p6_world, program, two_cpus};
use lwp_regs::access::MsrBus;
use lwp_regs::perf::p6::{Counter, PerfCtr};
use lwp_regs::perf::virtual_counter::perfctr::{CallError, read_mapped};
use lwp_regs::perf::virtual_counter::{Control, CounterHardware, Counts, TaskCounters, TscOnly};
use sim_harness::core::MachineFault;
use sim_harness::perf::tasks::Board;

// VPC-05, VPC-41: the counter of 40 bits wraps while the task runs, and the sum goes on
#[test]
fn a_counter_wraps_in_every_stay() {
    fn sums<D: P6Device, T: Time>(board: &Board<D, T>) -> ([u64; 2], u64) {
        let mut world = p6_world(board);
        let a = world.spawn(program(30, 0));
        world.switch(0, Some(a)).unwrap();
        world.count(a, both()).unwrap();
        for _ in 0..3 {
            world.switch(0, None).unwrap();
            // Whoever ran meanwhile left the counter at -5.
            world.kernel(0).write_counter(Counter::Counter0, PerfCtr::READ_MASK - 4).unwrap();
            world.switch(0, Some(a)).unwrap();
            world.run(10).unwrap();
        }
        let shown = world.kernel(0).read(Counter::Counter0).unwrap();
        (world.counts(a).unwrap().pmc, shown)
    }
    assert_eq!(on_both!(P6, sums), ([30, 0], 5));
}

// VPC-05: more than the hardware can hold. Events are too few for that, so the counter is moved as if they had happened
#[test]
fn sums_have_64_bits() {
    fn sums<D: Device, T: Time>(board: &Board<D, T>) -> u64 {
        let (mut world, caps) = two_cpus(board);
        let a = world.spawn(program(40, 0));
        world.switch(0, Some(a)).unwrap();
        world.count(a, on_two_cpus(&caps)).unwrap();
        let file = world.open(a, a, false).unwrap();
        let counter = caps.counter(0).unwrap();
        for _ in 0..4 {
            world.run(10).unwrap();
            let moved = (world.kernel(0).read(counter).unwrap() + 0xC0_0000_0000) & 0xFF_FFFF_FFFF;
            world.kernel(0).write_counter(counter, moved).unwrap();
            world.call(a, |driver, caller, hw| driver.sample(&file, (caller.0, caller.1), hw)).unwrap();
        }
        world.driver.release(file);
        world.counts(a).unwrap().pmc[0]
    }
    assert_eq!(on_both!(Architectural, sums), 0x300_0000_0000 + 40);
}

// VPC-07: user mode reads its counters by RDPMC and RDTSC and the page alone; RDMSR and, without CR4.PCE, RDPMC would fault there
#[test]
fn user_mode_reads_without_a_call() {
    fn read<D: P6Device, T: Time>(board: &Board<D, T>) -> Vec<Result<[u64; 2], CallError<MachineFault>>> {
        let mut world = p6_world(board);
        let a = world.spawn(program(10, 5));
        world.switch(0, Some(a)).unwrap();
        world.count(a, both()).unwrap();
        world.run(4).unwrap();
        let mut read = vec![world.counts(a).map(|counts| counts.pmc)];
        let rdmsr = PerfCtr::msr(Counter::Counter0).read(world.user(0).bus_mut());
        read.push(rdmsr.map(|_| [0; 2]).map_err(CallError::Fault));
        world.run(4).unwrap();
        read.push(world.counts(a).map(|counts| counts.pmc));
        board.set_pce(false);
        read.push(world.counts(a).map(|counts| counts.pmc));
        read
    }
    let fault = Err(CallError::Fault(MachineFault::GeneralProtection));
    assert_eq!(on_both!(P6, read), [Ok([4, 4]), fault, Ok([8, 5]), fault]);
}

// VPC-50: the page is read while it changes: the task loses the processor between its copy of the page and RDPMC
#[test]
fn a_switch_in_the_middle_of_a_read() {
    fn read<D: P6Device, T: Time>(board: &Board<D, T>) -> (Counts<2>, Counts<2>) {
        let mut world = p6_world(board);
        let (a, b) = (world.spawn(program(20, 0)), world.spawn(program(20, 0)));
        for task in [b, a] {
            world.switch(0, Some(task)).unwrap();
            world.count(task, both()).unwrap();
        }
        world.run(6).unwrap();
        let mut copies = 0;
        let mut user = sim_harness::perf::tasks::p6_family(board).remove(0).user;
        let page = || {
            let page = world.page(a).unwrap();
            copies += 1;
            if copies == 1 {
                world.switch(0, Some(b)).unwrap();
                world.run(9).unwrap();
                world.switch(0, Some(a)).unwrap();
            }
            page
        };
        let counts = read_mapped(page, &mut user).unwrap();
        assert_eq!(copies, 4, "read again");
        world.switch(0, None).unwrap();
        (counts, world.counts(a).unwrap())
    }
    let (counts, last) = on_both!(P6, read);
    assert_eq!((counts.pmc, last.pmc), ([6, 0], [6, 0]));
    assert!(counts.tsc < last.tsc && last.tsc < 60, "nothing of the nine cycles of the other task twice");
}

// VPC-03: with a time-stamp counter and no counters, virtual time still works
#[test]
fn time_without_counters() {
    fn times<D: P6Device, T: Time>(board: &Board<D, T>) -> [u64; 3] {
        use sim_harness::perf::tasks::Bench;
        let wait = |cycles| (0..cycles).for_each(|_| board.cycle(&[]));
        let mut hw = TscOnly(board.core(0));
        let mut task: TaskCounters<_, _, 1> = TaskCounters::new(Control::new().with_tsc());
        task.resume(&mut hw).unwrap();
        wait(100);
        task.suspend(&mut hw).unwrap();
        let first = task.sums().tsc;
        wait(1000);
        let second = task.read(&mut hw).unwrap().tsc;
        task.resume(&mut hw).unwrap();
        wait(20);
        [first, second, task.read(&mut hw).unwrap().tsc]
    }
    assert_eq!(on_both!(P6, times), [102, 102, 124]);
}

/// A task that moves to another processor is suspended on the one and resumed on the other.
#[test]
fn a_task_moves_to_another_processor() {
    fn sums<D: Device, T: Time>(board: &Board<D, T>) -> Vec<[u64; 2]> {
        let (mut world, caps) = two_cpus(board);
        let (a, b) = (world.spawn(program(20, 2)), world.spawn(program(20, 20)));
        for (cpu, task) in [(0, a), (1, b)] {
            world.switch(cpu, Some(task)).unwrap();
            world.count(task, on_two_cpus(&caps)).unwrap();
        }
        world.run(5).unwrap();
        world.switch(0, None).unwrap();
        world.switch(1, None).unwrap();
        world.switch(0, Some(b)).unwrap();
        world.switch(1, Some(a)).unwrap();
        world.run(8).unwrap();
        vec![world.counts(a).unwrap().pmc, world.counts(b).unwrap().pmc]
    }
    assert_eq!(on_both!(Architectural, sums), [[13, 2], [13, 13]]);
    let _: Option<Architectural> = None;
}

/// An access of user mode to a register is a fault, whatever the board.
#[test]
fn registers_are_for_level_0() {
    fn written<D: P6Device, T: Time>(board: &Board<D, T>) -> bool {
        // SAFETY: no register of the board makes hardware access memory.
        unsafe { board.core(0).at(3).wrmsr(0x186, 0) }.is_err()
    }
    assert!(on_both!(P6, written));
}
