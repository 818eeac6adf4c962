//! The bench: runs a scenario with the model and records it.

mod context;
mod memory;
mod noise;
mod places;
mod player;
mod recording;
mod retire;
mod sequence;
mod traps;

pub use memory::Memory;
pub use noise::play_noise;
pub use places::{BLOCKS, BUFFER};
pub use player::{Player, play};
pub use recording::{Cycle, Recording};
pub use sequence::play_sequence;
