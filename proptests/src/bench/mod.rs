//! Plays a scenario against the model and records it.

mod memory;
mod player;
mod recording;

pub use memory::Memory;
pub use player::{BLOCKS, BUFFER, Player, play};
pub use recording::{Cycle, Recording};
