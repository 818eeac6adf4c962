//! What happens to a unit, as a list of operations that can be drawn, printed and shrunk.

mod block;
mod lane;
mod op;
pub mod straps;
mod whole;

pub use block::{Block, SlotChoice, block, slots};
pub use lane::{lane, plain_lane};
pub use op::{Argument, Op, Scribble, TailMove, buffer, op};
pub use straps::config;
pub use whole::{MemoryBehaviour, Scenario, memory, scenario};
