//! Control: LLWPCB, SLWPCB, the MSRs and the deferred initialisation.

use super::config::Config;
use super::inputs::CtlOp;
use super::port::{ALL, Access, HIGH, LOW, PortCycle, Response};
use super::session::HEADER_WORDS;
use super::state::{CtlState, Fault, MemCmd, NUM_EVENTS, State};
use super::unit::Now;
use lwp_regs::lwp::{LwpMsr0, offset};

/// Offsets of the header words that are read; MissedEvents stays in memory.
const HEADER: [usize; HEADER_WORDS as usize] = [offset::FLAGS, offset::BASE, offset::HEAD, offset::THRESHOLD];
/// Last step of a flush: the head, then one counter an event.
const LAST_FLUSH: u8 = NUM_EVENTS as u8;

/// One cycle of the control machine outside idle.
pub(super) fn step(state: &mut State, now: &Now, port: &PortCycle, slots: u8, straps: &Config) {
    match now.ctl_st {
        CtlState::Idle => {}
        CtlState::Wait => dispatch(state, now, port),
        CtlState::Done => state.ctl.st = CtlState::Idle,
        CtlState::Probe | CtlState::Flush | CtlState::Load | CtlState::Flags => access(state, now, port, slots, straps),
    }
}

/// Starts the deferred initialisation: the processor is in ring 3 and the session still in its block.
pub(super) fn start_init(state: &mut State) {
    state.ctl.st = CtlState::Probe;
    state.ctl.init = true;
    state.ctl.idx = 0;
    state.ctl.arg = state.session.lwpcb;
}

fn dispatch(state: &mut State, now: &Now, port: &PortCycle) {
    if state.ctl.fault != Fault::None {
        state.ctl.st = CtlState::Done;
        return;
    }
    if now.store_busy || !port.idle {
        return;
    }
    match state.ctl.op {
        CtlOp::Llwpcb | CtlOp::WriteMsr1 if state.ctl.ring3 && state.ctl.arg != 0 => state.ctl.st = CtlState::Probe,
        CtlOp::Llwpcb | CtlOp::WriteMsr1 | CtlOp::Slwpcb | CtlOp::ReadMsr1 if state.session.active => {
            state.ctl.st = CtlState::Flush;
        }
        CtlOp::Llwpcb | CtlOp::WriteMsr1 => switch(state),
        CtlOp::WriteMsr0 => {
            write_msr0(state);
            state.ctl.st = CtlState::Done;
        }
        _ => state.ctl.st = CtlState::Done,
    }
}

/// Disables, or leaves the initialisation of the new block to ring 3.
fn switch(state: &mut State) {
    state.session.lwpcb = state.ctl.arg;
    state.session.active = false;
    state.session.init_pending = state.ctl.arg != 0;
    state.ctl.st = CtlState::Done;
}

/// Clearing Enabled drops the session without touching memory: the block may be paged out.
fn write_msr0(state: &mut State) {
    let session = &mut state.session;
    session.msr0 = LwpMsr0::from_bits(state.ctl.arg);
    if !session.msr0.enabled() {
        session.lwpcb = 0;
        session.active = false;
        session.init_pending = false;
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
            state.requests.page_fault(&state.port);
        }
    } else {
        state.ctl.st = CtlState::Done;
        state.ctl.fault = Fault::PageFault;
        state.ctl.fault_write = state.port.cmd != MemCmd::Read;
        state.ctl.fault_addr = state.port.first_byte();
    }
}

/// A flush step of an event that no slot selects.
fn nothing_to_flush(state: &State) -> bool {
    let step = usize::from(state.ctl.idx);
    state.ctl.st == CtlState::Flush && step > 0 && !state.session.selected(step - 1)
}

fn wanted(state: &State, slots: u8) -> Access {
    let (session, ctl) = (&state.session, &state.ctl);
    let new = |offset: usize| ctl.arg.wrapping_add(offset as u64);
    match ctl.st {
        CtlState::Probe if ctl.idx == 0 => Access::probe(new(0)),
        CtlState::Probe => Access::probe(new(offset::slot(usize::from(slots) - 1))),
        CtlState::Flush if ctl.idx == 0 => Access::write(session.field(offset::HEAD), LOW, u64::from(session.head)),
        CtlState::Flush => {
            let event = &state.events[usize::from(ctl.idx) - 1];
            Access::write(session.field(offset::slot(event.slot.into())), HIGH, u64::from(event.counter) << 32)
        }
        CtlState::Load => match ctl.idx.checked_sub(HEADER_WORDS) {
            None => Access::read(new(HEADER[usize::from(ctl.idx)]), ALL),
            Some(slot) => Access::read(new(offset::slot(slot.into())), ALL),
        },
        _ => Access::write(new(offset::FLAGS), LOW, session.verdict().into_bits().into()),
    }
}

fn respond(state: &mut State, response: &Response, slots: u8, straps: &Config) {
    match state.ctl.st {
        CtlState::Probe if state.ctl.idx == 0 => state.ctl.idx = 1,
        CtlState::Probe => {
            state.ctl.idx = 0;
            state.ctl.st = if state.session.active { CtlState::Flush } else { CtlState::Load };
        }
        CtlState::Flush => next_flush(state),
        CtlState::Load => load(state, response.rdata, slots, straps),
        _ => commit(state),
    }
}

fn next_flush(state: &mut State) {
    if state.ctl.idx < LAST_FLUSH {
        state.ctl.idx += 1;
        return;
    }
    state.ctl.idx = 0;
    if matches!(state.ctl.op, CtlOp::Slwpcb | CtlOp::ReadMsr1) {
        state.ctl.st = CtlState::Done;
    } else if state.ctl.ring3 && state.ctl.arg != 0 {
        // The old session now lives in its block; should the new one fault, it comes back from there.
        state.session.active = false;
        state.session.init_pending = true;
        state.ctl.st = CtlState::Load;
    } else {
        switch(state);
    }
}

fn load(state: &mut State, data: u64, slots: u8, straps: &Config) {
    match state.ctl.idx.checked_sub(HEADER_WORDS) {
        None => state.session.load_header(state.ctl.idx, data),
        Some(slot) => state.session.load_slot(&mut state.events, slot, data, straps),
    }
    if state.ctl.idx == HEADER_WORDS + slots - 1 {
        state.ctl.idx = 0;
        state.ctl.st = CtlState::Flags;
    } else {
        state.ctl.idx += 1;
    }
}

fn commit(state: &mut State) {
    let good = state.session.verdict().en();
    state.session.lwpcb = if good { state.ctl.arg } else { 0 };
    state.session.active = good;
    state.session.init_pending = false;
    state.ctl.st = if state.ctl.init { CtlState::Idle } else { CtlState::Done };
}
