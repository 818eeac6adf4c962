//! Save and restore: the words of a thread's session that its control block does not contain. Neither accesses memory.
//!
//! Source: Lightweight Profiling Proposal (2007-07-20), "Processor State for context switch, SVM, and SMM"; the layout is
//! that of `lwp_regs::lwp::LwpVolatileState` and `SmmLwpArea`.

use super::config::Config;
use super::mab;
use super::state::{InterruptRegs, NUM_EVENTS, State};
use lwp_regs::lwp::{CounterWord, EVENT_RECORD_BYTES, LwpMsr0};

/// Words of a thread.
pub(super) const THREAD_WORDS: u8 = 8;
/// Words of a thread and of the core together, all of which SMM saves.
pub const CONTEXT_WORDS: u8 = 10;

const POINTER: u8 = 0;
const HEAD: u8 = 1;
const COUNTERS: u8 = 2;
const COUNTERS_AND_TAIL: u8 = 3;
const RECORD: u8 = 4;
const RECORD_IP: u8 = 5;
const RECORD_ADDR: u8 = 6;
const LAST: u8 = THREAD_WORDS - 1;
const CORE: u8 = 8;
const LFSR: u8 = 9;

/// Word 1: the context contains a session, so that head and counters are valid.
const SESSION: u32 = 32;
/// Word 1: the record is stored before the next instruction retires.
const PENDING: u32 = 33;
/// Word 1: lowest bit of the increments owed to MissedEvents.
const MISSED: u32 = 48;
/// Word 3: records until the tail is read again.
const TAIL_SKIP: u32 = 32;
/// Word 3: event chosen last.
const ROTATE: u32 = 36;
/// Word 8: the interrupt request, and the cycles until a delayed interrupt.
const IRQ: u32 = 32;
const IRQ_COUNT: u32 = 40;

/// Returns a word of the context. `irq` is the interrupt request at the beginning of the cycle.
pub(super) fn word(state: &State, irq: &InterruptRegs, number: u8) -> u64 {
    let session = &state.session;
    let running = session.active || session.init_pending && session.reload;
    match number {
        POINTER => session.lwpcb,
        HEAD..=RECORD_ADDR if running => thread_word(state, number),
        CORE => u64::from(irq.count) << IRQ_COUNT | u64::from(irq.valid) << IRQ | u64::from(session.msr0.eax()),
        LFSR => state.lfsr.into(),
        _ => 0,
    }
}

fn thread_word(state: &State, number: u8) -> u64 {
    let ring = &state.ring;
    let counter = |index: usize| {
        // The counter of an event that no slot selects may be left over from another session.
        let own = !state.session.active || state.block.selected(index);
        if own { u64::from(state.events[index].counter) } else { 0 }
    };
    match number {
        HEAD => {
            u64::from(ring.missed) << MISSED | u64::from(state.pending) << PENDING | 1 << SESSION | u64::from(ring.head)
        }
        COUNTERS => counter(1) << 32 | counter(0),
        COUNTERS_AND_TAIL => u64::from(state.rotate) << ROTATE | u64::from(ring.tail_skip) << TAIL_SKIP | counter(2),
        _ if state.no_record() => 0,
        _ => state.records[0].beat(number - RECORD, 0),
    }
}

/// Writes a word of the context.
pub(super) fn restore<const LAT: u32>(state: &mut State, number: u8, value: u64, straps: &Config) {
    let occupied = state.session.active || state.session.init_pending;
    if number == LAST || occupied && number < THREAD_WORDS {
        clear(state);
    }
    match number {
        POINTER => pointer(state, value),
        HEAD => {
            state.ring.head = value as u32 & 0x0FFF_FFFF & !(EVENT_RECORD_BYTES as u32 - 1);
            state.session.reload = value >> SESSION & 1 == 1;
            state.ring.missed = (value >> MISSED) as u16;
            state.pending = value >> PENDING & 1 == 1 && !state.no_record();
        }
        COUNTERS => {
            state.events[0].counter = counter(value);
            state.events[1].counter = counter(value >> 32);
        }
        COUNTERS_AND_TAIL => {
            state.events[2].counter = counter(value);
            let tail_skip = (value >> TAIL_SKIP) as u8 & 15;
            state.ring.tail_skip = if tail_skip < straps.tail_nth { tail_skip } else { 0 };
            let rotate = (value >> ROTATE) as u8 & 3;
            state.rotate = if usize::from(rotate) < NUM_EVENTS { rotate } else { 0 };
        }
        RECORD..=RECORD_ADDR if straps.keeps_record() => record::<LAT>(state, number, value),
        CORE => core(state, value, straps),
        LFSR => state.lfsr = value as u32,
        _ => {}
    }
}

/// Clears what a thread must not leave to the next one.
fn clear(state: &mut State) {
    state.drop_session();
    state.ring.head = 0;
    state.ring.tail_skip = 0;
    state.rotate = 0;
    for event in &mut state.events {
        event.counter = 0;
    }
}

/// Restores the pointer, which starts the session. The unit loads the rest from the block in ring 3.
fn pointer(state: &mut State, value: u64) {
    let address = if state.session.msr0.enabled() { value & !15 } else { 0 };
    if address == 0 {
        state.drop_session();
    } else {
        state.session.lwpcb = address;
        state.session.init_pending = true;
    }
}

fn counter(value: u64) -> u32 {
    CounterWord::from_bits(value as u32).counter().get()
}

fn record<const LAT: u32>(state: &mut State, number: u8, value: u64) {
    let record = &mut state.records[0];
    match number {
        RECORD => {
            let event = value as u8;
            record.event = if usize::from(event) <= NUM_EVENTS { event } else { 0 };
            record.flags = (value >> 28) as u8 & 15;
            record.data = (value >> 32) as u32 & mab::mask::<LAT>();
            record.clean();
        }
        RECORD_IP => record.ip = value,
        _ => {
            record.addr = value;
            record.clean();
        }
    }
}

fn core(state: &mut State, value: u64, straps: &Config) {
    state.session.msr0 = LwpMsr0::from_bits(value & LwpMsr0::writable_mask(straps.available()));
    if !state.session.msr0.enabled() {
        state.drop_session();
    }
    state.irq.valid |= value >> IRQ & 1 == 1;
    state.irq.count = (value >> IRQ_COUNT) as u8;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lwp::LeavePolicy;
    use crate::lwp::state::Record;

    /// A restored session of a unit that keeps records, with this record's instruction and no other part of it.
    fn restored(straps: &Config) -> State {
        let mut state = State::default();
        for (number, value) in [(CORE, 0xF), (LAST, 0), (RECORD_IP, 0x1234), (HEAD, 1 << SESSION), (POINTER, 0x100)] {
            restore::<31>(&mut state, number, value, straps);
        }
        state
    }

    // What of a record is there without its first word is no record.
    #[test]
    fn half_a_record_is_none() {
        let straps = Config { leave_policy: LeavePolicy::Hold, ..Config::default() };
        let mut state = restored(&straps);
        assert_eq!((state.session.reload, state.records[0].ip), (true, 0x1234));
        let save = |state: &State| [RECORD, RECORD_IP, RECORD_ADDR].map(|number| word(state, &state.irq, number));
        assert_eq!(save(&state), [0; 3]);
        state.records[0] = Record { event: 2, flags: 0b1010, data: 7, ip: 0x1234, addr: 0x5678 };
        assert_eq!(save(&state), [7 << 32 | 0xA000_0002, 0x1234, 0x5678]);
    }

    // Each part of the core's words in its place, and back.
    #[test]
    fn the_words_of_the_core() {
        let straps = Config { irq_delay: 200, ..Config::default() };
        let mut state = State::default();
        let value = 0xA5 << IRQ_COUNT | 1 << IRQ | 0x8000_000F;
        restore::<31>(&mut state, CORE, value, &straps);
        assert_eq!((state.irq.count, state.irq.valid), (0xA5, true));
        assert_eq!(word(&state, &state.irq, CORE), value);
    }
}
