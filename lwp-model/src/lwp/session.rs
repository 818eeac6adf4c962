//! The session registers: what is loaded from the control block, and what is flushed to it.

use super::config::Config;
use super::event::{self, BRANCHES, INSTRUCTIONS, MISSES};
use super::state::{EventCounter, NUM_EVENTS, Session, State};
use lwp_regs::lwp::{CounterWord, EVENT_RECORD_BYTES, FilterWord, FlagsWord, SizeWord, SlotWord};

/// Clears the low bits that hardware ignores in offsets, sizes and the buffer's base.
const RECORD_MASK: u32 = !(EVENT_RECORD_BYTES as u32 - 1);
/// Bits of head and tail that can matter in a buffer of at most 2^28 bytes.
const OFFSET_MASK: u32 = (1 << 28) - 1;
/// The smallest buffer: one record's room less holds nothing.
const MIN_SIZE: u32 = 2 * EVENT_RECORD_BYTES as u32;

/// Words of the block that are read besides the slots.
pub(super) const HEADER_WORDS: u8 = 4;

impl Session {
    /// Linear address of a field of the current block.
    pub(super) const fn field(&self, offset: usize) -> u64 {
        self.lwpcb.wrapping_add(offset as u64)
    }

    /// Whether a slot of the session selects event `index` (EventId - 1).
    pub(super) const fn selected(&self, index: usize) -> bool {
        has_event(self.flags, index)
    }

    /// Whether event `index` counts: selected, and still enabled in LWPMSR0.
    pub(super) const fn live(&self, index: usize) -> bool {
        self.selected(index) && enabled(self, index)
    }

    /// Takes one of the first [`HEADER_WORDS`] words read from a block; `again`: of a session that ran before.
    pub(super) fn load_header(&mut self, word: u8, data: u64, again: bool) {
        let (low, high) = (data as u32, (data >> 32) as u32);
        match word {
            0 => {
                let size = SizeWord::from_bits(high);
                self.size = size.buffer_size().get() & RECORD_MASK;
                self.random = size.random().get();
                let interrupt = if again { FlagsWord::from_bits(low).int() } else { self.msr0.interrupt() };
                self.flags = FlagsWord::new().with_int(interrupt);
            }
            1 => self.base = data & !(EVENT_RECORD_BYTES as u64 - 1),
            2 => {
                // A restored session brings its head with it.
                let head = if self.reload { self.head } else { low & RECORD_MASK };
                let tail = high & RECORD_MASK;
                self.head = head & OFFSET_MASK;
                self.tail = tail & OFFSET_MASK;
                if self.size < MIN_SIZE || head >= self.size || tail >= self.size {
                    self.size = 0;
                }
            }
            _ => {
                self.threshold = low & RECORD_MASK;
                self.filter = FilterWord::from_bits(high & !FilterWord::RESERVED);
            }
        }
    }

    /// The events (bit EventId - 1) that slots of a block may select; `data` is its first word. For a session that ran
    /// before (`again`) its Flags say which those were.
    pub(super) fn allowed(&self, data: u64, again: bool, straps: &Config) -> u8 {
        let flags = if again { FlagsWord::from_bits(data as u32) } else { FlagsWord::from_bits(self.msr0.eax()) };
        (0..NUM_EVENTS)
            .filter(|&index| implemented(straps, index) && has_event(flags, index))
            .map(|index| 1 << index)
            .sum()
    }

    /// Takes the words of slot `slot`. Of several slots with the same event the first one wins.
    pub(super) fn load_slot(&mut self, events: &mut [EventCounter; NUM_EVENTS], slot: u8, data: u64, allow: u8) {
        let word = SlotWord::from_bits(data as u32);
        let Some(index) = event::index(word.event_id().get()) else { return };
        if allow >> index & 1 == 1 && !self.selected(index) {
            self.flags = with_event(self.flags, index);
            let event = &mut events[index];
            event.slot = slot;
            event.interval = word.interval().get();
            if !self.reload {
                event.counter = CounterWord::from_bits((data >> 32) as u32).counter().get();
            }
        }
    }

    /// There is no session any more.
    pub(super) fn end(&mut self) {
        self.lwpcb = 0;
        self.active = false;
        self.init_pending = false;
        self.reload = false;
        self.missed = 0;
    }

    /// The Flags word to write to a block that has been read whole: 0 if it cannot be used or selects nothing.
    pub(super) fn verdict(&self) -> FlagsWord {
        if self.size == 0 { FlagsWord::new() } else { FlagsWord::reporting(self.flags.features()) }
    }
}

impl State {
    /// Ends the session, or what was to become one, and drops every record.
    pub(super) fn drop_session(&mut self) {
        self.session.end();
        self.forget();
    }
}

const fn has_event(flags: FlagsWord, index: usize) -> bool {
    match index {
        INSTRUCTIONS => flags.ire(),
        BRANCHES => flags.bre(),
        _ => flags.dme(),
    }
}

const fn with_event(flags: FlagsWord, index: usize) -> FlagsWord {
    match index {
        INSTRUCTIONS => flags.with_ire(true),
        BRANCHES => flags.with_bre(true),
        _ => flags.with_dme(true),
    }
}

const fn enabled(session: &Session, index: usize) -> bool {
    match index {
        INSTRUCTIONS => session.msr0.ire(),
        BRANCHES => session.msr0.bre(),
        _ => session.msr0.dme(),
    }
}

const fn implemented(straps: &Config, index: usize) -> bool {
    match index {
        INSTRUCTIONS => straps.avail_ire,
        BRANCHES => straps.avail_bre,
        MISSES => straps.avail_dme,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lwp_regs::lwp::LwpMsr0;

    // The Flags of a block that ran before may have been written by anybody: what the unit lacks is never selected.
    #[test]
    fn what_does_not_exist_is_not_allowed() {
        let mut session =
            Session { msr0: LwpMsr0::new().with_ire(true).with_bre(true).with_dme(true), ..Session::default() };
        let straps =
            |index| Config { avail_ire: index != 0, avail_bre: index != 1, avail_dme: index != 2, ..Config::default() };
        let flags = FlagsWord::new().with_ire(true).with_bre(true).with_dme(true);
        for again in [false, true] {
            let allowed = [0, 1, 2, 3].map(|index| session.allowed(flags.into_bits().into(), again, &straps(index)));
            assert_eq!(allowed, [0b110, 0b101, 0b011, 0b111]);
        }
        session.msr0 = LwpMsr0::new().with_bre(true);
        assert_eq!(session.allowed(flags.into_bits().into(), false, &Config::default()), 0b010);
        assert_eq!(session.allowed(flags.into_bits().into(), true, &Config::default()), 0b111, "the block's own Flags");
    }
}
