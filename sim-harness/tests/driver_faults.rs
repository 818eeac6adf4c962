//! The LWP driver of `lwp-regs` on the model and on the Verilated RTL: every access that hardware makes to memory page-faults
//! in its turn, whoever made it necessary. The driver gets the fault as a value, the kernel of the test repeats the step.

use crate::driver_support::*;
use lwp_model::lwp::{Config, FaultPolicy, HeadFlush, MissedMode, StoreTiming};
use lwp_regs::lwp::driver::{Failed, Profiler};
use lwp_regs::lwp::session::{SessionError, SessionFailed};
use lwp_regs::lwp::{EventBuffer, LwpcbImage, LwpcbMemory};
use sim_harness::lwp::machine::{Machine, MachineFault, Program, Stop, straight_line};

/// What is left of a session, and who got the page faults: start, run, drain, stop.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Left {
    records: Vec<u64>,
    block: LwpcbImage,
    faults: [u32; 4],
    accesses: u64,
}

fn page_fault(fault: MachineFault) -> u32 {
    assert!(matches!(fault, MachineFault::PageFault { .. }), "{fault}");
    1
}

/// A session from start to stop in which this access to memory page-faults, if there are so many. The buffer has room for
/// three records: of eight, drained after the sixth, three are missed.
fn session<D: Device>(machine: &Machine<4, D>, fails: u64) -> Left {
    let (mut memory, mut buffer) = (LwpcbMemory::new(), EventBuffer::<4>::new());
    let _processor = enabled_for_polling(machine);
    let mut idle = thread(machine, &mut memory, buffer.view(), 20, 2);
    map(machine, &idle);
    machine.fail_access(fails);
    let (mut faults, mut records) = ([0; 4], Vec::new());
    let mut profiler = loop {
        // SAFETY: block and buffer outlive the session, which is stopped below.
        match unsafe { Profiler::start(idle) } {
            Ok(profiler) => break profiler,
            Err(SessionFailed { session, error: SessionError::Fault(fault) }) => {
                faults[0] += page_fault(fault);
                idle = session;
            }
            Err(failed) => panic!("{failed:?}"),
        }
    };
    for part in 0..2 {
        let mut program = Program::new(straight_line(nth(120 * part + 1), if part == 0 { 120 } else { 50 }));
        while machine.run(&mut program).unwrap() != Stop::Ended {
            faults[1] += 1;
        }
        while let Err(error) = profiler.drain_all(|record| records.push(record)) {
            let SessionError::Fault(fault) = error else { panic!("{error}") };
            faults[2] += page_fault(fault);
        }
    }
    let stopped = loop {
        match profiler.stop(|record| records.push(record)) {
            Ok(stopped) => break stopped,
            Err(Failed { state, error }) => {
                faults[3] += page_fault(error);
                profiler = state;
            }
        }
    };
    assert!(stopped.was_active && stopped.taken.is_ok());
    Left { records: addresses(&records), block: block_of(&stopped.idle), faults, accesses: machine.accesses() }
}

/// The session with each fault in its turn, on both machines; first the one without.
fn every_fault(straps: Config) -> (Left, Vec<Left>) {
    fn sound<D: Device>(machine: &Machine<4, D>) -> Left {
        session(machine, u64::MAX)
    }
    let sound = on_both!(straps, sound);
    assert_eq!(sound.faults, [0; 4]);
    let faulty = (0..sound.accesses).map(|fails| {
        let (model, rtl) = (model(&straps), rtl(&straps));
        let left = session(&model, fails);
        assert_eq!(left, session(&rtl, fails), "access {fails}: model and RTL differ");
        assert_eq!(model.cycles(), rtl.cycles());
        assert!(!rtl.into_device().into_rtl().take_assertion(), "access {fails}: an assertion of the RTL failed");
        assert_eq!(left.faults.iter().sum::<u32>(), 1, "access {fails} of {}", sound.accesses);
        left
    });
    let faulty: Vec<Left> = faulty.collect();
    for who in 0..4 {
        assert!(faulty.iter().any(|left| left.faults[who] == 1), "no fault reached place {who}");
    }
    (sound, faulty)
}

fn with(policy: FaultPolicy) -> Config {
    Config { store_timing: StoreTiming::Sync, fault_policy: policy, ..Config::default() }
}

// By hand, so that there is something to compare with.
#[test]
fn a_session_without_faults() {
    let left = session(&model(&with(FaultPolicy::Trap)), u64::MAX);
    assert_eq!(left.records, [20, 40, 60, 140, 160].map(nth), "80, 100 and 120 found the buffer full");
    assert_eq!((left.block.missed, left.block.head, left.block.tail), (3, 32, 32));
    assert_eq!(left.block.slots[0].counter.counter().get(), 10);
}

// LWP-FLT-03, LWP-FLT-04, LWP-FLT-07, LWP-FLT-11, LWP-FLT-12, LWP-LLW-26, LWP-SLW-09: where the instruction is repeated or
// the record is kept, nothing shows afterwards that there was a fault
#[test]
fn with_policies_that_keep_the_record_a_fault_leaves_no_trace() {
    let cached =
        Config { missed_mode: MissedMode::Cached, head_flush: HeadFlush::Deferred, ..with(FaultPolicy::Fault) };
    for straps in [with(FaultPolicy::Fault), with(FaultPolicy::TrapPending), cached] {
        let (sound, faulty) = every_fault(straps);
        for left in faulty {
            assert_eq!((&left.records, &left.block), (&sound.records, &sound.block), "{straps:?}");
        }
    }
}

// LWP-FLT-06, LWP-FLT-11, LWP-FLT-14: where the record is dropped, the next instruction takes its place, and every later one
// comes one later
#[test]
fn with_a_trap_the_next_instruction_is_recorded() {
    let (sound, faulty) = every_fault(with(FaultPolicy::Trap));
    let mut moved = 0;
    for left in faulty {
        // By how much each record is late: 0 up to the fault, and 1 after it.
        let late: Vec<u64> = left.records.iter().map(|address| (address - nth(20)) / 4 % 20).collect();
        assert!(late.is_sorted() && late.iter().all(|late| *late <= 1), "{late:?}");
        assert!(left.records.is_sorted());
        assert_eq!(left.records.len() as u64 + left.block.missed, 8, "recorded or missed, none is lost");
        if left.records != sound.records {
            assert_eq!(left.faults, [0, 1, 0, 0], "only a fault of a store moves records");
            moved += 1;
        }
    }
    // Of the first five records each has six accesses before it is published; a fault of the others' may hit a missed one.
    assert!(moved >= 30, "{moved}");
}
