//! The LWP driver of `lwp-regs` on the model and on the Verilated RTL: two threads take turns, and neither notices.

use crate::driver_support::*;
use lwp_model::lwp::{Config, FaultPolicy, HeadFlush, LeavePolicy, MissedMode, StoreTiming};
use lwp_regs::lwp::context::{SavedContext, SavedPointer};
use lwp_regs::lwp::driver::{Failed, Processor, Profiler};
use lwp_regs::lwp::{EventBuffer, LwpcbImage, LwpcbMemory};
use sim_harness::lwp::machine::{Machine, MachineFault, Program, Stop, straight_line};

/// Instructions that a thread runs before the scheduler takes the processor away; eight times.
const QUANTUM: u64 = 125;
const QUANTA: u64 = 8;
/// Where the program of each thread is, and after how many instructions it records one.
const THREADS: [(u64, u32); 2] = [(0x10_0000, 100), (0x20_0000, 70)];

/// What a thread has in the end: the addresses of its records, and its block.
type Left = (Vec<u64>, LwpcbImage);

fn sync() -> Config {
    Config { store_timing: StoreTiming::Sync, ..Config::default() }
}

/// Straps under which a session lives in hardware to a different extent.
fn each_straps() -> [Config; 4] {
    [
        sync(),
        Config { head_flush: HeadFlush::Deferred, ..sync() },
        Config { missed_mode: MissedMode::Cached, head_flush: HeadFlush::Deferred, ..sync() },
        Config { leave_policy: LeavePolicy::Hold, fault_policy: FaultPolicy::TrapPending, ..sync() },
    ]
}

fn run_quantum<D: Device>(machine: &Machine<4, D>, thread: usize, quantum: u64) {
    run(machine, straight_line(THREADS[thread].0 + 4 * QUANTUM * quantum, QUANTUM));
}

fn stop<D: Device>(profiler: Profiler<'_, &Machine<4, D>>) -> Left {
    let mut records = Vec::new();
    let stopped = profiler.stop(|record| records.push(record)).unwrap();
    assert!(stopped.was_active);
    (addresses(&records), block_of(&stopped.idle))
}

/// Each thread by itself, one after the other. The buffer is too small for all records, so that some are missed.
fn alone<D: Device>(machine: &Machine<4, D>) -> [Left; 2] {
    let _processor = enabled_for_polling(machine);
    [0, 1].map(|index| {
        let (mut memory, mut buffer) = (LwpcbMemory::new(), EventBuffer::<10>::new());
        let thread = thread(machine, &mut memory, buffer.view(), THREADS[index].1, 4);
        map(machine, &thread);
        let profiler = start(thread);
        (0..QUANTA).for_each(|quantum| run_quantum(machine, index, quantum));
        stop(profiler)
    })
}

// By hand, so that `alone` is something to compare with.
#[test]
fn a_thread_by_itself() {
    let [(a, block_a), (b, block_b)] = on_both!(sync(), alone);
    let recorded = |first: u64, interval: u64| (1..=9).map(|n| first + 4 * (interval * n - 1)).collect::<Vec<_>>();
    assert_eq!((a, b), (recorded(0x10_0000, 100), recorded(0x20_0000, 70)));
    assert_eq!((block_a.missed, block_b.missed), (1, 5), "10 and 14 in 1,000; 9 fit");
    assert_eq!(block_b.slots[0].counter.counter().get(), 70 - 20, "14 times 70 and 20 more");
}

/// Both threads on one processor, switched by the port.
fn by_port<D: Device>(machine: &Machine<4, D>) -> [Left; 2] {
    let (mut memory, mut buffers) =
        ([LwpcbMemory::new(), LwpcbMemory::new()], [EventBuffer::<10>::new(), EventBuffer::new()]);
    let ([memory_a, memory_b], [buffer_a, buffer_b]) = (&mut memory, &mut buffers);
    let processor = enabled_for_polling(machine);
    let a = thread(machine, memory_a, buffer_a.view(), THREADS[0].1, 4);
    let b = thread(machine, memory_b, buffer_b.view(), THREADS[1].1, 4);
    map(machine, &a);
    map(machine, &b);
    let (mut kept_a, mut kept_b) = (SavedContext::inactive(), SavedContext::inactive());
    let switch = |processor: Processor<_>, from: &mut SavedContext, to: &mut SavedContext| {
        let before = machine.accesses();
        // SAFETY: the port is there, and ring 3 is entered by the other thread only.
        let processor = unsafe { processor.switch(from, to) }.unwrap();
        assert_eq!(machine.accesses(), before, "a switch touches no memory");
        processor
    };
    let a = start(a);
    run_quantum(machine, 0, 0);
    let processor = switch(processor, &mut kept_a, &mut kept_b);
    let b = start(b);
    run_quantum(machine, 1, 0);
    let mut processor = switch(processor, &mut kept_b, &mut kept_a);
    for quantum in 1..QUANTA {
        run_quantum(machine, 0, quantum);
        processor = switch(processor, &mut kept_a, &mut kept_b);
        run_quantum(machine, 1, quantum);
        processor = switch(processor, &mut kept_b, &mut kept_a);
    }
    let a = stop(a);
    switch(processor, &mut kept_a, &mut kept_b);
    [a, stop(b)]
}

// LWP-OVR-04, LWP-CTX-07, LWP-CTX-08, LWP-SEC-02, LWP-SEC-04: interleaved and separately, the same
#[test]
fn threads_switched_by_the_port_do_not_notice() {
    for straps in each_straps() {
        assert_eq!(on_both!(straps, by_port), alone(&model(&straps)), "{straps:?}");
    }
}

/// Both threads on one processor, switched by the pointer.
fn by_pointer<D: Device>(machine: &Machine<4, D>) -> [Left; 2] {
    let (mut memory, mut buffers) =
        ([LwpcbMemory::new(), LwpcbMemory::new()], [EventBuffer::<10>::new(), EventBuffer::new()]);
    let ([memory_a, memory_b], [buffer_a, buffer_b]) = (&mut memory, &mut buffers);
    let processor = enabled_for_polling(machine);
    let a = thread(machine, memory_a, buffer_a.view(), THREADS[0].1, 4);
    let b = thread(machine, memory_b, buffer_b.view(), THREADS[1].1, 4);
    map(machine, &a);
    map(machine, &b);
    let switch = |processor: Processor<_>, to: SavedPointer| {
        // SAFETY: both threads are in one address space.
        let (from, between) = unsafe { processor.leave() }.unwrap();
        // SAFETY: ring 3 is entered by that thread only.
        (from, unsafe { between.enter(to) }.unwrap())
    };
    let a = start(a);
    run_quantum(machine, 0, 0);
    let (mut kept_a, mut processor) = switch(processor, SavedPointer::inactive());
    let b = start(b);
    run_quantum(machine, 1, 0);
    for quantum in 1..QUANTA {
        let kept_b;
        (kept_b, processor) = switch(processor, kept_a);
        run_quantum(machine, 0, quantum);
        (kept_a, processor) = switch(processor, kept_b);
        run_quantum(machine, 1, quantum);
    }
    let (kept_b, processor) = switch(processor, kept_a);
    let a = stop(a);
    let _ = switch(processor, kept_b);
    [a, stop(b)]
}

// LWP-SEC-05, LWP-CTX-15: hardware writes head, counters and what was missed to the block of the thread that leaves
#[test]
fn threads_switched_by_the_pointer_do_not_notice() {
    for straps in each_straps() {
        assert_eq!(on_both!(straps, by_pointer), alone(&model(&straps)), "{straps:?}");
    }
}

/// A thread that is switched out and in again while its block is paged out: where the page fault comes, and what is left.
fn paged_out<D: Device>(machine: &Machine<4, D>, by_port: bool) -> (Vec<u64>, LwpcbImage) {
    let (mut memory, mut buffer) = (LwpcbMemory::new(), EventBuffer::<16>::new());
    let mut processor = enabled_for_polling(machine);
    let thread = thread(machine, &mut memory, buffer.view(), 100, 0);
    let [block, _] = thread.regions();
    map(machine, &thread);
    let profiler = start(thread);
    run(machine, straight_line(FIRST, 250));
    machine.unmap(&block);
    let page_in = || {
        // SAFETY: as when it was mapped first.
        unsafe { machine.map(block.clone()) };
    };
    if by_port {
        let (mut kept, mut nobody) = (SavedContext::inactive(), SavedContext::inactive());
        // SAFETY: the port is there; ring 3 is entered by the thread only.
        processor = unsafe { processor.switch(&mut kept, &mut nobody) }.unwrap();
        // SAFETY: as above.
        let _ = unsafe { processor.switch(&mut nobody, &mut kept) }.unwrap();
    } else {
        // SAFETY: this is its address space.
        let Failed { state, error } = unsafe { processor.leave() }.unwrap_err();
        assert_eq!(
            error,
            MachineFault::PageFault { address: block.start + 16, write: true },
            "the head, in the kernel"
        );
        page_in();
        // SAFETY: as above.
        let (kept, between) = unsafe { state.leave() }.unwrap();
        machine.unmap(&block);
        // SAFETY: as above.
        let _ = unsafe { between.enter(kept) }.unwrap();
    }
    let mut program = Program::new(straight_line(nth(251), 250));
    let stop_at = machine.run(&mut program).unwrap();
    // Switched in by the pointer, it is a new block to hardware, which asks first whether it may be written.
    assert_eq!(stop_at, Stop::PageFault { address: block.start, write: !by_port }, "in ring 3");
    assert_eq!(program.retired(), 0);
    page_in();
    assert_eq!(machine.run(&mut program), Ok(Stop::Ended));
    stop(profiler)
}

// LWP-CTX-08, LWP-CTX-13, LWP-CTX-14: by the port the fault is taken in ring 3 only. LWP-SEC-05: by the pointer in the kernel
// as well, where it is a value
#[test]
fn a_block_that_is_paged_out_is_brought_in_when_it_is_needed() {
    fn port<D: Device>(machine: &Machine<4, D>) -> (Vec<u64>, LwpcbImage) {
        paged_out(machine, true)
    }
    fn pointer<D: Device>(machine: &Machine<4, D>) -> (Vec<u64>, LwpcbImage) {
        paged_out(machine, false)
    }
    let (by_port, by_pointer) = (on_both!(sync(), port), on_both!(sync(), pointer));
    assert_eq!(by_port, by_pointer);
    assert_eq!(by_port.0, (1..=5).map(|n| nth(100 * n)).collect::<Vec<_>>());
}
