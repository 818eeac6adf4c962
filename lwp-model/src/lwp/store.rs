//! Store: writes a record into the ring buffer.

use super::config::Config;
use super::event;
use super::now::Now;
use super::port::{ALL, Access, HIGH, LOW, PortCycle, Response};
use super::state::{Block, CtlState, EventCounter, Ring, State, StoreState};
use super::straps::{FaultPolicy, HeadFlush, IntervalSource, TailReread, WriteOnFull};
use lwp_regs::lwp::{EVENT_RECORD_BYTES, SlotWord, offset};

/// Bytes of one access.
const BEAT_BYTES: u64 = 8;
/// Last beat of a record.
const LAST_BEAT: u8 = (EVENT_RECORD_BYTES as u64 / BEAT_BYTES - 1) as u8;

/// Starts, in idle, the update of MissedEvents if it is owed, otherwise the store of the first record.
pub(super) fn start(state: &mut State, now: &Now, straps: &Config) {
    let free = matches!(now.ctl_st, CtlState::Idle | CtlState::Wait);
    if !now.ring3 || !now.active || now.pf_valid || !free {
        return;
    }
    if now.owed {
        state.store.st = StoreState::MissRead;
    } else if !now.no_record {
        state.store.beat = 0;
        state.store.st = match straps.interval_source {
            IntervalSource::Reread => StoreState::Interval,
            IntervalSource::Cached => enter(&mut state.ring, &state.block, straps),
        };
    }
}

/// Steps a state that accesses memory.
pub(super) fn step(state: &mut State, now: &Now, port: &PortCycle, straps: &Config) {
    if !now.ring3 && !beyond_recall(now.store_st, port) {
        state.port.abandon();
        state.store.st = StoreState::Idle;
    } else if let Some(response) = port.response {
        if response.err {
            page_fault(state, now, straps);
        } else {
            respond(state, now.store_st, &response, straps);
        }
    } else if port.idle {
        issue(state, now.store_st, straps.core_id);
    }
}

/// Whether the access can no longer be abandoned. Once memory has granted the access that publishes or counts the record, the unit
/// must take its response.
const fn beyond_recall(st: StoreState, port: &PortCycle) -> bool {
    matches!(st, StoreState::Head | StoreState::MissWrite) && port.taken
}

/// Source: Lightweight Profiling Proposal (2007-07-20), "TLB and Cache misses during LWP logging".
fn page_fault(state: &mut State, now: &Now, straps: &Config) {
    state.store.st = StoreState::Idle;
    if !now.ring3 {
        return;
    }
    let counting_missed = matches!(now.store_st, StoreState::MissRead | StoreState::MissWrite);
    let undone = straps.undoes() && state.undo();
    if undone && counting_missed {
        state.ring.missed = state.ring.missed.wrapping_sub(1);
    }
    if !undone && !counting_missed {
        if straps.fault_policy == FaultPolicy::TrapPending {
            state.pending = true;
        } else {
            state.forget();
        }
    }
    state.pf.request(&state.port, undone);
}

/// Returns the first state of a record after its interval is known.
fn enter(ring: &mut Ring, block: &Block, straps: &Config) -> StoreState {
    if straps.write_on_full == WriteOnFull::Skip && tail_needed(ring, block, straps) {
        StoreState::Tail
    } else {
        StoreState::Write
    }
}

/// Whether the tail must be read for this record. Called once each time a record is stored, as it counts down `tail_skip`.
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "LWPCB Access".
fn tail_needed(ring: &mut Ring, block: &Block, straps: &Config) -> bool {
    if straps.tail_reread == TailReread::EachRecord || ring.full(block) {
        true
    } else if !ring.reached(block) {
        false
    } else if ring.tail_skip == 0 || !ring.stays_reached(block) {
        true
    } else {
        ring.tail_skip -= 1;
        false
    }
}

/// Advances the head past the record that has been written: in memory now, or in the register only.
fn publish(ring: &mut Ring, block: &Block, straps: &Config) -> StoreState {
    if straps.head_flush == HeadFlush::EachRecord || block.threshold == 0 || ring.reached(block) {
        StoreState::Head
    } else {
        ring.head = ring.next_head(block);
        StoreState::Report
    }
}

/// Counts a missed event: the ring is full.
const fn miss(ring: &mut Ring) -> StoreState {
    ring.missed = ring.missed.wrapping_add(1);
    StoreState::Reset
}

fn respond(state: &mut State, st: StoreState, response: &Response, straps: &Config) {
    if st == StoreState::Interval {
        let interval = SlotWord::from_bits(response.rdata as u32).interval();
        if let Some(event) = first_event(state) {
            event.interval = interval.get();
        }
    }
    let (ring, block) = (&mut state.ring, &state.block);
    state.store.st = match st {
        StoreState::Interval => enter(ring, block, straps),
        StoreState::Write if state.store.beat < LAST_BEAT => {
            state.store.beat += 1;
            StoreState::Write
        }
        StoreState::Write => {
            state.store.beat = 0;
            if straps.write_on_full == WriteOnFull::WriteSlot && tail_needed(ring, block, straps) {
                StoreState::Tail
            } else {
                publish(ring, block, straps)
            }
        }
        StoreState::Tail => after_tail(ring, block, response, straps),
        StoreState::Head => {
            ring.head = ring.next_head(block);
            StoreState::Report
        }
        StoreState::FullHead => miss(ring),
        StoreState::MissRead => {
            state.port.wdata = response.rdata.wrapping_add(ring.missed.into());
            StoreState::MissWrite
        }
        StoreState::MissWrite => {
            ring.missed = 0;
            StoreState::Idle
        }
        StoreState::Idle | StoreState::Report | StoreState::Reset => st,
    };
}

fn after_tail(ring: &mut Ring, block: &Block, response: &Response, straps: &Config) -> StoreState {
    let tail = (response.rdata >> 32) as u32 & !(EVENT_RECORD_BYTES as u32 - 1);
    // Safety must not depend on what software wrote: a tail outside the ring is ignored.
    if tail < block.size {
        ring.tail = tail;
    }
    ring.tail_skip = straps.tail_nth - 1;
    match (ring.full(block), straps.head_flush, straps.write_on_full) {
        (true, HeadFlush::Deferred, _) => StoreState::FullHead,
        (true, HeadFlush::EachRecord, _) => miss(ring),
        (false, _, WriteOnFull::WriteSlot) => publish(ring, block, straps),
        (false, _, WriteOnFull::Skip) => StoreState::Write,
    }
}

fn first_event(state: &mut State) -> Option<&mut EventCounter> {
    event::index(state.records[0].event).map(|index| &mut state.events[index])
}

fn issue(state: &mut State, st: StoreState, core_id: u8) {
    let (session, block, ring) = (&state.session, &state.block, &state.ring);
    let access = match st {
        StoreState::Interval => {
            let slot = state.events[event::index(state.records[0].event).unwrap_or(0)].slot;
            Access::read(session.field(offset::slot(slot.into())), LOW)
        }
        StoreState::Write => {
            let offset = u64::from(ring.head) + BEAT_BYTES * u64::from(state.store.beat);
            Access::write(block.base.wrapping_add(offset), ALL, state.records[0].beat(state.store.beat, core_id))
        }
        StoreState::Tail => Access::read(session.field(offset::HEAD), HIGH),
        StoreState::Head => Access::write(session.field(offset::HEAD), LOW, u64::from(ring.next_head(block))),
        StoreState::FullHead => Access::write(session.field(offset::HEAD), LOW, u64::from(ring.head)),
        StoreState::MissRead => Access::read(session.field(offset::MISSED), ALL),
        // The register `wdata` of the port holds the sum.
        StoreState::MissWrite => Access::write(session.field(offset::MISSED), ALL, state.port.wdata),
        StoreState::Idle | StoreState::Report | StoreState::Reset => return,
    };
    state.port.issue(access);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(threshold: u32) -> Block {
        Block { threshold, size: 128, ..Block::default() }
    }

    fn ring(head: u32) -> Ring {
        Ring { head, ..Ring::default() }
    }

    // LWP-ACC-05, LWP-ACC-08, LWP-ACC-09: never before the threshold appears reached, then every n-th time, always when full.
    #[test]
    fn a_lazy_tail() {
        let straps = Config { tail_reread: TailReread::Lazy, tail_nth: 3, ..Config::default() };
        assert!(tail_needed(&mut ring(0), &block(64), &Config::default()));
        assert!(!tail_needed(&mut ring(0), &block(64), &straps));
        let mut above = ring(32);
        assert_eq!(
            [0; 2].map(|_| tail_needed(&mut above, &block(64), &straps)),
            [true; 2],
            "a look that faulted is none"
        );
        after_tail(&mut above, &block(64), &Response { err: false, rdata: 0 }, &straps);
        assert!(tail_needed(&mut above, &block(64), &straps), "the head has not reached the threshold yet");
        above.head = 64;
        assert_eq!([0; 3].map(|_| tail_needed(&mut above, &block(64), &straps)), [false, false, true]);
        let mut full = ring(96);
        assert_eq!([0; 3].map(|_| tail_needed(&mut full, &block(64), &straps)), [true; 3]);
        assert!(!tail_needed(&mut ring(32), &block(0), &straps), "without a threshold only a full ring matters");
    }

    // LWP-ACC-02, LWP-ACC-04, LWP-ACC-15.
    #[test]
    fn a_deferred_head() {
        let straps = Config { head_flush: HeadFlush::Deferred, ..Config::default() };
        let mut below = ring(0);
        assert_eq!((publish(&mut below, &block(64), &straps), below.head), (StoreState::Report, 32));
        assert_eq!((publish(&mut below, &block(64), &straps), below.head), (StoreState::Head, 32));
        assert_eq!(publish(&mut ring(0), &block(0), &straps), StoreState::Head);
        assert_eq!(publish(&mut ring(0), &block(64), &Config::default()), StoreState::Head);
    }

    // A page fault of MissedEvents drops no record: those that wait have nothing to do with it.
    #[test]
    fn whose_fault_drops_the_record() {
        let now = |store_st| Now {
            ring3: true,
            stall: false,
            counting: true,
            store_st,
            ctl_st: CtlState::Idle,
            active: true,
            pf_valid: false,
            irq: crate::lwp::InterruptRegs::default(),
            no_record: false,
            owed: true,
            resetting: None,
        };
        let left = |store_st, fault_policy| {
            let mut state = State::default();
            state.records[0].event = 2;
            page_fault(&mut state, &now(store_st), &Config { fault_policy, ..Config::default() });
            (state.records[0].event, state.pending)
        };
        for store_st in [StoreState::MissRead, StoreState::MissWrite] {
            assert_eq!(left(store_st, FaultPolicy::Trap), (2, false));
            assert_eq!(left(store_st, FaultPolicy::TrapPending), (2, false));
        }
        assert_eq!(left(StoreState::Write, FaultPolicy::Trap), (0, false));
        assert_eq!(left(StoreState::Write, FaultPolicy::TrapPending), (2, true));
    }
}
