//! What memory may answer: at each read any of a few values. So memory needs no state, and software may write at any time.

use lwp_model::lwp::{Memory, PortRegs};

/// Words of a control block with three slots: Flags and size, base, head and tail, MissedEvents, threshold and filter, slots.
pub const BLOCK_WORDS: usize = 8;
/// What a response brings that carries no data, so that a unit that uses it is seen.
const NOTHING: u64 = 0xBAD0_BAD0_BAD0_BAD0;

/// When memory grants and answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    /// In any cycle, or never.
    Any,
    /// Each request at once, each answer in the next cycle.
    Prompt,
}

/// A control block: what each of its words may be.
#[derive(Clone, Debug)]
pub struct Block {
    /// Its linear address.
    pub address: u64,
    /// The values of each word; the first one is what the way into the world reads.
    pub words: [Vec<u64>; BLOCK_WORDS],
}

/// The memory of a small world.
#[derive(Clone, Debug)]
pub struct AnyMemory {
    /// When it answers.
    pub timing: Timing,
    /// Any access may fault.
    pub faults: bool,
    /// Grants without a request and responses that nobody waits for come, too.
    pub noise: bool,
    /// The blocks.
    pub blocks: Vec<Block>,
}

impl AnyMemory {
    /// The values that a read at `address` may bring.
    fn values(&self, address: u64) -> &[u64] {
        let word = |block: &Block| usize::try_from(address.wrapping_sub(block.address) / 8).unwrap_or(usize::MAX);
        let found = self.blocks.iter().find(|block| word(block) < BLOCK_WORDS);
        found.map_or(&[NOTHING], |block| &block.words[word(block)])
    }

    /// How many answers there are while the port stands like this.
    #[must_use]
    pub fn answers(&self, port: &PortRegs) -> usize {
        let quiet = usize::from(self.timing == Timing::Any);
        if port.wait {
            let noise = if self.noise { 2 } else { 0 };
            quiet + self.data(port).len() + usize::from(self.faults) + noise
        } else if self.noise {
            4
        } else if port.req {
            quiet + 1
        } else {
            1
        }
    }

    /// Only reads bring data.
    fn data(&self, port: &PortRegs) -> &[u64] {
        if port.cmd as u8 == 0 { self.values(port.addr) } else { &[NOTHING] }
    }

    /// One of them.
    #[must_use]
    pub fn answer(&self, port: &PortRegs, index: usize) -> Memory {
        if port.wait { self.response(port, index) } else { self.grant(port, index) }
    }

    fn response(&self, port: &PortRegs, index: usize) -> Memory {
        let data = self.data(port);
        let answer = |rdata| Memory { rvalid: true, rdata, ..Memory::default() };
        let Some(index) = (match self.timing {
            Timing::Any => index.checked_sub(1),
            Timing::Prompt => Some(index),
        }) else {
            return Memory::default();
        };
        match (data.get(index), self.faults, index.wrapping_sub(data.len())) {
            (Some(&rdata), ..) => answer(rdata),
            (None, true, 0) => Memory { err: true, ..answer(NOTHING) },
            (None, faults, more) if more == usize::from(faults) => Memory { gnt: true, ..Memory::default() },
            _ => Memory { gnt: true, ..answer(data[0]) },
        }
    }

    fn grant(&self, port: &PortRegs, index: usize) -> Memory {
        let rvalid = Memory { rvalid: true, err: true, rdata: NOTHING, ..Memory::default() };
        let prompt = self.timing == Timing::Prompt && port.req;
        match (index, self.noise) {
            (0, false) if prompt => Memory { gnt: true, ..Memory::default() },
            (0, _) => Memory::default(),
            (1, _) => Memory { gnt: true, ..Memory::default() },
            (2, _) => rvalid,
            _ => Memory { gnt: true, ..rvalid },
        }
    }

    /// The answer of a memory that makes no trouble.
    #[must_use]
    pub fn prompt(&self, port: &PortRegs) -> Memory {
        Memory { gnt: port.req, rvalid: port.wait, err: false, rdata: self.data(port)[0] }
    }
}
