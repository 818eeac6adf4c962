//! Ring: the position in the ring buffer, and what one more record does to it.

use super::state::{Block, Ring};
use lwp_regs::lwp::EVENT_RECORD_BYTES;

impl Ring {
    /// Returns the head after one more record.
    pub(super) const fn next_head(&self, block: &Block) -> u32 {
        let next = self.head.wrapping_add(EVENT_RECORD_BYTES as u32);
        if next == block.size { 0 } else { next }
    }

    /// Whether the ring appears full: one more record would make it look empty.
    pub(super) const fn full(&self, block: &Block) -> bool {
        self.next_head(block) == self.tail
    }

    /// Whether the threshold appears reached after one more record.
    pub(super) const fn reached(&self, block: &Block) -> bool {
        self.reached_at(self.next_head(block), block)
    }

    /// Whether the threshold appeared reached before that record already. If not, the record detects it.
    pub(super) const fn stays_reached(&self, block: &Block) -> bool {
        self.reached_at(self.head, block)
    }

    const fn reached_at(&self, head: u32, block: &Block) -> bool {
        block.threshold != 0 && used(head, self.tail, block.size) >= block.threshold
    }
}

/// Returns the number of bytes used in the ring. Both offsets are below the size, so that one addition replaces the modulus.
pub(super) const fn used(head: u32, tail: u32, size: u32) -> u32 {
    if head >= tail { head - tail } else { head.wrapping_sub(tail).wrapping_add(size) }
}

#[cfg(test)]
mod tests {
    use super::*;

    // LWP-STO-02, LWP-STO-03.
    #[test]
    fn head_advances_by_a_record_and_wraps() {
        let block = Block { size: 128, ..Block::default() };
        let next = |head| Ring { head, ..Ring::default() }.next_head(&block);
        assert_eq!([0, 64, 96].map(next), [32, 96, 0]);
    }
}
