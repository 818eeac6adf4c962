//! Errors of opening a task's counters: each, and that nothing is left behind.

use super::{P6Device, Time, both, on_both, p6_world, program};
use lwp_regs::perf::virtual_counter::perfctr::{CallError, File, Options, Perfctr};
use sim_harness::perf::tasks::{Board, Called, OBJECTS};

/// An open and the objects in use after it.
type Opened = (Called<()>, usize);

// VPC-15: a system whose driver is left out has no counters to open. VPC-44: before the initialisation every open fails
#[test]
fn a_driver_that_is_not_initialised() {
    fn opened<D: P6Device, T: Time>(board: &Board<D, T>) -> Vec<Opened> {
        let mut world = p6_world(board);
        let a = world.spawn(program(10, 0));
        world.driver = Perfctr::new(Options::ALL);
        let open = [true, false].map(|create| (world.open(a, a, create).map(drop), world.driver.in_use()));
        open.to_vec()
    }
    let found = on_both!(P6, opened);
    assert_eq!(found, [(Err(CallError::NoDevice), 0); 2]);
    assert_eq!(found[0].0.map_err(|error| error.errno()), Err(19), "ENODEV");
}

// VPC-45: the object is allocated before the task is looked at, and freed if that fails. VPC-46: a task that does not exist, or to which
// nobody has attached. VPC-47: a task that has counters already
#[test]
fn each_error_of_an_open() {
    fn opened<D: P6Device, T: Time>(board: &Board<D, T>) -> Vec<Opened> {
        let mut world = p6_world(board);
        let tasks: Vec<_> = (0..OBJECTS + 3).map(|_| world.spawn(program(10, 0))).collect();
        let [a, b, dead] = [tasks[0], tasks[1], tasks[2]];
        world.switch(0, Some(dead)).unwrap();
        world.exit(0).unwrap();
        let mut found = Vec::new();
        for create in [true, false] {
            found.push((world.open(a, dead, create).map(drop), world.driver.in_use()));
            found.push((world.open(a, b, create).map(drop), world.driver.in_use()));
        }
        let mut files: Vec<File> = vec![world.open(a, a, true).unwrap()];
        found.push((world.open(a, a, true).map(drop), world.driver.in_use()));
        for task in &tasks[3..] {
            files.extend(world.open(*task, *task, true));
        }
        // The pool is empty: that is found first, though the task does not exist.
        found.push((world.open(a, dead, true).map(drop), world.driver.in_use()));
        found.push((world.open(a, dead, false).map(drop), world.driver.in_use()));
        files.into_iter().for_each(|file| world.driver.release(file));
        found
    }
    let (no_task, not_attached) = (Err(CallError::NoSuchTask), Err(CallError::NotAttached));
    let expected = [
        (no_task, 0),
        (not_attached, 0),
        (no_task, 0),
        (not_attached, 0),
        (Err(CallError::Exists), 1),
        (Err(CallError::NoMemory), OBJECTS),
        (no_task, OBJECTS),
    ];
    let found = on_both!(P6, opened);
    assert_eq!(found, expected);
    let numbers: Vec<i32> = found.iter().filter_map(|(result, _)| result.err().map(|error| error.errno())).collect();
    assert_eq!(numbers, [3, 1, 3, 1, 17, 12, 3], "ESRCH, EPERM, ESRCH, EPERM, EEXIST, ENOMEM, ESRCH");
}

/// What a refused open leaves of the counters that a task has.
#[test]
fn an_open_that_fails_does_not_disturb() {
    fn counted<D: P6Device, T: Time>(board: &Board<D, T>) -> [u64; 2] {
        let mut world = p6_world(board);
        let (a, b) = (world.spawn(program(20, 4)), world.spawn(program(20, 0)));
        world.switch(0, Some(a)).unwrap();
        world.count(a, both()).unwrap();
        world.run(6).unwrap();
        for (caller, task) in [(a, a), (b, a)] {
            assert!(world.open(caller, task, true).is_err());
        }
        world.run(6).unwrap();
        world.counts(a).unwrap().pmc
    }
    assert_eq!(on_both!(P6, counted), [12, 4]);
}
