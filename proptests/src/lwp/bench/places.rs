//! The addresses of the blocks and of the ring of a scenario.

use super::player::Player;

/// The initial addresses of the two blocks; the second block crosses a page. In scenarios these addresses denote the
/// blocks wherever they are.
pub const BLOCKS: [u64; 2] = [0x1_0000, 0x3_0FE0];
/// The initial address of the ring buffer.
pub const BUFFER: u64 = 0x2_0000;

/// The current addresses of the blocks and of the ring.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places {
    pub(super) blocks: [u64; 2],
    pub(super) ring: u64,
}

impl Places {
    pub(super) const START: Self = Self { blocks: BLOCKS, ring: BUFFER };

    /// Returns the address of the block that this address denotes, or the address itself.
    pub(super) fn of(&self, address: u64) -> u64 {
        BLOCKS.iter().position(|block| *block == address).map_or(address, |at| self.blocks[at])
    }
}

impl<const W: usize, const S: usize, const LAT: u32> Player<W, S, LAT> {
    /// Has software copy a block (0, 1) to another address, or write the address of the ring (2) to both blocks.
    pub(super) fn place(&mut self, what: u8, address: u64) {
        let at = usize::from(what);
        if at >= self.places.blocks.len() {
            self.places.ring = address;
            for block in self.places.blocks {
                let field = block.wrapping_add(lwp_regs::lwp::offset::BASE as u64);
                self.memory.write(field, &address.to_le_bytes());
            }
            return;
        }
        let old = self.places.blocks[at];
        for word in (0..lwp_regs::lwp::lwpcb_bytes(S) as u64).step_by(8) {
            let value = self.memory.word(old.wrapping_add(word));
            self.memory.write(address.wrapping_add(word), &value.to_le_bytes());
        }
        self.places.blocks[at] = address;
        // A thread that has not run yet has the address of its block in its context.
        for context in &mut self.contexts {
            if context[0] == old {
                context[0] = address;
            }
        }
    }
}
