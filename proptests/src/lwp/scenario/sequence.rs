//! Sequences of phrases, under straps that make rare situations meet.

use super::block::{Block, block};
use super::busy::busy_block;
use super::op::Op;
use super::phrase::phrase;
use super::straps::{config, legal};
use super::whole::{MemoryBehaviour, Scenario, memory};
use super::wide::{Wide, wide};
use lwp_model::lwp::{AddressPolicy, Collision, Config, FaultPolicy, GatherPolicy, Inputs, LeavePolicy};
use proptest::prelude::*;

/// One step of a sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// One operation, by the bench's rules.
    Do(Op),
    /// Cycles with these inputs, whatever the unit's outputs are; the bench provides memory, mode and random bits. A
    /// unit with one lane sees the first lane only.
    Burst(Vec<Box<Inputs<4>>>),
}

/// The inputs of a unit from power-up on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequence {
    /// Straps, blocks and memory; its list of operations is empty.
    pub scenario: Scenario,
    /// The steps, in order.
    pub steps: Vec<Step>,
}

/// Generates straps in which policies that have an effect only together meet more often.
fn straps() -> BoxedStrategy<Config> {
    let often = prop::bool::weighted;
    let fault =
        prop_oneof![2 => Just(None), 1 => Just(Some(FaultPolicy::Fault)), 1 => Just(Some(FaultPolicy::TrapPending))];
    let numbers = (prop::option::weighted(0.5, any::<u8>()), prop::option::weighted(0.5, 1_u8..16));
    (config(), often(0.5), often(0.4), fault, often(0.35), numbers)
        .prop_map(|(mut config, hold, replay, fault, several, numbers)| {
            config.irq_delay = numbers.0.unwrap_or(config.irq_delay);
            config.tail_nth = numbers.1.unwrap_or(config.tail_nth);
            if several {
                config.gather_policy = GatherPolicy::All;
                config.collision = Collision::Delay;
                config.one_per_instr = false;
            }
            if hold {
                config.leave_policy = LeavePolicy::Hold;
            }
            if replay {
                config.address_policy = AddressPolicy::Replay;
            }
            config.fault_policy = fault.unwrap_or(config.fault_policy);
            legal(config)
        })
        .boxed()
}

/// Generates blocks in which a record is always due; a filter is often at the edge of the latencies that can be
/// reported.
fn blocks() -> BoxedStrategy<Block> {
    let latency = prop_oneof![2 => Just(None), 1 => prop::sample::select(vec![1_u32, 2, 61, 62, 63, 64, 126, 127, 128, 255]).prop_map(Some)];
    let drawn = prop_oneof![4 => busy_block().boxed(), 1 => block().boxed()];
    // A ring of one record is not valid.
    let small = prop::bool::weighted(0.04);
    (drawn, latency, small)
        .prop_map(|(drawn, latency, small)| {
            let filter = latency.map_or(drawn.filter, |latency| drawn.filter & !0xFF | latency);
            let block = Block { filter, ..drawn };
            if small { Block { size: 32 + block.size % 32, head: 0, tail: 0, ..block } } else { block }
        })
        .boxed()
}

/// Generates sequences of up to `length` phrases.
pub fn sequence(length: usize) -> BoxedStrategy<Sequence> {
    let faults = prop_oneof![2 => Just(0_u8), 1 => 5_u8..40];
    let environment = (straps(), any::<u64>(), memory(), faults, prop::bool::weighted(0.4), [blocks(), blocks()]);
    (environment, prop::collection::vec(phrase(), 1..length), wide())
        .prop_map(|((straps, seed, memory, fault, polite, blocks), phrases, wide)| {
            let memory = MemoryBehaviour { fault: memory.fault.max(fault), ..memory };
            let scenario = Scenario { straps, seed, memory, polite, boot: true, blocks, ops: Vec::new() };
            let sequence = Sequence { scenario, steps: phrases.into_iter().flatten().collect() };
            match wide {
                Some(wide) => sequence.widened(&wide),
                None => sequence,
            }
        })
        .boxed()
}

impl Sequence {
    fn widened(mut self, wide: &Wide) -> Self {
        for step in &mut self.steps {
            match step {
                Step::Do(op) => wide.widen(op),
                Step::Burst(cycles) => {
                    for inputs in cycles {
                        inputs.lanes.iter_mut().for_each(|lane| wide.widen_lane(lane));
                        inputs.buffer.fill_latency = wide.latency(inputs.buffer.fill_latency);
                    }
                }
            }
        }
        wide.apply_blocks(&mut self.scenario.blocks);
        let prefix = wide.prefix(&self.scenario.blocks).into_iter().map(Step::Do);
        self.steps = prefix.chain(self.steps).collect();
        self
    }
}
