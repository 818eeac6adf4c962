//! The thread's side of the LWP driver on the stand-in for the hardware: what it does, and what it gives back when it
//! faults.

use crate::stand_in::{block, poke};
use lwp_regs::fake::{FakeLwp, FakePageFault};
use lwp_regs::lwp::driver::{Doorbell, Failed, Profiler};
use lwp_regs::lwp::session::{Idle, SessionError, SessionFailed};
use lwp_regs::lwp::*;

/// Runs `test` with a session that stores a record for every `interval`th instruction, in a buffer for 7.
fn with_session(interval: u32, threshold: u32, test: impl for<'a> FnOnce(&'a FakeLwp, Session<&'a FakeLwp, Idle<'a>>)) {
    let (cpu, mut memory, mut buffer) = (FakeLwp::new(0), LwpcbMemory::new(), EventBuffer::<8>::new());
    let buffer = buffer.view();
    let block = block(&buffer, interval, threshold);
    test(&cpu, Session::new(&cpu, &block, &mut memory, buffer));
}

fn started<'a>(idle: Session<&'a FakeLwp, Idle<'a>>) -> Profiler<'a, &'a FakeLwp> {
    // SAFETY: block and buffer outlive the stand-in's use of them.
    unsafe { Profiler::start(idle) }.unwrap()
}

// LWP-OVR-15: the handler rings, the thread drains
#[test]
fn records_are_drained_when_the_bell_rings() {
    with_session(10, 4, |cpu, idle| {
        let bell = Doorbell::new();
        cpu.allow_interrupt(true);
        let mut profiler = started(idle);
        let mut taken = Vec::new();
        for address in 1..=100 {
            let before = cpu.interrupts();
            cpu.retire(address);
            if cpu.interrupts() > before {
                bell.ring();
            }
            let records = profiler.answer(&bell, |record| taken.push(record.address())).unwrap();
            assert_eq!(records, if address % 40 == 0 { 4 } else { 0 }, "at {address}");
        }
        let stopped = profiler.stop(|record| taken.push(record.address())).unwrap();
        assert_eq!((stopped.taken, stopped.missed, stopped.was_active), (Ok(2), 0, true));
        assert_eq!(taken, (1..=10).map(|n| 10 * n).collect::<Vec<u64>>());
    });
}

// LWP-INT-05, LWP-ACC-13: without the interrupt, at the threshold
#[test]
fn records_are_drained_by_polling() {
    with_session(10, 4, |cpu, idle| {
        let mut profiler = started(idle);
        let mut polled = 0;
        for address in 1..=100 {
            cpu.retire(address);
            polled += profiler.poll(drop).unwrap();
            assert_eq!(polled, address / 40 * 4);
        }
        assert_eq!(profiler.drain_all(drop), Ok(2), "what hardware held back");
        assert_eq!(profiler.stop(drop).unwrap().taken, Ok(0));
    });
}

// LWP-ACC-13: above the threshold there is no further interrupt, so what comes while one drains counts
#[test]
fn draining_goes_on_until_it_is_below_the_threshold() {
    with_session(1, 2, |cpu, idle| {
        let mut profiler = started(idle);
        cpu.retire_many(2);
        let mut left = 3;
        let taken = profiler.drain(|_| {
            if left > 0 {
                left -= 1;
                cpu.retire_many(2);
            }
        });
        assert_eq!(taken, Ok(8), "two, and two more for each of the first three");
        let _ = profiler.stop(drop).unwrap();
    });
}

#[test]
fn a_step_that_faults_gives_the_session_back() {
    with_session(1, 0, |cpu, idle| {
        cpu.page_fault_next();
        // SAFETY: nothing is started.
        let SessionFailed { session: idle, error } = unsafe { Profiler::start(idle) }.unwrap_err();
        let [block, _] = idle.regions();
        assert_eq!(error, SessionError::Fault(FakePageFault::at(block.start)));
        let mut profiler = started(idle);
        cpu.retire_many(3);
        cpu.page_fault_next();
        assert_eq!(profiler.drain_all(drop), Err(SessionError::Fault(FakePageFault::at(block.start))));
        cpu.page_fault_next();
        let Failed { state: profiler, error } = profiler.stop(drop).unwrap_err();
        assert_eq!(error, FakePageFault::at(0));
        cpu.retire_many(1);
        assert_eq!(profiler.stop(drop).unwrap().taken, Ok(4), "it went on, and nothing is lost");
    });
}

#[test]
fn a_damaged_block_is_named_and_replaced() {
    with_session(1, 0, |cpu, idle| {
        let good = idle.block().unwrap();
        cpu.allow(Features::empty());
        let mut profiler = started(idle);
        poke(profiler.reader().block(), offset::HEAD, 7);
        let error = RingError::Head { head: 7, size: 256 };
        assert_eq!((profiler.poll(drop), profiler.drain(drop)), (Err(error), Err(error)));
        let stopped = profiler.stop(drop).unwrap();
        assert_eq!((stopped.taken, stopped.was_active), (Err(error), false), "no event in it is enabled");
        // SAFETY: nothing is started.
        let SessionFailed { session: mut idle, error } = unsafe { Profiler::start(stopped.idle) }.unwrap_err();
        assert_eq!(error, SessionError::Block(LwpcbError::HeadMisaligned { head: 7 }));
        idle.replace(&good).unwrap();
        assert_eq!(started(idle).stop(drop).unwrap().taken, Ok(0));
    });
}

// A block is user memory: who drains for others must neither trust it nor hang on it.
#[test]
fn a_block_that_shrinks_under_the_reader_is_an_error() {
    with_session(1, 2, |cpu, idle| {
        let mut profiler = started(idle);
        cpu.retire_many(2);
        poke(profiler.reader().block(), offset::SIZE, 0);
        let error = RingError::Block(ViewError::Tail { tail: 32, size: 0 });
        assert_eq!((profiler.poll(drop), profiler.drain(drop)), (Err(error), Err(error)));
        assert_eq!(profiler.stop(drop).unwrap().taken, Err(error));
    });
}
