//! The LWP driver of `lwp-regs` on the model and on the Verilated RTL: a thread's session. Both show the same, to the cycle,
//! and what one works out by hand.

use crate::driver_support::*;
use lwp_model::lwp::{Config, FaultPolicy, HeadFlush, StoreTiming, TailReread};
use lwp_regs::lwp::driver::{Doorbell, Failed, Policy, Processor, Profiler};
use lwp_regs::lwp::session::{SessionError, SessionFailed};
use lwp_regs::lwp::*;
use sim_harness::lwp::machine::{Machine, MachineFault, Program, Stop, straight_line};

/// Retirement waits for each record, so that exactly every n-th instruction is recorded.
fn sync() -> Config {
    Config { store_timing: StoreTiming::Sync, ..Config::default() }
}

/// What is left of 1,000 instructions with a record for every 100th: records, block, accesses to memory, cycles.
type Remains = (Vec<[u64; 4]>, LwpcbImage, u64, u64);

fn ten_records<D: Device>(machine: &Machine<4, D>) -> Remains {
    let (mut memory, mut buffer) = (LwpcbMemory::new(), EventBuffer::<16>::new());
    let processor = enabled_for_polling(machine);
    let thread = thread(machine, &mut memory, buffer.view(), 100, 0);
    map(machine, &thread);
    let profiler = start(thread);
    run(machine, straight_line(FIRST, 1000));
    let mut records = Vec::new();
    let stopped = profiler.stop(|record| records.push(record.words())).unwrap();
    assert_eq!((stopped.taken, stopped.missed, stopped.was_active), (Ok(10), 0, true));
    assert!(processor.disable().is_ok());
    (records, block_of(&stopped.idle), machine.accesses(), machine.cycles())
}

// LWP-LLW-01, LWP-STO-01: in the driver's own memory, word by word
#[test]
fn a_thousand_instructions_leave_ten_records() {
    let (records, block, accesses, _) = on_both!(Config { core_id: 0x2A, ..sync() }, ten_records);
    // EventId 1, core 2A; the address of the 100th, 200th, ... instruction.
    let expected: Vec<[u64; 4]> = (1..=10).map(|n| [0x2A01, 0x40_0000 + 4 * (100 * n - 1), 0, 0]).collect();
    assert_eq!(records, expected);
    let mut image = LwpcbImage { flags: 0x3, head: 320, tail: 320, ..LwpcbImage::zeroed() };
    image.size = SizeWord::from_bits(512);
    image.slots[0] = SlotImage::new(100, 1, 100);
    assert_eq!(block, image, "EN and IRE; ten records of 32 bytes; the counter has just been reloaded");
    // LLWPCB: 2 probes, 4 words of the header, 8 slots, Flags. A record: 4 words, tail, head. LLWPCB(0): head, counter.
    assert_eq!(accesses, 15 + 10 * 6 + 2);
}

// LWP-STO-11: stored later, but slowly enough that each record has been stored when the next is due
#[test]
fn the_same_when_the_store_takes_its_time() {
    fn slow<D: Device>(machine: &Machine<4, D>) -> Remains {
        machine.set_pace(1, 64);
        machine.set_latency(3);
        ten_records(machine)
    }
    let (records, block, accesses, _) = on_both!(Config::default(), slow);
    let (expected, image, same, _) = ten_records(&model(&sync()));
    assert_eq!((records, block, accesses), (expected, image, same));
}

/// Drains whenever the bell rings, 1,000 instructions long: how many had retired each time, and all addresses.
fn by_interrupt<D: Device>(machine: &Machine<4, D>) -> (Vec<(u64, u64)>, Vec<u64>, u64) {
    let (mut memory, mut buffer, bell) = (LwpcbMemory::new(), EventBuffer::<16>::new(), Doorbell::new());
    let _processor = enabled(machine);
    let thread = thread(machine, &mut memory, buffer.view(), 100, 4);
    map(machine, &thread);
    let mut profiler = start(thread);
    let (mut program, mut visits, mut records) = (Program::new(straight_line(FIRST, 1000)), Vec::new(), Vec::new());
    loop {
        match machine.run(&mut program).unwrap() {
            Stop::Interrupt => bell.ring(), // the kernel's handler
            Stop::Ended => break,
            stop @ Stop::PageFault { .. } => panic!("{stop:?}"),
        }
        let taken = profiler.answer(&bell, |record| records.push(record)).unwrap(); // the thread that it has woken
        visits.push((program.retired(), taken));
    }
    let stopped = profiler.stop(|record| records.push(record)).unwrap();
    assert_eq!((stopped.taken, stopped.missed), (Ok(2), 0));
    (visits, addresses(&records), machine.cycles())
}

// LWP-OVR-15: at each upward crossing of the threshold
#[test]
fn the_interrupt_has_the_buffer_drained() {
    let (visits, records, _) = on_both!(sync(), by_interrupt);
    assert_eq!(visits, [(400, 4), (800, 4)]);
    assert_eq!(records, (1..=10).map(|n| nth(100 * n)).collect::<Vec<_>>());
}

// LWP-INT-03: however late it comes, the records are the same
#[test]
fn an_interrupt_may_be_late() {
    let (visits, records, _) = on_both!(Config { irq_delay: 20, ..sync() }, by_interrupt);
    assert!(
        visits.iter().all(|(retired, taken)| retired % 400 > 0 && retired % 400 < 100 && *taken == 4),
        "{visits:?}"
    );
    assert_eq!(records, (1..=10).map(|n| nth(100 * n)).collect::<Vec<_>>());
}

// LWP-OVR-02, LWP-INT-05, LWP-ACC-13: LWPMSR0[31] = 0, and around the buffer of 8 places almost four times. `run` would
// not come back as it does if there were an interrupt
#[test]
fn a_poller_needs_no_interrupt() {
    fn polled<D: Device>(machine: &Machine<4, D>) -> (Vec<u64>, Vec<u64>, u64, u64) {
        let (mut memory, mut buffer) = (LwpcbMemory::new(), EventBuffer::<8>::new());
        let _processor = enabled_for_polling(machine);
        let thread = thread(machine, &mut memory, buffer.view(), 100, 4);
        map(machine, &thread);
        let (mut profiler, mut taken, mut records) = (start(thread), Vec::new(), Vec::new());
        for part in 0..30 {
            run(machine, straight_line(FIRST + 400 * part, 100));
            taken.push(profiler.poll(|record| records.push(record)).unwrap());
        }
        let rest = profiler.drain_all(|record| records.push(record)).unwrap();
        assert_eq!(profiler.stop(drop).unwrap().missed, 0);
        (taken, addresses(&records), rest, machine.cycles())
    }
    let deferred = Config { head_flush: HeadFlush::Deferred, tail_reread: TailReread::Lazy, ..sync() };
    for straps in [sync(), deferred] {
        let (taken, records, rest, _) = on_both!(straps, polled);
        let expected: Vec<u64> = (1..=30).map(|part| if part % 4 == 0 { 4 } else { 0 }).collect();
        assert_eq!((taken, rest), (expected, 2), "{straps:?}");
        assert_eq!(records, (1..=30).map(|n| nth(100 * n)).collect::<Vec<_>>());
    }
}

/// A start that faults, and the thread back.
fn wrongly<'a, D: Device>(thread: Thread<'a, D>, fault: MachineFault) -> Thread<'a, D> {
    // SAFETY: nothing is started.
    let SessionFailed { session, error } = unsafe { Profiler::start(thread) }.unwrap_err();
    assert_eq!(error, SessionError::Fault(fault));
    session
}

/// Starts in the wrong ways, each of which gives the thread back, and then in the right way.
fn started_wrongly<D: Device>(machine: &Machine<4, D>) -> Vec<u64> {
    let (mut memory, mut buffer) = (LwpcbMemory::new(), EventBuffer::<16>::new());
    let mut thread = thread(machine, &mut memory, buffer.view(), 100, 0);
    let [block, ring] = thread.regions();
    thread = wrongly(thread, MachineFault::InvalidOpcode); // LWP is not enabled
    let _processor = enabled_for_polling(machine);
    thread = wrongly(thread, MachineFault::PageFault { address: block.start, write: true });
    // SAFETY: the memory outlives the machine's last run, and is accessed by volatile accesses only.
    unsafe { machine.map(block.start..block.start + 40) };
    // The last 8 of its bytes are not there.
    thread = wrongly(thread, MachineFault::PageFault { address: block.end - 8, write: true });
    let mut lwp = machine;
    // SAFETY: the address is misaligned, so nothing is started.
    assert_eq!(unsafe { lwp.llwpcb(block.start + 8) }, Err(MachineFault::GeneralProtection));
    // SAFETY: as for the first part of it.
    unsafe { machine.map(block) };
    let mut profiler = start(thread);
    let mut program = Program::new(straight_line(FIRST, 1000));
    let stop = machine.run(&mut program).unwrap();
    assert_eq!(
        stop,
        Stop::PageFault { address: ring.start, write: true },
        "the buffer is looked at by the first record"
    );
    // SAFETY: as for the block.
    unsafe { machine.map(ring) };
    assert_eq!(machine.run(&mut program), Ok(Stop::Ended));
    let mut records = Vec::new();
    assert_eq!(profiler.sync(), Ok(true));
    assert!(profiler.stop(|record| records.push(record)).unwrap().was_active);
    addresses(&records)
}

// LWP-LLW-26, LWP-FLT-01; LWP-FLT-06: with a trap the record is dropped, and the next instruction is recorded.
// LWP-FLT-04, LWP-FLT-07: with the other policies the same one is
#[test]
fn starting_faults_as_values_and_works_when_repeated() {
    let trap = on_both!(sync(), started_wrongly);
    assert_eq!(trap, (0..9).map(|n| nth(101 + 100 * n)).collect::<Vec<_>>());
    for policy in [FaultPolicy::TrapPending, FaultPolicy::Fault] {
        let kept = on_both!(Config { fault_policy: policy, ..sync() }, started_wrongly);
        assert_eq!(kept, (1..=10).map(|n| nth(100 * n)).collect::<Vec<_>>(), "{policy:?}");
    }
}

// LWP-LLW-07: nothing is recorded in between; LWP-LLW-27: the counter goes on where it was; LWP-STO-03, LWP-STO-05
#[test]
fn a_session_is_stopped_changed_and_started_again() {
    fn twice<D: Device>(machine: &Machine<4, D>) -> (Vec<u64>, LwpcbImage) {
        let (mut memory, mut buffer) = (LwpcbMemory::new(), EventBuffer::<4>::new());
        let _processor = enabled_for_polling(machine);
        let thread = thread(machine, &mut memory, buffer.view(), 100, 0);
        map(machine, &thread);
        let (profiler, mut records) = (start(thread), Vec::new());
        run(machine, straight_line(FIRST, 250));
        let mut stopped = profiler.stop(|record| records.push(record)).unwrap();
        stopped.idle.edit(|block| block.set_interval(0, 30)).unwrap();
        run(machine, straight_line(FIRST, 1000)); // nobody looks
        let profiler = start(stopped.idle);
        run(machine, straight_line(nth(251), 150));
        let stopped = profiler.stop(|record| records.push(record)).unwrap();
        assert_eq!(stopped.missed, 1);
        (addresses(&records), block_of(&stopped.idle))
    }
    let (records, block) = on_both!(sync(), twice);
    // 100, 200; 50 of 100 are left; then every 30th, of which three fit and the fourth finds the buffer full.
    assert_eq!(records, [100, 200, 300, 330, 360].map(nth));
    assert_eq!((block.head, block.tail, block.missed), (32, 32, 1));
    assert_eq!(block.slots[0], SlotImage::new(30, 1, 20), "390 is missed; 10 more");
}

#[test]
fn a_block_of_which_nothing_is_enabled_is_not_used() {
    fn refused<D: Device>(machine: &Machine<4, D>) -> (bool, u32) {
        let (mut memory, mut buffer) = (LwpcbMemory::new(), EventBuffer::<4>::new());
        let policy = Policy::new().require(Features::BRE);
        let _processor = Processor::enable(machine, &caps(machine), &policy).unwrap();
        let thread = thread(machine, &mut memory, buffer.view(), 100, 0);
        map(machine, &thread);
        let mut profiler = start(thread);
        assert_eq!(profiler.sync(), Ok(false));
        run(machine, straight_line(FIRST, 1000));
        let stopped = profiler.stop(drop).unwrap();
        assert_eq!(stopped.taken, Ok(0));
        (stopped.was_active, block_of(&stopped.idle).flags)
    }
    assert_eq!(on_both!(sync(), refused), (false, 0));
}

// LWP-MSR0-15: the system takes LWP away; what hardware held is lost, and no memory is touched
#[test]
fn disabling_drops_the_session() {
    fn dropped<D: Device>(machine: &Machine<4, D>) -> (u64, bool, u32) {
        let (mut memory, mut buffer) = (LwpcbMemory::new(), EventBuffer::<16>::new());
        let processor = enabled_for_polling(machine);
        let thread = thread(machine, &mut memory, buffer.view(), 100, 0);
        map(machine, &thread);
        let profiler = start(thread);
        run(machine, straight_line(FIRST, 250));
        let before = machine.accesses();
        assert!(processor.disable().is_ok());
        run(machine, straight_line(nth(251), 250));
        assert_eq!(machine.accesses(), before);
        let Failed { state: profiler, error } = profiler.stop(drop).unwrap_err();
        assert_eq!(error, MachineFault::InvalidOpcode);
        let _processor = enabled_for_polling(machine);
        let stopped = profiler.stop(drop).unwrap();
        (stopped.taken.unwrap(), stopped.was_active, block_of(&stopped.idle).slots[0].counter.counter().get())
    }
    assert_eq!(on_both!(sync(), dropped), (2, false, 100), "the counter in memory is that of the beginning");
}
