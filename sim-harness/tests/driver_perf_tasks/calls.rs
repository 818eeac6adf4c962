//! The calls on a task's counters, in the order in which a program makes them.

use super::{INSTRUCTIONS, P6Device, Time, both, on_both, p6_world, program};
use lwp_regs::perf::p6::{Counter, PerfEvtSel0};
use lwp_regs::perf::virtual_counter::Control;
use lwp_regs::perf::virtual_counter::perfctr::{CallError, Info, Options, Perfctr, ProcEntry, VirtualCommand};
use sim_harness::core::MachineFault;
use sim_harness::perf::tasks::{Board, Called};

// VPC-08: a program opens its own counters, controls, samples and stops them. VPC-43: open, mmap, ioctl, release. VPC-51: stop, unlink,
// sample, iresume
#[test]
fn a_program_counts_itself() {
    fn sums<D: P6Device, T: Time>(board: &Board<D, T>) -> (Vec<[u64; 2]>, Called<u32>, Called<()>, usize) {
        let mut world = p6_world(board);
        let a = world.spawn(program(40, 20));
        world.switch(0, Some(a)).unwrap();
        let file = world.open(a, a, true).unwrap();
        let mut seen = Vec::new();
        world.run(3).unwrap(); // created, and not controlled yet
        world.call(a, |driver, of, hw| driver.control(&file, (of.0, of.1), hw, both())).unwrap();
        world.run(5).unwrap();
        seen.push(world.driver.mmap::<()>(&file).unwrap().counters.sums().pmc);
        world.call(a, |driver, of, hw| driver.sample(&file, (of.0, of.1), hw)).unwrap();
        seen.push(world.driver.mmap::<()>(&file).unwrap().counters.sums().pmc);
        world.run(2).unwrap();
        world.call(a, |driver, of, hw| driver.stop(&file, (of.0, of.1), hw)).unwrap();
        world.run(4).unwrap(); // stopped, at a switch as well
        world.switch(0, None).unwrap();
        world.switch(0, Some(a)).unwrap();
        world.run(4).unwrap();
        seen.push(world.driver.mmap::<()>(&file).unwrap().counters.sums().pmc);
        world.call(a, |driver, of, hw| driver.control(&file, (of.0, of.1), hw, both())).unwrap();
        world.run(6).unwrap(); // from 0 again
        let resumed = world.call(a, |driver, of, hw| driver.iresume(&file, (of.0, of.1), hw));
        world.call(a, |driver, of, hw| driver.unlink(&file, (of.0, of.1), hw)).unwrap();
        world.run(3).unwrap();
        seen.push(world.driver.mmap::<()>(&file).unwrap().counters.sums().pmc);
        let unlinked = world.call(a, |driver, of, hw| driver.sample(&file, (of.0, of.1), hw));
        let again = world.open(a, a, true).unwrap(); // the task has none any more
        world.driver.release(again);
        world.driver.release(file);
        (seen, resumed, unlinked, world.driver.in_use())
    }
    let (seen, resumed, unlinked, in_use) = on_both!(P6, sums);
    assert_eq!(seen, [[0, 0], [5, 5], [7, 7], [6, 2]]);
    assert_eq!(resumed, Err(CallError::NothingOverflowed));
    assert_eq!(unlinked, Err(CallError::Unlinked));
    assert_eq!(in_use, 1, "the second object is the task's");
}

// VPC-43: a descriptor has these calls. VPC-51: the four of the study, and the two that it needs besides
#[test]
fn numbers_of_the_calls() {
    let calls: Vec<_> = (0..6).map(|number| VirtualCommand::try_from(number).unwrap()).collect();
    assert_eq!(calls, VirtualCommand::ALL);
    assert_eq!(VirtualCommand::try_from(6).map_err(|error| error.errno()), Err(22));
}

/// A remote task: what another one does with its counters.
type Remote = (Vec<Called<()>>, [u64; 2], Called<()>, [u64; 2]);

// VPC-46: another task controls the counters once it has attached, and not before
#[test]
fn remote_control() {
    fn remote<D: P6Device, T: Time>(board: &Board<D, T>) -> Remote {
        let mut world = p6_world(board);
        let (parent, child) = (world.spawn(program(40, 40)), world.spawn(program(40, 10)));
        world.switch(0, Some(parent)).unwrap();
        let mut results = vec![world.open(parent, child, true).map(drop)];
        world.table.attach(parent, child);
        let file = world.open(parent, child, true).unwrap();
        results.push(world.call(parent, |driver, of, hw| driver.control(&file, (of.0, of.1), hw, both())));
        world.run(7).unwrap(); // the parent's instructions are not the child's
        world.switch(0, Some(child)).unwrap();
        results.push(world.call(parent, |driver, of, hw| driver.sample(&file, (of.0, of.1), hw))); // it runs
        world.run(12).unwrap();
        world.switch(0, Some(parent)).unwrap();
        world.run(5).unwrap();
        results.push(world.call(parent, |driver, of, hw| driver.sample(&file, (of.0, of.1), hw)));
        let counted = world.driver.mmap::<()>(&file).unwrap().counters.sums().pmc;
        world.table.detach(parent, child);
        let detached = world.call(parent, |driver, of, hw| driver.stop(&file, (of.0, of.1), hw));
        world.switch(0, Some(child)).unwrap();
        world.run(3).unwrap();
        world.switch(0, None).unwrap();
        let last = world.driver.mmap::<()>(&file).unwrap().counters.sums().pmc;
        world.driver.release(file);
        (results, counted, detached, last)
    }
    let refused = Err(CallError::NotAttached);
    let found = on_both!(P6, remote);
    assert_eq!(found, (vec![refused, Ok(()), refused, Ok(())], [12, 10], refused, [15, 10]));
}

// VPC-48: information without counters, and an open that finds none. VPC-49: each open is a reference
#[test]
fn references_and_information() {
    fn found<D: P6Device, T: Time>(board: &Board<D, T>) -> (Vec<Called<Info>>, Vec<usize>, Called<()>) {
        let mut world = p6_world(board);
        let a = world.spawn(program(10, 0));
        world.switch(0, Some(a)).unwrap();
        let none = world.open(a, a, false).unwrap();
        let mut info = vec![world.driver.info(&none)];
        let sample = world.call(a, |driver, of, hw| driver.sample(&none, (of.0, of.1), hw));
        let files = [true, false, false].map(|create| world.open(a, a, create).unwrap());
        info.push(world.driver.info(&files[0]));
        world.exit(0).unwrap();
        let mut in_use = vec![world.driver.in_use()];
        for file in files {
            world.driver.release(file);
            in_use.push(world.driver.in_use());
        }
        world.driver.release(none);
        (info, in_use, sample)
    }
    let info = Info { counters: 2, width: 40, interrupts: true, cpus: 1 };
    assert_eq!(on_both!(P6, found), (vec![Ok(info); 2], vec![1, 1, 1, 0], Err(CallError::NoCounters)));
}

/// What a driver with these options answers: the entry in `/proc`, an open, a switch that contradicts the one before.
fn with_options<D: P6Device, T: Time>(
    board: &Board<D, T>,
    options: Options,
) -> (Option<ProcEntry>, Called<()>, Called<u32>) {
    let mut world = p6_world(board);
    let a = world.spawn(program(10, 0));
    world.driver = Perfctr::new(options);
    world.init(&Counter::ALL).unwrap();
    world.switch(0, Some(a)).unwrap();
    let opened = world.count(a, both());
    let again = world.call(a, |driver, _, hw| driver.switch(hw, None, Some(a)));
    (world.driver.proc_entry(), opened, again)
}

// VPC-16: checks find what contradicts itself. VPC-18: without the option there are no counters of a task. VPC-42: the entry in /proc is
// there with the option alone
#[test]
fn options_leave_parts_out() {
    fn all<D: P6Device, T: Time>(board: &Board<D, T>) -> Vec<(Option<ProcEntry>, Called<()>, Called<u32>)> {
        let none = Options { virtual_counters: false, ..Options::ALL };
        let unchecked = Options { checks: false, ..Options::ALL };
        [Options::ALL, unchecked, none].map(|options| with_options(board, options)).to_vec()
    }
    let entry = Some(ProcEntry { name: "perfctr", mode: 0o400 });
    let found = on_both!(P6, all);
    assert_eq!(found[0], (entry, Ok(()), Err(CallError::Inconsistent)));
    assert_eq!(found[1], (entry, Ok(()), Ok(0)));
    assert_eq!(found[2], (None, Err(CallError::NoDevice), Ok(0)));
}

// VPC-17: the tests of the initialisation pass on the counters, which they leave stopped
#[test]
fn initialisation_tries_the_counters_out() {
    fn tried<D: P6Device, T: Time>(board: &Board<D, T>) -> (bool, [u64; 2]) {
        use lwp_regs::perf::virtual_counter::CounterHardware;
        let mut world = p6_world(board);
        for counter in Counter::ALL {
            world.kernel(0).program(counter, 7, PerfEvtSel0::from_bits(INSTRUCTIONS)).unwrap();
        }
        let passed = world.init(&Counter::ALL).is_ok();
        let a = world.spawn(program(10, 0));
        world.switch(0, Some(a)).unwrap();
        world.run(10).unwrap();
        (passed, Counter::ALL.map(|counter| world.kernel(0).read(counter).unwrap()))
    }
    assert_eq!(on_both!(P6, tried), (true, [0, 0]));
}

/// A control that has nothing makes a task that counts nothing.
#[test]
fn an_empty_control_counts_nothing() {
    fn counted<D: P6Device, T: Time>(board: &Board<D, T>) -> Result<[u64; 2], CallError<MachineFault>> {
        let mut world = p6_world(board);
        let a = world.spawn(program(10, 0));
        world.switch(0, Some(a)).unwrap();
        world.count(a, Control::new()).unwrap();
        world.run(10).unwrap();
        world.counts(a).map(|counts| counts.pmc)
    }
    assert_eq!(on_both!(P6, counted), Ok([0, 0]));
}
