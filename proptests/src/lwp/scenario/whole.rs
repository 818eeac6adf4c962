//! A whole scenario.

use super::bias::Bias;
use super::block::{Block, block};
use super::op::{Op, op_with};
use super::straps::config;
use super::wide::{Wide, wide};
use lwp_model::lwp::Config;
use proptest::prelude::*;

/// How the memory behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryBehaviour {
    /// Chance in 256 that a standing request is not granted in a cycle.
    pub stall: u8,
    /// Longest latency in cycles, at least 1.
    pub latency: u8,
    /// Chance in 256 that an access page-faults.
    pub fault: u8,
}

/// What happens to a unit from power-up on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scenario {
    /// Straps.
    pub straps: Config,
    /// Seed of what the memory does.
    pub seed: u64,
    /// Memory.
    pub memory: MemoryBehaviour,
    /// The core keeps the port's rules: it waits for `stall`, a mode change takes a cycle, an operation is awaited, traps are
    /// taken at once.
    pub polite: bool,
    /// Before the operations the system enables everything and a program loads block 0.
    pub boot: bool,
    /// The two control blocks.
    pub blocks: [Block; 2],
    /// What happens.
    pub ops: Vec<Op>,
}

impl Scenario {
    pub(super) fn widened(mut self, wide: Wide) -> Self {
        let wide = wide.saved_with(&self.straps);
        wide.apply_blocks(&mut self.blocks);
        let mut ops = wide.prefix(&self.blocks);
        self.ops.iter_mut().for_each(|op| wide.widen(op));
        ops.append(&mut self.ops);
        self.ops = ops;
        self
    }
}

/// Any memory, often a quick and faultless one.
pub fn memory() -> impl Strategy<Value = MemoryBehaviour> {
    let stall = prop_oneof![2 => Just(0_u8), 1 => 0_u8..250];
    let latency = prop_oneof![2 => Just(1_u8), 1 => 1_u8..20];
    let fault = prop_oneof![4 => Just(0_u8), 2 => 1_u8..12, 1 => 0_u8..60];
    (stall, latency, fault).prop_map(|(stall, latency, fault)| MemoryBehaviour { stall, latency, fault })
}

/// Any scenario of up to `length` operations; with `LWP_STEER` those that coverage asks for (see [`crate::lwp::steer`]).
pub fn scenario(length: usize) -> BoxedStrategy<Scenario> {
    match crate::lwp::steer::from_environment() {
        Some(steer) => crate::lwp::steer::scenario(length, steer),
        None => scenario_with(length, &Bias::default()),
    }
}

/// Any scenario of up to `length` operations, with these weights. Where nothing is asked for, what a seed gives is the same
/// whatever else is. One in four has a wide start.
pub fn scenario_with(length: usize, bias: &Bias) -> BoxedStrategy<Scenario> {
    // What is drawn last changes nothing of what is drawn before.
    (narrow_scenario_with(length, bias), wide())
        .prop_map(|(scenario, wide)| match wide {
            Some(wide) => scenario.widened(wide),
            None => scenario,
        })
        .boxed()
}

/// The same without wide starts.
pub fn narrow_scenario_with(length: usize, bias: &Bias) -> BoxedStrategy<Scenario> {
    let bias = bias.clone();
    let blocks = [block(), block()];
    let ops = prop::collection::vec(op_with(&bias), 1..length);
    (config(), any::<u64>(), memory(), any::<bool>(), prop::bool::weighted(0.95), blocks, ops)
        .prop_map(move |(straps, seed, memory, polite, boot, blocks, ops)| Scenario {
            straps: bias.apply_straps(straps),
            seed,
            memory: bias.apply_memory(memory),
            polite: bias.polite.unwrap_or(polite),
            boot,
            blocks: blocks.map(|block| bias.apply_block(block)),
            ops,
        })
        .boxed()
}
