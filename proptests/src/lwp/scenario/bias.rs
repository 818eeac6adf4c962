//! What the generators weigh, so that a run can be led to what is rare.

use super::block::Block;
use super::straps::FACTORS;
use super::whole::MemoryBehaviour;
use lwp_model::lwp::Config;

/// Kinds of operations, in the order of their weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the variants of Op")]
#[repr(usize)]
pub enum OpKind {
    Retire,
    Partial,
    Miss,
    Buffer,
    Idle,
    Enter,
    Excursion,
    Control,
    Context,
    Switch,
    Smm,
    Tail,
    Rewrite,
    Scribble,
    PageOut,
    PageIn,
    AckInterrupt,
    AckPageFault,
    Reset,
}

/// How many there are.
pub const OP_KINDS: usize = OpKind::Reset as usize + 1;

/// A ring that a block is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RingBias {
    /// So many places.
    Places(u32),
    /// At least 4096 bytes, with the head near the end.
    Large,
}

/// A threshold that a block is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThresholdBias {
    /// None.
    None,
    /// So many records.
    Records(u32),
    /// More than the ring holds.
    OutOfReach,
}

/// A memory that the scenario is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryBias {
    /// Some accesses fault.
    Faulty,
    /// Grants and answers are late.
    Slow,
    /// Both.
    SlowAndFaulty,
}

/// Weights of the generators' choices. The default is what property tests draw from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bias {
    /// Straps that are set whatever is drawn: indices into [`FACTORS`], and levels.
    pub straps: Vec<(usize, usize)>,
    /// Kinds of operations, by [`OpKind`].
    pub ops: [u32; OP_KINDS],
    /// LLWPCB, SLWPCB, writes of LWPMSR0, writes of LWPMSR1, all others.
    pub control: [u32; 5],
    /// Arguments: zero, a block, a misaligned block, anything.
    pub argument: [u32; 4],
    /// Ring 3, ring 0, the rings between.
    pub cpl: [u32; 3],
    /// 64-bit, the 32-bit modes, real and virtual-8086 mode.
    pub op_mode: [u32; 3],
    /// Chance in 100 of SMM.
    pub smm: u32,
    /// Tail: drained, moved by some records, wild, near the ring.
    pub tail: [u32; 4],
    /// Restore and not save, chance in 100.
    pub restore: u32,
    /// The ring of both blocks.
    pub ring: Option<RingBias>,
    /// The threshold of both blocks.
    pub threshold: Option<ThresholdBias>,
    /// The memory.
    pub memory: Option<MemoryBias>,
    /// Whether the core keeps the rules of the ports.
    pub polite: Option<bool>,
}

impl Default for Bias {
    fn default() -> Self {
        Self {
            straps: Vec::new(),
            ops: [24, 4, 5, 2, 10, 5, 8, 5, 1, 3, 1, 3, 1, 1, 1, 2, 2, 3, 1],
            control: [8, 6, 3, 3, 2],
            argument: [2, 8, 1, 1],
            cpl: [6, 3, 1],
            op_mode: [12, 2, 1],
            smm: 10,
            tail: [4, 3, 1, 1],
            restore: 60,
            ring: None,
            threshold: None,
            memory: None,
            polite: None,
        }
    }
}

/// Straps that contradict others, in the order in which they give way.
const GIVES_WAY: &[&str] = &[
    "fault_policy",
    "one_per_instr",
    "gather_policy",
    "latency_step",
    "latency_phase",
    "tail_nth",
    "tail_reread",
    "latency_filter",
    "level_filter",
    "store_timing",
];

impl Bias {
    /// Drawn straps with those that are wanted. Others give way if they contradict; wanted ones that contradict each other do
    /// not come about.
    #[must_use]
    pub fn apply_straps(&self, drawn: Config) -> Config {
        let mut config = drawn;
        for &(factor, level) in &self.straps {
            (FACTORS[factor].set)(&mut config, level);
        }
        for name in GIVES_WAY {
            let Some(at) = FACTORS.iter().position(|factor| factor.name == *name) else { continue };
            if config.validate().is_ok() || self.straps.iter().any(|&(factor, _)| factor == at) {
                continue;
            }
            let before = config;
            let works = (0..FACTORS[at].levels).any(|level| {
                (FACTORS[at].set)(&mut config, level);
                config.validate().is_ok()
            });
            if !works {
                config = before;
            }
        }
        if config.validate().is_ok() { config } else { drawn }
    }

    /// A drawn block with the ring and threshold that are wanted.
    #[must_use]
    pub fn apply_block(&self, drawn: Block) -> Block {
        let mut block = drawn;
        match self.ring {
            Some(RingBias::Places(places)) => {
                block.size = 32 * places;
                block.head %= block.size;
                block.tail %= block.size;
            }
            Some(RingBias::Large) => {
                block.size = 4096 + (block.size & !31);
                // Near the end, and nearly full: two more records wrap, and find no place.
                block.head = block.size - 32 * (1 + block.head / 32 % 3);
                block.tail = (block.head + 96) % block.size;
            }
            None => {}
        }
        match self.threshold {
            Some(ThresholdBias::None) => block.threshold = 0,
            Some(ThresholdBias::Records(records)) => block.threshold = 32 * records,
            Some(ThresholdBias::OutOfReach) => block.threshold = block.size.max(64) + 64,
            None => {}
        }
        block
    }

    /// A drawn memory with what is wanted.
    #[must_use]
    pub fn apply_memory(&self, drawn: MemoryBehaviour) -> MemoryBehaviour {
        let faults = |memory: MemoryBehaviour| MemoryBehaviour { fault: 3 + memory.fault % 24, ..memory };
        let slow = |memory: MemoryBehaviour| MemoryBehaviour {
            stall: memory.stall.max(100),
            latency: memory.latency.max(6),
            ..memory
        };
        match self.memory {
            None => drawn,
            Some(MemoryBias::Faulty) => faults(drawn),
            Some(MemoryBias::Slow) => slow(drawn),
            Some(MemoryBias::SlowAndFaulty) => slow(faults(drawn)),
        }
    }

    /// Multiplies the weight of a kind of operation.
    pub fn more(&mut self, kind: OpKind, times: u32) {
        let weight = &mut self.ops[kind as usize];
        *weight = (*weight).max(1) * times;
    }

    /// Divides the weight of a kind of operation; it never goes below 1.
    pub fn less(&mut self, kind: OpKind, times: u32) {
        let weight = &mut self.ops[kind as usize];
        *weight = (*weight / times).max(1);
    }

    /// A kind of operation that is hardly to come. (A generator's weight cannot be 0.)
    pub fn hardly(&mut self, kind: OpKind) {
        self.ops[kind as usize] = 1;
    }

    /// Makes all weights of operations finer, so that `hardly` is less.
    pub fn finer(&mut self, times: u32) {
        self.ops = self.ops.map(|weight| weight * times);
    }
}
