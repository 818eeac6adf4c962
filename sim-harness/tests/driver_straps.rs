//! The LWP driver of `lwp-regs` on the model and on the Verilated RTL, strapped in many ways: one test, all three events, a
//! kernel that pages in and is interrupted. What the driver sees is equal, to the cycle.

use crate::driver_support::*;
use lwp_model::lwp::{
    BranchKind, Config, FaultPolicy, GatherPolicy, GatherSelect, GatherTarget, HeadFlush, IntervalSource, Lane,
    LeavePolicy, Load, MissedMode, StoreTiming, TailReread, WriteOnFull,
};
use lwp_regs::lwp::driver::Doorbell;
use lwp_regs::lwp::{Event, EventBuffer, EventId, EventRecord, LwpcbBuilder, LwpcbImage, LwpcbMemory, Session};
use sim_harness::lwp::machine::{Machine, Program, Stop};

/// Every 5th is a conditional branch, every 7th a load that missed.
fn program(count: u64) -> impl Iterator<Item = Lane> {
    (1..=count).map(|n| {
        let mut lane = Lane { valid: true, counts: true, ip: nth(n), ..Lane::default() };
        if n.is_multiple_of(5) {
            (lane.branch_kind, lane.branch_taken, lane.branch_next) =
                (BranchKind::Jcc, n.is_multiple_of(2), nth(n + 1));
            (lane.branch_pred_valid, lane.branch_pred_ok) = (true, n.is_multiple_of(3));
        }
        if n.is_multiple_of(7) {
            lane.loads[0] =
                Load { miss: true, addr_valid: true, addr: 0x9000 + n, latency: 200, source: 3, tagged: false };
        }
        lane
    })
}

/// What the driver and its kernel have seen.
#[derive(Debug, PartialEq, Eq)]
struct Seen {
    records: Vec<EventRecord>,
    block: LwpcbImage,
    /// Instructions retired at each visit of the kernel, and whether it was for an interrupt.
    visits: Vec<(u64, bool)>,
    cycles: u64,
}

fn everything<D: Device>(machine: &Machine<4, D>) -> Seen {
    let (mut memory, mut buffer, bell) = (LwpcbMemory::new(), EventBuffer::<8>::new(), Doorbell::new());
    let _processor = enabled(machine);
    let buffer = buffer.view();
    let block = LwpcbBuilder::new(&caps(machine))
        .buffer(buffer.address(), buffer.size())
        .random(4)
        .threshold_records(3)
        .event(EventId::DCACHE_MISSES, 31)
        .event(EventId::BRANCHES_RETIRED, 40)
        .event(EventId::INSTRUCTIONS_RETIRED, 150)
        .build()
        .unwrap();
    let idle: Thread<'_, D> = Session::new(machine, &block, &mut memory, buffer);
    let [block, ring] = idle.regions();
    // SAFETY: the memory of a session, which accesses it by volatile accesses only; it outlives the last run.
    unsafe { machine.map(block) };
    machine.set_latency(2);
    let mut profiler = start(idle);
    let (mut program, mut records, mut visits) = (Program::new(program(8000)), Vec::new(), Vec::new());
    loop {
        let stop = machine.run(&mut program).unwrap();
        match stop {
            Stop::Ended => break,
            Stop::Interrupt => bell.ring(),
            Stop::PageFault { address, write } => {
                assert_eq!((address, write), (ring.start, true));
                // SAFETY: as for the block.
                unsafe { machine.map(ring.clone()) };
            }
        }
        visits.push((program.retired(), stop == Stop::Interrupt));
        profiler.answer(&bell, |record| records.push(record)).unwrap();
    }
    assert_eq!(program.retired(), 8000);
    let stopped = profiler.stop(|record| records.push(record)).unwrap();
    assert!(stopped.was_active);
    Seen { records, block: block_of(&stopped.idle), visits, cycles: machine.cycles() }
}

fn each_straps() -> Vec<Config> {
    let plain = Config::default();
    let sync = Config { store_timing: StoreTiming::Sync, ..plain };
    vec![
        plain,
        sync,
        Config { fault_policy: FaultPolicy::Fault, core_id: 3, ..sync },
        Config { fault_policy: FaultPolicy::TrapPending, leave_policy: LeavePolicy::Hold, ..plain },
        Config { leave_policy: LeavePolicy::Drain, irq_delay: 30, ..plain },
        Config { head_flush: HeadFlush::Deferred, tail_reread: TailReread::Lazy, tail_nth: 3, ..plain },
        Config { missed_mode: MissedMode::Cached, interval_source: IntervalSource::Reread, ..plain },
        Config { gather_policy: GatherPolicy::All, one_per_instr: false, write_on_full: WriteOnFull::Skip, ..plain },
        Config { gather_policy: GatherPolicy::All, gather_select: GatherSelect::Random, lfsr_seed: 99, ..sync },
        Config { gather_target: GatherTarget::Next, gather_select: GatherSelect::Rotating, ..plain },
    ]
}

// LWP-STO-11: however the hardware is built, the driver need not know
#[test]
fn the_driver_sees_the_same_on_model_and_rtl() {
    for straps in each_straps() {
        let seen = on_both!(straps, everything);
        let of = |event: EventId| seen.records.iter().filter(|record| record.event_id() == Some(event)).count();
        let counts = [EventId::INSTRUCTIONS_RETIRED, EventId::BRANCHES_RETIRED, EventId::DCACHE_MISSES].map(of);
        // 8,000 instructions, 1,600 branches, 1,142 misses. A store that is not waited for lets some hundred of them pass.
        assert!(counts.iter().all(|count| *count > 15), "{counts:?} {straps:?}");
        let interrupts = seen.visits.iter().filter(|(_, interrupt)| *interrupt).count();
        assert!(
            interrupts > 12 && interrupts * 3 <= seen.records.len(),
            "at least three each: {interrupts} {straps:?}"
        );
        assert!(seen.visits.iter().any(|(_, interrupt)| !interrupt), "the buffer was paged in");
        assert_eq!(seen.block.missed, 0, "it is drained in time");
        assert!(seen.records.is_sorted_by_key(EventRecord::address), "in the order of retirement");
        for record in &seen.records {
            check(Event::decode(*record), straps.core_id);
        }
    }
}

/// The record is one of an instruction of the program, and says of it what is so.
fn check(event: Event, core: u8) {
    assert_eq!(event.core(), core);
    let number = |address: u64| (address - FIRST) / 4 + 1;
    match event {
        Event::Instruction(record) => assert!((1..=8000).contains(&number(record.address()))),
        Event::Branch(record) => {
            let n = number(record.address());
            assert!(n.is_multiple_of(5) && record.taken() == n.is_multiple_of(2), "{n}");
            assert_eq!(record.predicted(), Some(n.is_multiple_of(3)), "{n}");
        }
        Event::Dcache(record) => {
            let n = number(record.address());
            assert!(n.is_multiple_of(7), "{n}");
            assert_eq!((record.latency(), record.data_address()), (200, Some(0x9000 + n)));
        }
        other => panic!("{other:?}"),
    }
}
