//! Software's view of a ring buffer in guest memory.
//!
//! The rules are those of [`RingReader`](lwp_regs::lwp::RingReader): the head in memory is checked before every use, records
//! are read after the head that announces them, and the tail is written after the records were read. That reader works on host
//! memory; this one on pages of the simulated process.

use super::memory::GuestMemory;
use lwp_regs::lwp::{EVENT_RECORD_BYTES, EventRecord, SizeWord, offset};

const RECORD: u32 = EVENT_RECORD_BYTES as u32;

/// A ring buffer as its control block describes it at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ring {
    base: u64,
    size: u32,
    head: u32,
    tail: u32,
}

impl Ring {
    /// Reads the block at `block`. `None` if it describes no ring: less than two records, or offsets outside it. The low 5
    /// bits of all four fields are ignored, as the unit does.
    pub(super) fn read(memory: &mut GuestMemory, block: u64) -> Option<Self> {
        let mut word = |at: usize| memory.read_u64(block.wrapping_add(at as u64));
        let (flags_size, base, head_tail) = (word(offset::FLAGS), word(offset::BASE), word(offset::HEAD));
        let places = |value: u32| value & !(RECORD - 1);
        let ring = Self {
            base: base & !u64::from(RECORD - 1),
            size: places(SizeWord::from_bits((flags_size >> 32) as u32).buffer_size().get()),
            head: places(head_tail as u32),
            tail: places((head_tail >> 32) as u32),
        };
        (ring.size >= 2 * RECORD && ring.head < ring.size && ring.tail < ring.size).then_some(ring)
    }

    /// Takes the oldest record, in this view only.
    pub(super) fn pop(&mut self, memory: &mut GuestMemory) -> Option<EventRecord> {
        if self.tail == self.head {
            return None;
        }
        let at = self.base.wrapping_add(u64::from(self.tail));
        let words = [0, 8, 16, 24].map(|offset| memory.read_u64(at.wrapping_add(offset)));
        self.tail += RECORD;
        if self.tail == self.size {
            self.tail = 0;
        }
        Some(EventRecord::from_words(words))
    }

    /// Tells the unit what has been taken.
    pub(super) fn publish_tail(&self, memory: &mut GuestMemory, block: u64) {
        // The tail is the upper half of the 8 bytes that begin with the head.
        memory.write_u64(block.wrapping_add(offset::HEAD as u64), 0xF0, u64::from(self.tail) << 32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lwp_regs::lwp::{LwpcbImage, lwpcb_bytes};

    const BLOCK: u64 = 0x1000;

    fn memory(size: u32, head: u32, tail: u32) -> GuestMemory {
        let image = LwpcbImage { size: SizeWord::from_bits(size), base: 0x2000, head, tail, ..LwpcbImage::zeroed() };
        let mut bytes = vec![0; lwpcb_bytes(3)];
        image.write_bytes(3, &mut bytes);
        let mut memory = GuestMemory::new();
        memory.write(BLOCK, &bytes);
        for record in 0..8u64 {
            memory.write_u64(0x2000 + 32 * record, 0xFF, record);
        }
        memory
    }

    fn drain(memory: &mut GuestMemory) -> Option<Vec<u64>> {
        let mut ring = Ring::read(memory, BLOCK)?;
        let mut seen = Vec::new();
        while let Some(record) = ring.pop(memory) {
            seen.push(record.words()[0]);
        }
        ring.publish_tail(memory, BLOCK);
        Some(seen)
    }

    #[test]
    fn records_come_in_order_and_around_the_end() {
        let mut memory = memory(4 * 32, 32, 96);
        assert_eq!(drain(&mut memory), Some(vec![3, 0]));
        assert_eq!(memory.read_u64(BLOCK + 16), 32 << 32 | 32, "the tail is at the head, and the head is untouched");
        assert_eq!(drain(&mut memory), Some(vec![]));
    }

    #[test]
    fn what_is_no_ring_is_not_read() {
        for (size, head, tail) in [(0, 0, 0), (32, 0, 0), (63, 32, 0), (128, 128, 0), (128, 0, 128), (128, u32::MAX, 0)]
        {
            assert_eq!(Ring::read(&mut memory(size, head, tail), BLOCK), None, "{size} {head} {tail}");
        }
        assert!(Ring::read(&mut memory(0xF000_0040, 32, 0), BLOCK).is_some(), "Random is no part of the size");
    }
}
