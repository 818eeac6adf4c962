//! Scenarios: lists of operations that happen to a unit and that can be generated, printed and shrunk.

mod bias;
mod block;
mod busy;
mod lane;
mod noise;
mod op;
mod phrase;
mod sequence;
pub mod straps;
mod whole;
mod wide;

pub use bias::{Bias, MemoryBias, OP_KINDS, OpKind, RingBias, ThresholdBias};
pub use block::{Block, SlotChoice, block, slots};
pub use busy::busy;
pub use lane::{lane, plain_lane};
pub use noise::noise;
pub use op::{Argument, Op, Scribble, TailMove, buffer, op, op_with};
pub use sequence::{Sequence, Step, sequence};
pub use straps::config;
pub use whole::{MemoryBehaviour, Scenario, memory, narrow_scenario_with, scenario, scenario_with};
pub use wide::LARGEST_RING;
