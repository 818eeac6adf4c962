//! Who takes the records: one thread for several, a thread that waits for the interrupt, and what both may expect.

use crate::stand_in::block;
use lwp_regs::fake::FakeLwp;
use lwp_regs::lwp::*;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// A test that fails in one thread must not wait in the other for ever.
const PATIENCE: Duration = Duration::from_secs(60);

/// Profiles `work` on this thread, on a core of its own, in its own block and buffer.
fn profile<'a>(
    hardware: FakeLwp,
    (interval, threshold): (u32, u32),
    memory: &'a mut LwpcbMemory,
    buffer: BufferView<'a>,
    work: impl FnOnce(&FakeLwp, RingReader<'a>),
) {
    let cpu = hardware;
    let block = block(&buffer, interval, threshold);
    let idle = Session::new(&cpu, &block, memory, buffer);
    // SAFETY: block and buffer are borrowed for longer than the session, which is paused below.
    let (session, reader) = unsafe { idle.start() }.unwrap();
    work(&cpu, reader);
    let _ = session.pause().unwrap();
}

// LWP-OVR-12: each thread has a session of its own. LWP-OVR-13: one other drains for both. LWP-REC-17: merged records
// still say on which core they were taken
#[test]
fn one_monitor_merges_the_records_of_two_threads() {
    let mut memory = [LwpcbMemory::new(), LwpcbMemory::new()];
    let mut buffers = [EventBuffer::<8>::new(), EventBuffer::<8>::new()];
    let (hand_over, readers) = mpsc::channel();
    thread::scope(|scope| {
        for ((core, memory), buffer) in (0x10..).zip(&mut memory).zip(&mut buffers) {
            let hand_over = hand_over.clone();
            scope.spawn(move || {
                profile(FakeLwp::new(core), (1, 0), memory, buffer.view(), |cpu, reader| {
                    hand_over.send(reader).unwrap();
                    for address in 0..3 {
                        cpu.retire(u64::from(core) << 8 | address);
                    }
                });
            });
        }
        drop(hand_over);
        let mut readers: Vec<RingReader<'_>> = readers.iter().collect();
        let (mut merged, begin) = (Vec::new(), Instant::now());
        while merged.len() < 6 {
            assert!(begin.elapsed() < PATIENCE, "the profiled threads make no progress");
            for reader in &mut readers {
                merged.extend(reader.drain().unwrap());
            }
        }
        assert!(merged.iter().all(|record| u64::from(record.core()) == record.address() >> 8));
        assert_eq!(merged.iter().filter(|record| Event::decode(**record).core() == 0x11).count(), 3);
    });
}

// LWP-OVR-15, LWP-INT-04: a driver turns the interrupt into something to wait for, in another thread than the profiled
#[test]
fn the_interrupt_wakes_a_thread_that_waits() {
    let (mut memory, mut buffer) = (LwpcbMemory::new(), EventBuffer::<8>::new());
    let (signal, interrupt) = mpsc::channel::<()>();
    let (done, finished) = mpsc::channel::<Vec<u64>>();
    let hardware = FakeLwp::new(0);
    hardware.allow_interrupt(true);
    profile(hardware, (10, 4), &mut memory, buffer.view(), |cpu, mut reader| {
        thread::scope(|scope| {
            scope.spawn(move || {
                interrupt.recv_timeout(PATIENCE).unwrap();
                done.send(reader.drain().unwrap().map(|record| record.address()).collect()).unwrap();
            });
            cpu.retire_many(39);
            assert_eq!(cpu.interrupts(), 0, "three records are below the threshold");
            cpu.retire(40);
            assert_eq!(cpu.interrupts(), 1);
            signal.send(()).unwrap(); // what the interrupt's handler does
            assert_eq!(finished.recv_timeout(PATIENCE).unwrap(), [10, 20, 30, 40]);
        });
    });
}

// LWP-OVR-17: a sample; hardware may drop what it has gathered and take the next occurrence
#[test]
fn records_come_about_every_nth_event() {
    let (mut memory, mut buffer) = (LwpcbMemory::new(), EventBuffer::<64>::new());
    let hardware = FakeLwp::new(0);
    hardware.discard_every(3);
    profile(hardware, (10, 0), &mut memory, buffer.view(), |cpu, mut reader| {
        cpu.retire_many(400);
        let taken: Vec<u64> = reader.drain().unwrap().map(|record| record.address()).collect();
        let gaps: Vec<u64> = taken.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(gaps.contains(&10) && gaps.contains(&11), "an event was dropped and the next one taken: {gaps:?}");
        assert!(gaps.iter().all(|gap| (10..=11).contains(gap)));
        assert_eq!(reader.missed_events(), 0, "what is dropped is not missed");
    });
}
