//! Store: the record's way into the ring buffer.

use super::config::Config;
use super::event;
use super::now::Now;
use super::port::{ALL, Access, HIGH, LOW, PortCycle, Response};
use super::report::used;
use super::state::{CtlState, EventCounter, Session, State, StoreState};
use super::straps::{FaultPolicy, HeadFlush, IntervalSource, TailReread, WriteOnFull};
use lwp_regs::lwp::{EVENT_RECORD_BYTES, SlotWord, offset};

/// Bytes of one access.
const BEAT_BYTES: u64 = 8;
/// Last beat of a record.
const LAST_BEAT: u8 = (EVENT_RECORD_BYTES as u64 / BEAT_BYTES - 1) as u8;

/// The store machine is idle: it settles what MissedEvents is owed, or takes up the first record.
pub(super) fn start(state: &mut State, now: &Now, straps: &Config) {
    let free = matches!(now.ctl_st, CtlState::Idle | CtlState::Wait);
    if !now.ring3 || !now.active || now.pf_valid || !free {
        return;
    }
    if now.owed {
        state.store_st = StoreState::MissRead;
    } else if !now.no_record {
        state.store_beat = 0;
        state.store_st = match straps.interval_source {
            IntervalSource::Reread => StoreState::Interval,
            IntervalSource::Cached => enter(&mut state.session, straps),
        };
    }
}

/// One cycle of a state that needs memory.
pub(super) fn step(state: &mut State, now: &Now, port: &PortCycle, straps: &Config) {
    if !now.ring3 && !beyond_recall(now.store_st, port) {
        state.port.abandon();
        state.store_st = StoreState::Idle;
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

/// Once the access that publishes or counts the record is granted, memory and unit have to agree.
const fn beyond_recall(st: StoreState, port: &PortCycle) -> bool {
    matches!(st, StoreState::Head | StoreState::MissWrite) && port.taken
}

/// Source: Lightweight Profiling Proposal (2007-07-20), "TLB and Cache misses during LWP logging".
fn page_fault(state: &mut State, now: &Now, straps: &Config) {
    state.store_st = StoreState::Idle;
    if !now.ring3 {
        return;
    }
    let counting_missed = matches!(now.store_st, StoreState::MissRead | StoreState::MissWrite);
    let undone = straps.undoes() && state.undo();
    if undone && counting_missed {
        state.session.missed = state.session.missed.wrapping_sub(1);
    }
    if !undone && !counting_missed {
        if straps.fault_policy == FaultPolicy::TrapPending {
            state.pending = true;
        } else {
            state.forget();
        }
    }
    state.requests.page_fault(&state.port, undone);
}

/// Head after one more record.
const fn next_head(session: &Session) -> u32 {
    let next = session.head.wrapping_add(EVENT_RECORD_BYTES as u32);
    if next == session.size { 0 } else { next }
}

/// Whether the ring appears full: one more record would make it look empty.
const fn full(session: &Session) -> bool {
    next_head(session) == session.tail
}

/// Whether one more record appears to reach the threshold.
const fn reached(session: &Session) -> bool {
    session.threshold != 0 && used(next_head(session), session.tail, session.size) >= session.threshold
}

/// The first state of a record with its interval at hand.
fn enter(session: &mut Session, straps: &Config) -> StoreState {
    if straps.write_on_full == WriteOnFull::Skip && tail_needed(session, straps) {
        StoreState::Tail
    } else {
        StoreState::Write
    }
}

/// Whether the tail has to be read for this record. Asked once for each.
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "LWPCB Access".
fn tail_needed(session: &mut Session, straps: &Config) -> bool {
    if straps.tail_reread == TailReread::EachRecord || full(session) {
        true
    } else if !reached(session) {
        false
    } else if session.tail_skip == 0 {
        true
    } else {
        session.tail_skip -= 1;
        false
    }
}

/// The record is in its place: the head goes on, in memory at once or later.
fn publish(session: &mut Session, straps: &Config) -> StoreState {
    if straps.head_flush == HeadFlush::EachRecord || session.threshold == 0 || reached(session) {
        StoreState::Head
    } else {
        session.head = next_head(session);
        StoreState::Report
    }
}

/// The ring is full: the event was missed.
const fn miss(session: &mut Session) -> StoreState {
    session.missed = session.missed.wrapping_add(1);
    StoreState::Reset
}

fn respond(state: &mut State, st: StoreState, response: &Response, straps: &Config) {
    if st == StoreState::Interval {
        let interval = SlotWord::from_bits(response.rdata as u32).interval();
        if let Some(event) = first_event(state) {
            event.interval = interval.get();
        }
    }
    let session = &mut state.session;
    state.store_st = match st {
        StoreState::Interval => enter(session, straps),
        StoreState::Write if state.store_beat < LAST_BEAT => {
            state.store_beat += 1;
            StoreState::Write
        }
        StoreState::Write => {
            state.store_beat = 0;
            if straps.write_on_full == WriteOnFull::WriteSlot && tail_needed(session, straps) {
                StoreState::Tail
            } else {
                publish(session, straps)
            }
        }
        StoreState::Tail => after_tail(session, response, straps),
        StoreState::Head => {
            session.head = next_head(session);
            StoreState::Report
        }
        StoreState::FullHead => miss(session),
        StoreState::MissRead => {
            state.port.wdata = response.rdata.wrapping_add(session.missed.into());
            StoreState::MissWrite
        }
        StoreState::MissWrite => {
            session.missed = 0;
            StoreState::Idle
        }
        StoreState::Idle | StoreState::Report | StoreState::Reset => st,
    };
}

fn after_tail(session: &mut Session, response: &Response, straps: &Config) -> StoreState {
    let tail = (response.rdata >> 32) as u32 & !(EVENT_RECORD_BYTES as u32 - 1);
    // Safety must not depend on what software wrote: a bad tail is as if it had not moved.
    if tail < session.size {
        session.tail = tail;
    }
    if straps.tail_reread == TailReread::Lazy {
        session.tail_skip = straps.tail_nth - 1;
    }
    match (full(session), straps.head_flush, straps.write_on_full) {
        (true, HeadFlush::Deferred, _) => StoreState::FullHead,
        (true, HeadFlush::EachRecord, _) => miss(session),
        (false, _, WriteOnFull::WriteSlot) => publish(session, straps),
        (false, _, WriteOnFull::Skip) => StoreState::Write,
    }
}

fn first_event(state: &mut State) -> Option<&mut EventCounter> {
    event::index(state.records[0].event).map(|index| &mut state.events[index])
}

fn issue(state: &mut State, st: StoreState, core_id: u8) {
    let session = &state.session;
    let access = match st {
        StoreState::Interval => {
            let slot = state.events[event::index(state.records[0].event).unwrap_or(0)].slot;
            Access::read(session.field(offset::slot(slot.into())), LOW)
        }
        StoreState::Write => {
            let offset = u64::from(session.head) + BEAT_BYTES * u64::from(state.store_beat);
            Access::write(session.base.wrapping_add(offset), ALL, state.records[0].beat(state.store_beat, core_id))
        }
        StoreState::Tail => Access::read(session.field(offset::HEAD), HIGH),
        StoreState::Head => Access::write(session.field(offset::HEAD), LOW, u64::from(next_head(session))),
        StoreState::FullHead => Access::write(session.field(offset::HEAD), LOW, u64::from(session.head)),
        StoreState::MissRead => Access::read(session.field(offset::MISSED), ALL),
        // The sum waits in the port's own register.
        StoreState::MissWrite => Access::write(session.field(offset::MISSED), ALL, state.port.wdata),
        StoreState::Idle | StoreState::Report | StoreState::Reset => return,
    };
    state.port.issue(access);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(head: u32, tail: u32, threshold: u32) -> Session {
        Session { head, tail, threshold, size: 128, ..Session::default() }
    }

    // LWP-STO-02, LWP-STO-03.
    #[test]
    fn head_advances_by_a_record_and_wraps() {
        assert_eq!(next_head(&session(0, 0, 0)), 32);
        assert_eq!(next_head(&session(64, 0, 0)), 96);
        assert_eq!(next_head(&session(96, 0, 0)), 0);
    }

    // LWP-ACC-05, LWP-ACC-08, LWP-ACC-09: never before the threshold appears reached, then every n-th time, always when full.
    #[test]
    fn a_lazy_tail() {
        let straps = Config { tail_reread: TailReread::Lazy, tail_nth: 3, ..Config::default() };
        assert!(tail_needed(&mut session(0, 0, 64), &Config::default()));
        assert!(!tail_needed(&mut session(0, 0, 64), &straps));
        let mut above = session(32, 0, 64);
        assert_eq!([0; 2].map(|_| tail_needed(&mut above, &straps)), [true; 2], "a look that faulted is none");
        after_tail(&mut above, &Response { err: false, rdata: 0 }, &straps);
        above.head = 32;
        assert_eq!([0; 3].map(|_| tail_needed(&mut above, &straps)), [false, false, true]);
        let mut full = session(96, 0, 64);
        assert_eq!([0; 3].map(|_| tail_needed(&mut full, &straps)), [true; 3]);
        assert!(!tail_needed(&mut session(32, 0, 0), &straps), "without a threshold only a full ring matters");
    }

    // LWP-ACC-02, LWP-ACC-04, LWP-ACC-15.
    #[test]
    fn a_deferred_head() {
        let straps = Config { head_flush: HeadFlush::Deferred, ..Config::default() };
        let mut below = session(0, 0, 64);
        assert_eq!((publish(&mut below, &straps), below.head), (StoreState::Report, 32));
        assert_eq!((publish(&mut below, &straps), below.head), (StoreState::Head, 32));
        assert_eq!(publish(&mut session(0, 0, 0), &straps), StoreState::Head);
        assert_eq!(publish(&mut session(0, 0, 64), &Config::default()), StoreState::Head);
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
            requests: crate::lwp::Requests::default(),
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
