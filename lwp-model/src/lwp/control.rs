//! Control: LLWPCB, SLWPCB, the MSRs, save and restore, the deferred initialisation.

use super::block::HEADER_WORDS;
use super::config::Config;
use super::context;
use super::event;
use super::inputs::CtlOp;
use super::now::Now;
use super::port::{ALL, Access, HIGH, LOW, PortCycle, Response};
use super::state::{CtlState, Fault, MemCmd, NUM_EVENTS, State};
use super::straps::{FlushOutside, LeavePolicy};
use lwp_regs::lwp::{LwpMsr0, offset};

/// Offsets of the header words that are read; MissedEvents stays in memory.
const HEADER: [usize; HEADER_WORDS as usize] = [offset::FLAGS, offset::BASE, offset::HEAD, offset::THRESHOLD];
/// Steps of a flush: the head, one counter an event, then MissedEvents.
const FLUSH_MISSED_READ: u8 = NUM_EVENTS as u8 + 1;
const FLUSH_MISSED_WRITE: u8 = FLUSH_MISSED_READ + 1;

/// Steps the control state machine in a state other than idle.
pub(super) fn step<const LAT: u32>(state: &mut State, now: &Now, port: &PortCycle, slots: u8, straps: &Config) {
    match now.ctl_st {
        CtlState::Idle => {}
        CtlState::Wait => dispatch::<LAT>(state, now, port, straps),
        CtlState::Done => state.ctl.st = CtlState::Idle,
        CtlState::Probe | CtlState::Flush | CtlState::Load | CtlState::Flags => access(state, now, port, slots, straps),
    }
}

/// Starts the deferred initialisation, or the reload of a restored session. The processor is in ring 3.
pub(super) fn start_init(state: &mut State) {
    state.ctl.st = if state.session.reload { CtlState::Load } else { CtlState::Probe };
    state.ctl.init = true;
    state.ctl.idx = 0;
    state.ctl.arg = state.session.lwpcb;
}

fn dispatch<const LAT: u32>(state: &mut State, now: &Now, port: &PortCycle, straps: &Config) {
    if state.ctl.fault != Fault::None {
        state.ctl.st = CtlState::Done;
        return;
    }
    if !now.settled(port) {
        return;
    }
    let op = state.ctl.op;
    let flushes = state.session.active && (state.ctl.ring3 || straps.flush_outside == FlushOutside::Sync);
    match op {
        CtlOp::Llwpcb | CtlOp::WriteMsr1 if state.ctl.ring3 && state.ctl.arg != 0 => state.ctl.st = CtlState::Probe,
        CtlOp::Llwpcb | CtlOp::WriteMsr1 | CtlOp::Slwpcb | CtlOp::ReadMsr1 if flushes => state.ctl.st = CtlState::Flush,
        CtlOp::Llwpcb | CtlOp::WriteMsr1 => switch(state),
        _ => {
            match op {
                // A restored session that is not reloaded yet keeps its record.
                CtlOp::Slwpcb | CtlOp::ReadMsr1 if !state.session.reload => state.forget(),
                CtlOp::WriteMsr0 => write_msr0(state),
                CtlOp::Save => state.ctl.rdata = context::word(state, &now.irq, state.ctl.idx),
                CtlOp::Restore => context::restore::<LAT>(state, state.ctl.idx, state.ctl.arg, straps),
                _ => {}
            }
            state.ctl.st = CtlState::Done;
        }
    }
}

/// Ends the session. If there is a new block, ring 3 initialises it later.
fn switch(state: &mut State) {
    state.drop_session();
    state.session.lwpcb = state.ctl.arg;
    state.session.init_pending = state.ctl.arg != 0;
    state.ctl.st = CtlState::Done;
}

/// Writes LWPMSR0. Clearing Enabled drops the session without an access to memory, since the block may be paged out.
fn write_msr0(state: &mut State) {
    state.session.msr0 = LwpMsr0::from_bits(state.ctl.arg);
    if !state.session.msr0.enabled() {
        state.drop_session();
    }
}

fn access(state: &mut State, now: &Now, port: &PortCycle, slots: u8, straps: &Config) {
    let beyond_recall = now.ctl_st == CtlState::Flags && port.taken;
    if state.ctl.init && !now.ring3 && !beyond_recall {
        state.port.abandon();
        state.ctl.st = CtlState::Idle;
    } else if let Some(response) = port.response {
        if response.err {
            page_fault(state, now);
        } else {
            respond(state, &response, slots, straps);
        }
    } else if nothing_to_flush(state) {
        next_flush(state);
    } else if port.idle {
        let access = wanted(state, slots);
        state.port.issue(access);
    }
}

fn page_fault(state: &mut State, now: &Now) {
    if state.ctl.init {
        state.ctl.st = CtlState::Idle;
        if now.ring3 {
            state.pf.request(&state.port, false);
        }
        return;
    }
    state.ctl.st = CtlState::Done;
    if going_back(state) {
        return;
    }
    state.ctl.fault = Fault::PageFault;
    state.ctl.fault_write = state.port.cmd != MemCmd::Read;
    state.ctl.fault_addr = state.port.first_byte();
    if core::mem::take(&mut state.ctl.old) {
        state.ctl.idx = 0;
        state.ctl.st = CtlState::Load;
    }
}

/// Whether the operation has faulted, and the session that it had flushed is being loaded from its block again.
const fn going_back(state: &State) -> bool {
    matches!(state.ctl.st, CtlState::Load | CtlState::Done)
        && !state.ctl.init
        && !matches!(state.ctl.fault, Fault::None)
}

/// Whether this step of a flush has nothing to write: no slot selects its event, or no event was missed.
fn nothing_to_flush(state: &State) -> bool {
    state.ctl.st == CtlState::Flush
        && match state.ctl.idx {
            0 => false,
            step @ 1..FLUSH_MISSED_READ => !state.block.selected(usize::from(step) - 1),
            _ => state.ring.missed == 0,
        }
}

fn wanted(state: &State, slots: u8) -> Access {
    let (session, ctl) = (&state.session, &state.ctl);
    let block = if going_back(state) { session.lwpcb } else { ctl.arg };
    let new = |offset: usize| block.wrapping_add(offset as u64);
    match ctl.st {
        CtlState::Probe if ctl.idx == 0 => Access::probe(new(0)),
        CtlState::Probe => Access::probe(new(offset::slot(usize::from(slots) - 1))),
        CtlState::Flush if ctl.idx == 0 => Access::write(session.field(offset::HEAD), LOW, u64::from(state.ring.head)),
        CtlState::Flush if ctl.idx == FLUSH_MISSED_READ => Access::read(session.field(offset::MISSED), ALL),
        // The register `wdata` of the port holds the sum.
        CtlState::Flush if ctl.idx == FLUSH_MISSED_WRITE => {
            Access::write(session.field(offset::MISSED), ALL, state.port.wdata)
        }
        CtlState::Flush => {
            let event = &state.events[usize::from(ctl.idx) - 1];
            Access::write(session.field(offset::slot(event.slot.into())), HIGH, u64::from(event.counter) << 32)
        }
        CtlState::Load => match ctl.idx.checked_sub(HEADER_WORDS) {
            None => Access::read(new(HEADER[usize::from(ctl.idx)]), ALL),
            Some(slot) => Access::read(new(offset::slot(slot.into())), ALL),
        },
        _ => Access::write(new(offset::FLAGS), LOW, state.block.verdict().into_bits().into()),
    }
}

fn respond(state: &mut State, response: &Response, slots: u8, straps: &Config) {
    match state.ctl.st {
        CtlState::Probe if state.ctl.idx == 0 => state.ctl.idx = 1,
        CtlState::Probe => probed(state),
        CtlState::Flush => {
            match state.ctl.idx {
                FLUSH_MISSED_READ => state.port.wdata = response.rdata.wrapping_add(state.ring.missed.into()),
                FLUSH_MISSED_WRITE => state.ring.missed = 0,
                _ => {}
            }
            next_flush(state);
        }
        CtlState::Load => load(state, response.rdata, slots, straps),
        _ => commit(state, straps),
    }
}

fn probed(state: &mut State) {
    state.ctl.idx = 0;
    if state.session.active && !state.ctl.init {
        state.ctl.st = CtlState::Flush;
        return;
    }
    state.ctl.st = CtlState::Load;
    if !state.ctl.init {
        state.forget();
        if state.session.reload {
            // The core has not let the restored session be reloaded on entering ring 3, so that it cannot be flushed.
            state.drop_session();
        }
    }
}

fn next_flush(state: &mut State) {
    if state.ctl.idx < FLUSH_MISSED_WRITE {
        state.ctl.idx += 1;
        return;
    }
    state.ctl.idx = 0;
    if matches!(state.ctl.op, CtlOp::Slwpcb | CtlOp::ReadMsr1) {
        state.forget();
        state.ctl.st = CtlState::Done;
    } else if state.ctl.ring3 && state.ctl.arg != 0 {
        state.forget();
        // Only its block contains the old session now. If the load of the new block faults, the session is loaded from there.
        state.session.active = false;
        state.session.init_pending = true;
        state.ctl.old = true;
        state.ctl.st = CtlState::Load;
    } else {
        switch(state);
    }
}

fn load(state: &mut State, data: u64, slots: u8, straps: &Config) {
    let again = state.session.reload || going_back(state);
    match state.ctl.idx.checked_sub(HEADER_WORDS) {
        None => {
            if state.ctl.idx == 0 {
                state.block.allow = state.session.allowed(data, again, straps);
            }
            state.load_header(state.ctl.idx, data, again);
        }
        Some(slot) => state.load_slot(slot, data),
    }
    if state.ctl.idx < HEADER_WORDS + slots - 1 {
        state.ctl.idx += 1;
        return;
    }
    state.ctl.idx = 0;
    if going_back(state) {
        state.ctl.st = CtlState::Done;
        if state.block.verdict().en() {
            state.session.active = true;
            state.session.init_pending = false;
        } else {
            state.drop_session();
        }
    } else if state.session.reload {
        commit(state, straps);
    } else {
        state.ctl.st = CtlState::Flags;
    }
}

fn commit(state: &mut State, straps: &Config) {
    let good = state.block.verdict().en();
    state.session.lwpcb = if good { state.ctl.arg } else { 0 };
    state.session.active = good;
    state.session.init_pending = false;
    if !good || !state.session.reload {
        state.ring.missed = 0;
        state.ring.tail_skip = 0;
        state.forget();
    } else if !restored_record(state, straps) {
        state.forget();
    }
    state.session.reload = false;
    state.ctl.st = if state.ctl.init { CtlState::Idle } else { CtlState::Done };
}

/// Whether the first record was restored with the context and its event is selected and expired.
fn restored_record(state: &State, straps: &Config) -> bool {
    let Some(index) = event::index(state.records[0].event) else { return false };
    let wanted = state.pending || straps.leave_policy == LeavePolicy::Hold;
    wanted && state.block.selected(index) && state.events[index].counter == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lwp::state::Record;
    use lwp_regs::lwp::FlagsWord;

    /// A session with the branch event, which has a record.
    fn state(event: u8, pending: bool, counter: u32) -> State {
        let mut state = State { pending, ..State::default() };
        state.block.flags = FlagsWord::new().with_bre(true);
        state.records[0] = Record { event, ..Record::default() };
        state.events[1].counter = counter;
        state
    }

    // The record that a context brings: of an event of the session whose counter waits for it, and only where records are kept.
    #[test]
    fn which_restored_records_stay() {
        let (hold, drop) = (LeavePolicy::Hold, LeavePolicy::Discard);
        for (event, pending, counter, leave_policy, stays) in [
            (2, false, 0, hold, true),
            (2, true, 0, drop, true),
            (2, true, 0, hold, true),
            (2, false, 0, drop, false),
            (2, false, 1, hold, false),
            (2, false, 1, drop, false),
            (2, true, 9, drop, false),
            (1, true, 0, hold, false),
            (3, false, 0, hold, false),
            (0, true, 0, hold, false),
        ] {
            let straps = Config { leave_policy, ..Config::default() };
            assert_eq!(restored_record(&state(event, pending, counter), &straps), stays, "{event} {pending} {counter}");
        }
    }
}
