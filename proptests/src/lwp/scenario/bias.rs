//! Weights of the generators, so that a run can be led to rare situations.

use super::block::Block;
use super::straps::FACTORS;
use super::whole::MemoryBehaviour;
use lwp_model::lwp::Config;

/// The kinds of operations, in the order of their weights.
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

/// The number of kinds of operations.
pub const OP_KINDS: usize = OpKind::Reset as usize + 1;

/// A ring that a block is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RingBias {
    /// A ring of this many entries.
    Places(u32),
    /// A ring of at least 4096 bytes, with the head near the end.
    Large,
}

/// A threshold that a block is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThresholdBias {
    /// No threshold.
    None,
    /// A threshold of this many records.
    Records(u32),
    /// A threshold of more than the ring can hold.
    OutOfReach,
}

/// A memory that the scenario is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryBias {
    /// A memory in which some accesses fault.
    Faulty,
    /// A memory whose grants and responses are late.
    Slow,
    /// A memory with both.
    SlowAndFaulty,
}

/// The weights of the generators' choices. Property tests generate with the default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bias {
    /// Straps that are set whatever is generated: indices into [`FACTORS`], and levels.
    pub straps: Vec<(usize, usize)>,
    /// The weights of the kinds of operations, by [`OpKind`].
    pub ops: [u32; OP_KINDS],
    /// The weights of LLWPCB, SLWPCB, writes of LWPMSR0, writes of LWPMSR1, and all others.
    pub control: [u32; 5],
    /// The weights of the arguments: zero, a block, a misaligned block, anything.
    pub argument: [u32; 4],
    /// The weights of ring 3, ring 0, and the rings between.
    pub cpl: [u32; 3],
    /// The weights of 64-bit mode, the 32-bit modes, and real and virtual-8086 mode.
    pub op_mode: [u32; 3],
    /// The chance of SMM, in per cent.
    pub smm: u32,
    /// The weights of the moves of the tail: drained, moved by some records, wild, near the ring.
    pub tail: [u32; 4],
    /// The chance of a restore instead of a save, in per cent.
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

/// The straps that are changed if the straps contradict each other, in the order in which they are changed.
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
    /// Returns generated straps with those that are wanted. Others are changed if they contradict them. If wanted
    /// straps contradict each other, the generated ones are returned.
    #[must_use]
    pub fn apply_straps(&self, drawn: Config) -> Config {
        let mut config = drawn;
        for &(factor, level) in &self.straps {
            FACTORS[factor].set(&mut config, level);
        }
        for name in GIVES_WAY {
            let Some(at) = FACTORS.iter().position(|factor| factor.name == *name) else { continue };
            if config.validate().is_ok() || self.straps.iter().any(|&(factor, _)| factor == at) {
                continue;
            }
            let before = config;
            let works = (0..FACTORS[at].levels).any(|level| {
                FACTORS[at].set(&mut config, level);
                config.validate().is_ok()
            });
            if !works {
                config = before;
            }
        }
        if config.validate().is_ok() { config } else { drawn }
    }

    /// Returns a generated block with the ring and threshold that are wanted.
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
                // The head is near the end and the ring nearly full: two more records wrap, and fill the ring.
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

    /// Returns a generated memory with the behaviour that is wanted.
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

    /// Divides the weight of a kind of operation; the weight never becomes less than 1.
    pub fn less(&mut self, kind: OpKind, times: u32) {
        let weight = &mut self.ops[kind as usize];
        *weight = (*weight / times).max(1);
    }

    /// Makes a kind of operation rare. (A generator's weight cannot be 0.)
    pub fn hardly(&mut self, kind: OpKind) {
        self.ops[kind as usize] = 1;
    }

    /// Multiplies all weights of operations, so that `hardly` makes a kind rarer.
    pub fn finer(&mut self, times: u32) {
        self.ops = self.ops.map(|weight| weight * times);
    }
}
