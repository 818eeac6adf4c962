//! What happens to a unit, as a list of operations that can be drawn, printed and shrunk.

mod block;
mod lane;
mod op;
mod whole;

pub use block::{Block, SlotChoice, block, slots};
pub use lane::{lane, plain_lane};
pub use op::{Argument, Op, TailMove, op};
pub use whole::{MemoryBehaviour, Scenario, config, memory, scenario};
