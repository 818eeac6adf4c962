//! Block: the fields of the LWPCB that are read when a session is loaded.

use super::event::{self, BRANCHES, INSTRUCTIONS};
use super::session::has_event;
use super::state::{Block, State};
use lwp_regs::lwp::{CounterWord, EVENT_RECORD_BYTES, FilterWord, FlagsWord, SizeWord, SlotWord};

/// Clears the low bits that hardware ignores in offsets, sizes and the buffer's base.
const RECORD_MASK: u32 = !(EVENT_RECORD_BYTES as u32 - 1);
/// Bits of head and tail that can matter in a buffer of at most 2^28 bytes.
const OFFSET_MASK: u32 = (1 << 28) - 1;
/// Size of the smallest usable buffer. A smaller buffer cannot hold a record: one entry of a ring stays empty.
const MIN_SIZE: u32 = 2 * EVENT_RECORD_BYTES as u32;

/// Words of the block that are read in addition to the slots.
pub(super) const HEADER_WORDS: u8 = 4;

impl Block {
    /// Whether a slot of the block selects event `index` (EventId - 1).
    pub(super) const fn selected(&self, index: usize) -> bool {
        has_event(self.flags, index)
    }

    /// Returns the Flags word to write to a block that has been read completely: 0 if the block is unusable or selects no event.
    pub(super) fn verdict(&self) -> FlagsWord {
        if self.size == 0 { FlagsWord::new() } else { FlagsWord::reporting(self.flags.features()) }
    }
}

impl State {
    /// Takes one of the first [`HEADER_WORDS`] words read from a block. `again` means that the session ran before.
    pub(super) fn load_header(&mut self, word: u8, data: u64, again: bool) {
        let (low, high) = (data as u32, (data >> 32) as u32);
        let (session, block, ring) = (&self.session, &mut self.block, &mut self.ring);
        match word {
            0 => {
                let size = SizeWord::from_bits(high);
                block.size = size.buffer_size().get() & RECORD_MASK;
                block.random = size.random().get();
                let interrupt = if again { FlagsWord::from_bits(low).int() } else { session.msr0.interrupt() };
                block.flags = FlagsWord::new().with_int(interrupt);
            }
            1 => block.base = data & !(EVENT_RECORD_BYTES as u64 - 1),
            2 => {
                // A restored session keeps the head of its context.
                let head = if session.reload { ring.head } else { low & RECORD_MASK };
                let tail = high & RECORD_MASK;
                ring.head = head & OFFSET_MASK;
                ring.tail = tail & OFFSET_MASK;
                if block.size < MIN_SIZE || head >= block.size || tail >= block.size {
                    block.size = 0;
                }
            }
            _ => {
                block.threshold = low & RECORD_MASK;
                block.filter = FilterWord::from_bits(high & !FilterWord::RESERVED);
            }
        }
    }

    /// Takes the words of slot `slot`. If several slots have the same event, the first one selects it.
    pub(super) fn load_slot(&mut self, slot: u8, data: u64) {
        let word = SlotWord::from_bits(data as u32);
        let Some(index) = event::index(word.event_id().get()) else { return };
        if self.block.allow >> index & 1 == 1 && !self.block.selected(index) {
            self.block.flags = with_event(self.block.flags, index);
            let event = &mut self.events[index];
            event.slot = slot;
            event.interval = word.interval().get();
            if !self.session.reload {
                event.counter = CounterWord::from_bits((data >> 32) as u32).counter().get();
            }
        }
    }
}

const fn with_event(flags: FlagsWord, index: usize) -> FlagsWord {
    match index {
        INSTRUCTIONS => flags.with_ire(true),
        BRANCHES => flags.with_bre(true),
        _ => flags.with_dme(true),
    }
}
