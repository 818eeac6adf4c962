//! Store: the record's way into the ring buffer.

use super::port::{ALL, Access, HIGH, LOW, PortCycle, Response};
use super::state::{State, StoreState};
use super::unit::Now;
use lwp_regs::lwp::{EVENT_RECORD_BYTES, offset};

/// Bytes of one access.
const BEAT_BYTES: u64 = 8;
/// Last beat of a record.
const LAST_BEAT: u8 = (EVENT_RECORD_BYTES as u64 / BEAT_BYTES - 1) as u8;

/// One cycle of a store that needs memory (states write to miss-write).
pub(super) fn step(state: &mut State, now: &Now, port: &PortCycle, core_id: u8) {
    if !now.ring3 && !beyond_recall(now.store_st, port) {
        state.port.abandon();
        state.store_st = StoreState::Idle;
    } else if let Some(response) = port.response {
        if response.err {
            page_fault(state, now);
        } else {
            respond(state, now.store_st, &response);
        }
    } else if port.idle {
        issue(state, now.store_st, core_id);
    }
}

/// Once the access that publishes or counts the record is granted, memory and unit have to agree.
const fn beyond_recall(st: StoreState, port: &PortCycle) -> bool {
    matches!(st, StoreState::Head | StoreState::MissWrite) && port.taken
}

fn page_fault(state: &mut State, now: &Now) {
    state.store_st = StoreState::Idle;
    if now.ring3 {
        state.requests.page_fault(&state.port);
    }
}

/// Head after one more record.
const fn next_head(head: u32, size: u32) -> u32 {
    let next = head.wrapping_add(EVENT_RECORD_BYTES as u32);
    if next == size { 0 } else { next }
}

fn respond(state: &mut State, st: StoreState, response: &Response) {
    let session = &mut state.session;
    state.store_st = match st {
        StoreState::Write if state.store_beat < LAST_BEAT => {
            state.store_beat += 1;
            StoreState::Write
        }
        StoreState::Write => {
            state.store_beat = 0;
            StoreState::Tail
        }
        StoreState::Tail => {
            let tail = (response.rdata >> 32) as u32 & !(EVENT_RECORD_BYTES as u32 - 1);
            // Safety must not depend on what software wrote: a bad tail is as if it had not moved.
            if tail < session.size {
                session.tail = tail;
            }
            if next_head(session.head, session.size) == session.tail { StoreState::MissRead } else { StoreState::Head }
        }
        StoreState::MissRead => {
            state.port.wdata = response.rdata.wrapping_add(1);
            StoreState::MissWrite
        }
        StoreState::MissWrite => StoreState::Reset,
        StoreState::Head => {
            session.head = next_head(session.head, session.size);
            StoreState::Report
        }
        StoreState::Idle | StoreState::Report | StoreState::Reset => st,
    };
}

fn issue(state: &mut State, st: StoreState, core_id: u8) {
    let session = &state.session;
    let access = match st {
        StoreState::Write => {
            let offset = u64::from(session.head) + BEAT_BYTES * u64::from(state.store_beat);
            Access::write(session.base.wrapping_add(offset), ALL, beat(state, core_id))
        }
        StoreState::Tail => Access::read(session.field(offset::HEAD), HIGH),
        StoreState::Head => {
            let head = next_head(session.head, session.size);
            Access::write(session.field(offset::HEAD), LOW, u64::from(head))
        }
        StoreState::MissRead => Access::read(session.field(offset::MISSED), ALL),
        // The sum waits in the port's own register.
        StoreState::MissWrite => Access::write(session.field(offset::MISSED), ALL, state.port.wdata),
        StoreState::Idle | StoreState::Report | StoreState::Reset => return,
    };
    state.port.issue(access);
}

/// The 8 bytes of the record that the current beat writes.
fn beat(state: &State, core_id: u8) -> u64 {
    let record = &state.record;
    match state.store_beat {
        0 => {
            let first = u32::from(record.flags) << 28 | u32::from(core_id) << 8 | u32::from(record.event);
            u64::from(record.data) << 32 | u64::from(first)
        }
        1 => record.ip,
        2 => record.addr,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // LWP-STO-02, LWP-STO-03.
    #[test]
    fn head_advances_by_a_record_and_wraps() {
        assert_eq!(next_head(0, 128), 32);
        assert_eq!(next_head(64, 128), 96);
        assert_eq!(next_head(96, 128), 0);
    }
}
