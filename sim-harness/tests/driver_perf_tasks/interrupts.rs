//! Overflow interrupts, whose handler is the driver's.

use super::{Device, INSTRUCTIONS, INTERRUPT, P6Device, Time, on_both, p6_world, program, two_cpus};
use lwp_regs::delivery::LOCAL_PERFCTR_VECTOR;
use lwp_regs::perf::architectural::Ia32PerfEvtSel;
use lwp_regs::perf::p6::{Counter, PerfEvtSel0};
use lwp_regs::perf::virtual_counter::Control;
use lwp_regs::perf::virtual_counter::perfctr::CallError;
use sim_harness::core::MachineFault;
use sim_harness::perf::tasks::{Board, Report, TaskId};

/// What a program with a handler of its own saw.
#[derive(Debug, PartialEq, Eq)]
struct Handled {
    reports: Vec<Report>,
    /// Mask of overflowed counters in the page, and sum: at the overflow, five instructions later, and after five more.
    seen: Vec<(u32, u64)>,
    /// What `VPERFCTR_IRESUME` returned, and when nothing had overflowed.
    resumed: [Result<u32, CallError<MachineFault>>; 2],
    interrupts: u64,
    line: String,
}

const NOTHING: Result<u32, CallError<MachineFault>> = Err(CallError::NothingOverflowed);

/// The reports of a task that interrupts every ten instructions. The handler begins after one more, the eleventh.
fn expected(task: TaskId) -> Handled {
    let report = Report { cpu: 0, vector: Some(LOCAL_PERFCTR_VECTOR), task: Some(task), overflowed: 1 };
    Handled {
        reports: vec![report, report],
        seen: vec![(0, 9), (1, 11), (1, 11), (0, 16), (1, 22)],
        resumed: [NOTHING, Ok(1)],
        interrupts: 2,
        line: format!("PMC: {:10} {:10} {:10} {:10} ", 2, 0, 0, 0),
    }
}

macro_rules! overflow_read_iresume {
    ($world:expr, $control:expr) => {{
        let world = $world;
        world.latency = 1;
        let a = world.spawn(program(60, 0));
        world.let_stand(a);
        world.switch(0, Some(a)).unwrap();
        let control = $control(world.kernel(0));
        world.count(a, control).unwrap();
        let file = world.open(a, a, false).unwrap();
        let mut seen = Vec::new();
        let mut resumed = Vec::new();
        for (cycles, resumes) in [(9, true), (6, false), (5, true), (5, false), (10, false)] {
            world.run(cycles).unwrap();
            let sum = world.counts(a).unwrap().pmc[0];
            seen.push((world.page(a).unwrap().overflowed, sum));
            if resumes {
                resumed.push(world.call(a, |driver, caller, hw| driver.iresume(&file, (caller.0, caller.1), hw)));
            }
        }
        world.driver.release(file);
        Handled {
            reports: world.reports.clone(),
            seen,
            resumed: [resumed[0], resumed[1]],
            interrupts: world.interrupts.of(0),
            line: world.interrupts.to_string(),
        }
    }};
}

// VPC-12: the P6 interrupts on overflow. VPC-27: the interrupts of each processor are counted. VPC-52: overflow, read, iresume, and the
// next overflow after a whole period
#[test]
fn overflow_read_iresume_on_a_p6() {
    fn handled<D: P6Device, T: Time>(board: &Board<D, T>) -> Handled {
        let select = PerfEvtSel0::from_bits(INSTRUCTIONS | INTERRUPT);
        overflow_read_iresume!(&mut p6_world(board), |hw: &_| Control::new()
            .interrupt_after(hw, Counter::Counter0, select, 10)
            .unwrap())
    }
    assert_eq!(on_both!(P6, handled), expected(TaskId(0)));
}

// VPC-52: the same with a status register to be cleared
#[test]
fn overflow_read_iresume_with_version_3() {
    fn handled<D: Device, T: Time>(board: &Board<D, T>) -> Handled {
        let (mut world, caps) = two_cpus(board);
        let select = Ia32PerfEvtSel::from_bits(INSTRUCTIONS | INTERRUPT);
        overflow_read_iresume!(&mut world, |hw: &_| Control::new()
            .interrupt_after(hw, caps.counter(0).unwrap(), select, 10)
            .unwrap())
    }
    assert_eq!(on_both!(Architectural, handled), expected(TaskId(0)));
}

/// The counter of A overflows in its last cycle before a switch, and the interrupt comes while B runs: it is A's.
#[test]
fn an_interrupt_that_comes_too_late() {
    fn reports<D: P6Device, T: Time>(board: &Board<D, T>) -> (Vec<Report>, [u64; 2], [u64; 2]) {
        let mut world = p6_world(board);
        world.latency = 3;
        let (a, b) = (world.spawn(program(60, 0)), world.spawn(program(60, 0)));
        for task in [a, b] {
            world.switch(0, Some(task)).unwrap();
            let select = PerfEvtSel0::from_bits(INSTRUCTIONS | INTERRUPT);
            let control = Control::new().interrupt_after(world.kernel(0), Counter::Counter0, select, 10).unwrap();
            world.count(task, control).unwrap();
        }
        world.switch(0, Some(a)).unwrap();
        world.run(10).unwrap();
        world.switch(0, Some(b)).unwrap();
        world.run(6).unwrap();
        world.switch(0, Some(a)).unwrap();
        world.run(9).unwrap();
        (world.reports.clone(), world.counts(a).unwrap().pmc, world.counts(b).unwrap().pmc)
    }
    let (a, b) = (TaskId(0), TaskId(1));
    let found = Report { cpu: 0, vector: None, task: Some(a), overflowed: 1 };
    let late = Report { cpu: 0, vector: Some(LOCAL_PERFCTR_VECTOR), task: Some(b), overflowed: 0 };
    assert_eq!(on_both!(P6, reports), (vec![found, late], [19, 0], [6, 0]));
}
