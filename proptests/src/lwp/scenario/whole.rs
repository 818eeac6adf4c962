//! Whole scenarios.

use super::bias::Bias;
use super::block::{Block, block};
use super::op::{Op, op_with};
use super::straps::config;
use super::wide::{Wide, wide};
use lwp_model::lwp::Config;
use proptest::prelude::*;

/// The behaviour of the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryBehaviour {
    /// The chance in 256 that a pending request is not granted in a cycle.
    pub stall: u8,
    /// The longest latency in cycles, at least 1.
    pub latency: u8,
    /// The chance in 256 that an access page-faults.
    pub fault: u8,
}

/// The inputs of a unit from power-up on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scenario {
    /// The straps.
    pub straps: Config,
    /// The seed of the memory's behaviour.
    pub seed: u64,
    /// The behaviour of the memory.
    pub memory: MemoryBehaviour,
    /// Whether the core keeps the rules of the ports: it waits for `stall`, a mode change takes a cycle, it waits for
    /// the result of an operation, and it takes traps at once.
    pub polite: bool,
    /// Whether, before the operations, the system enables everything and a program loads block 0.
    pub boot: bool,
    /// The two control blocks.
    pub blocks: [Block; 2],
    /// The operations, in order.
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

/// Generates any memory, often a quick one without faults.
pub fn memory() -> BoxedStrategy<MemoryBehaviour> {
    let stall = prop_oneof![2 => Just(0_u8), 1 => 0_u8..250];
    let latency = prop_oneof![2 => Just(1_u8), 1 => 1_u8..20];
    let fault = prop_oneof![4 => Just(0_u8), 2 => 1_u8..12, 1 => 0_u8..60];
    (stall, latency, fault).prop_map(|(stall, latency, fault)| MemoryBehaviour { stall, latency, fault }).boxed()
}

/// Generates any scenario of up to `length` operations; with `LWP_STEER` those that coverage requests (see
/// [`crate::lwp::steer`]).
pub fn scenario(length: usize) -> BoxedStrategy<Scenario> {
    match crate::lwp::steer::from_environment() {
        Some(steer) => crate::lwp::steer::scenario(length, steer),
        None => scenario_with(length, &Bias::default()),
    }
}

/// Generates any scenario of up to `length` operations, with these weights. One in four has a wide start. Without wide
/// starts and wanted choices, a seed gives the same scenario.
pub fn scenario_with(length: usize, bias: &Bias) -> BoxedStrategy<Scenario> {
    // What is generated last does not change what is generated before it.
    (narrow_scenario_with(length, bias), wide())
        .prop_map(|(scenario, wide)| match wide {
            Some(wide) => scenario.widened(wide),
            None => scenario,
        })
        .boxed()
}

/// Generates the same scenarios without wide starts.
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
