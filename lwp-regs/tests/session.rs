//! A session from start to finish, with a stand-in for the hardware.

use crate::stand_in::{CAPS, block, poke};
use lwp_regs::fake::{FakeLwp, FakePageFault};
use lwp_regs::lwp::session::{Active, Idle, SessionError};
use lwp_regs::lwp::*;
use std::cell::Cell;

type Running<'a> = (Session<&'a FakeLwp, Active<'a>>, RingReader<'a>);

fn started<'a>(idle: Session<&'a FakeLwp, Idle<'a>>) -> Running<'a> {
    // SAFETY: block and buffer outlive the stand-in's use of them.
    unsafe { idle.start() }.unwrap()
}

/// Runs `test` with a session that stores a record for every `interval`th instruction, in a buffer for 7.
fn with_session(interval: u32, threshold: u32, test: impl for<'a> FnOnce(&'a FakeLwp, Session<&'a FakeLwp, Idle<'a>>)) {
    let (cpu, mut memory, mut buffer) = (FakeLwp::new(0), LwpcbMemory::new(), EventBuffer::<8>::new());
    let buffer = buffer.view();
    let block = block(&buffer, interval, threshold);
    test(&cpu, Session::new(&cpu, &block, &mut memory, buffer));
}

// LWP-LLW-20: pause with LLWPCB(0), resume with what it returned
#[test]
fn pause_and_resume_keeps_head_counters_and_missed() {
    with_session(4, 0, |cpu, idle| {
        let (session, mut reader) = started(idle);
        assert_eq!(session.watch().flags().into_bits(), 0x3, "EN and IRE");
        cpu.retire_many(8 * 4 + 3);
        let paused = session.pause().unwrap();
        assert_eq!(paused.returned(), Some(paused.watch().address()));
        assert_eq!((paused.watch().head(), paused.watch().missed_events()), (7 * 32, 1));
        assert_eq!(paused.watch().counter(0).unwrap().counter().get(), 1, "3 of 4 have been counted");
        cpu.retire_many(100);
        assert_eq!(reader.drain().unwrap().count(), 7, "nothing is counted while paused; draining goes on");
        // SAFETY: block and buffer are still there.
        let session = unsafe { paused.resume() }.unwrap();
        cpu.retire_many(1);
        assert_eq!(reader.available(), Ok(1), "the 4th");
        assert_eq!((session.watch().head(), session.watch().missed_events()), (0, 1));
        assert_eq!(session.replaced(), None);
        let _ = session.pause().unwrap();
    });
}

// LWP-SLW-10: SLWPCB makes visible what hardware holds back
#[test]
fn sync_shows_a_deferred_head_and_the_counters() {
    with_session(4, 3, |cpu, idle| {
        let (mut session, reader) = started(idle);
        cpu.retire_many(4 + 1);
        assert_eq!((reader.available(), session.watch().counter(0).unwrap().counter().get()), (Ok(0), 4));
        assert_eq!(session.sync(), Ok(true));
        assert_eq!((reader.available(), session.watch().counter(0).unwrap().counter().get()), (Ok(1), 3));
        cpu.retire_many(3);
        assert_eq!(session.sync(), Ok(true));
        assert_eq!(reader.available(), Ok(2), "the session went on");
        let _ = session.pause().unwrap();
    });
}

// LWP-LCB-04: disable, change, enable again; what waits in the buffer stays
#[test]
fn parameters_change_between_sessions() {
    with_session(4, 0, |cpu, idle| {
        let (session, reader) = started(idle);
        cpu.retire_many(4);
        let mut idle = session.pause().unwrap().finish(reader).unwrap();
        assert_eq!(idle.block().unwrap().image().head, 32);
        idle.edit(|block| {
            block.set_interval(0, 2)?;
            block.set_counter(0, 2)
        })
        .unwrap();
        let refused = idle.edit(|block| block.set_threshold_records(8));
        assert_eq!(refused, Err(LwpcbError::ThresholdOutOfRange { threshold: 256, size: 256 }));
        let (session, mut reader) = started(idle);
        cpu.retire_many(2);
        assert_eq!(reader.drain().unwrap().count(), 2, "one of either session");
        let _ = session.pause().unwrap();
    });
}

#[test]
fn flags_of_the_last_session_do_not_pass_for_this_one() {
    with_session(4, 0, |cpu, idle| {
        let (session, reader) = started(idle);
        let idle = session.pause().unwrap().finish(reader).unwrap();
        assert_eq!(idle.block().unwrap().image().flags, 0x3, "hardware leaves them");
        cpu.allow(Features::BRE);
        let (mut session, _reader) = started(idle);
        assert_eq!(session.watch().flags().into_bits(), 0);
        assert_eq!(session.sync(), Ok(false), "refused: no event in it is enabled");
        assert_eq!(session.pause().unwrap().returned(), None);
    });
}

// LWP-LLW-10: outside ring 3 the pointer is all that is loaded
#[test]
fn flags_are_0_until_the_block_has_been_read() {
    with_session(4, 0, |cpu, idle| {
        let (session, reader) = started(idle);
        let idle = session.pause().unwrap().finish(reader).unwrap();
        cpu.defer_load(true);
        let (session, _reader) = started(idle);
        assert_eq!(session.watch().flags().into_bits(), 0);
        assert!(session.pause().unwrap().returned().is_some());
    });
}

#[test]
fn a_step_that_faults_gives_the_session_back() {
    with_session(4, 0, |cpu, idle| {
        let fail = || cpu.page_fault_next();
        fail();
        // SAFETY: block and buffer outlive the stand-in's use of them.
        let failed = unsafe { idle.start() }.unwrap_err();
        assert!(matches!(failed.error, SessionError::Fault(_)));
        let (mut session, reader) = started(failed.session);
        fail();
        assert!(session.sync().is_err());
        fail();
        let failed = session.pause().unwrap_err();
        let paused = failed.session.pause().unwrap();
        fail();
        // SAFETY: as above.
        let failed = unsafe { paused.resume() }.unwrap_err();
        let idle = failed.session.finish(reader).unwrap();
        assert!(idle.block().is_ok());
    });
}

// LWP-LLW-02: LLWPCB returns what was active before
#[test]
fn sessions_of_one_thread_replace_each_other() {
    with_session(4, 0, |cpu, first| {
        let (mut memory, mut buffer) = (LwpcbMemory::new(), EventBuffer::<8>::new());
        let buffer = buffer.view();
        let block = block(&buffer, 1, 0);
        let (mut first, first_reader) = started(first);
        let (second, second_reader) = started(Session::new(cpu, &block, &mut memory, buffer));
        assert_eq!(second.replaced(), Some(first.watch().address()));
        assert_eq!(first.sync(), Ok(false));
        let first = first.pause().unwrap();
        assert_eq!(first.returned(), Some(second.watch().address()));
        cpu.retire_many(2);
        assert_eq!(second_reader.available(), Ok(2), "it was put back");
        let second = second.pause().unwrap();
        let wrong = second.finish(first_reader).unwrap_err();
        assert!(wrong.session.finish(second_reader).is_ok());
        assert!(first.finish(wrong.reader).is_ok());
    });
}

/// The instructions of a thread, of which LLWPCB faults while `fails`, unless it is given 0.
struct Unmapped<'a> {
    cpu: &'a FakeLwp,
    fails: &'a Cell<bool>,
}

impl LwpInstructions for Unmapped<'_> {
    type Fault = FakePageFault;

    unsafe fn llwpcb(&mut self, address: u64) -> Result<u64, FakePageFault> {
        if self.fails.get() && address != 0 {
            return Err(FakePageFault::at(address));
        }
        // SAFETY: passed on to the caller as it is.
        unsafe { (&mut self.cpu).llwpcb(address) }
    }

    unsafe fn slwpcb(&mut self) -> Result<u64, FakePageFault> {
        // SAFETY: passed on to the caller as it is.
        unsafe { (&mut self.cpu).slwpcb() }
    }
}

// a block that could not be put back is named, and its session goes on; nothing activates it behind its back
#[test]
fn a_block_that_cannot_be_put_back_is_named() {
    let (cpu, fails) = (FakeLwp::new(0), Cell::new(false));
    let lwp = || Unmapped { cpu: &cpu, fails: &fails };
    let (mut memories, mut buffers) =
        ([LwpcbMemory::new(), LwpcbMemory::new()], [(); 2].map(|()| EventBuffer::<8>::new()));
    let [(first, first_reader), (second, second_reader)] = {
        let [a, b] = &mut memories;
        let [c, d] = &mut buffers;
        [(a, c), (b, d)].map(|(memory, buffer)| {
            let buffer = buffer.view();
            let block = block(&buffer, 1, 0);
            // SAFETY: block and buffer outlive the stand-in's use of them.
            unsafe { Session::new(lwp(), &block, memory, buffer).start() }.unwrap()
        })
    };
    assert_eq!(first.displaced(), None);
    let other = second.watch().address();
    fails.set(true);
    let failed = first.pause().unwrap_err();
    assert_eq!((failed.error, failed.session.displaced()), (FakePageFault::at(other.get()), Some(other)));
    fails.set(false);
    let first = failed.session.pause().unwrap();
    assert_eq!((first.returned(), first.displaced()), (None, Some(other)));
    assert!(first.finish(first_reader).is_ok());
    cpu.retire_many(1);
    let second = second.pause().unwrap();
    assert_eq!((second.returned(), second.displaced()), (None, None));
    // SAFETY: block and buffer are still there.
    let second = unsafe { second.resume() }.unwrap();
    cpu.retire_many(2);
    assert_eq!(second_reader.available(), Ok(2), "those behind the resumption");
    let _ = second.pause().unwrap();
}

#[test]
fn a_block_that_breaks_a_rule_is_not_started() {
    with_session(4, 0, |_, idle| {
        let (session, reader) = started(idle);
        let good = Lwpcb::new(reader.block().image(), &CAPS).unwrap();
        let paused = session.pause().unwrap();
        poke(reader.block(), offset::HEAD, 7);
        let idle = paused.finish(reader).unwrap();
        // SAFETY: nothing is started.
        let failed = unsafe { idle.start() }.unwrap_err();
        assert_eq!(failed.error, SessionError::Block(LwpcbError::HeadMisaligned { head: 7 }));
        let mut idle = failed.session;
        assert!(idle.edit(|_| Ok(())).is_err());
        idle.replace(&good).unwrap();
        idle.edit(|block| block.edit(|image| image.base += 32)).unwrap();
        // SAFETY: nothing is started.
        let failed = unsafe { idle.start() }.unwrap_err();
        let base = good.image().base;
        assert_eq!(failed.error, SessionError::Ring(RingError::Base { base, expected: base + 32 }));
    });
}

// LWP-FLT-08: what to pin where hardware takes no page faults
#[test]
fn regions_are_block_and_buffer() {
    with_session(4, 0, |_, idle| {
        let [block, buffer] = idle.regions();
        assert_eq!((block.end - block.start, buffer.end - buffer.start), (64, 256));
        assert_eq!(buffer.start, idle.block().unwrap().image().base);
        let (session, reader) = started(idle);
        assert_eq!(session.watch().address().get(), block.start);
        let _ = session.pause().unwrap().finish(reader).unwrap();
    });
}

// LWP-CPU-15: EBX[7:0] = 80 bytes, more than the 64 of three slots: all of them are to be allocated, and pinned
#[test]
fn a_larger_block_is_allocated_whole() {
    let caps = LwpCaps::from_cpuid([0, 0x0103_2050, 0xC000_002A, 0x1F], EdxLayout::AsPrinted).unwrap();
    let (cpu, mut memory, mut buffer) = (FakeLwp::new(0), LwpcbMemory::new(), EventBuffer::<8>::new());
    let buffer = buffer.view();
    let built = LwpcbBuilder::new(&caps).buffer(buffer.address(), buffer.size());
    let block = built.event(EventId::INSTRUCTIONS_RETIRED, 4).build().unwrap();
    assert_eq!((block.slots(), block.allocation_bytes()), (3, 80));
    let [region, _] = Session::new(&cpu, &block, &mut memory, buffer).regions();
    assert_eq!(region.end - region.start, 80);
}

// LWP-INT-05, LWP-MSR0-14, LWP-OVR-02: with LWPMSR0[31] = 0 everything but the interrupt works; three times around
#[test]
fn polling_needs_no_interrupt() {
    with_session(2, 3, |cpu, idle| {
        let (session, mut reader) = started(idle);
        assert!(!session.watch().flags().int());
        let threshold = reader.block().threshold();
        let mut taken = 0;
        while taken < 3 * 8 {
            cpu.retire_many(1);
            if reader.should_drain(threshold).unwrap() {
                taken += reader.drain().unwrap().count();
            }
        }
        assert_eq!((taken, reader.missed_events(), cpu.interrupts()), (24, 0, 0));
        let _ = session.pause().unwrap();
    });
}
