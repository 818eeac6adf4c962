//! The third reading, followed by hand: sequences at the ports, to be read with the proposal open. They say what the reading takes
//! for right and what for wrong.

mod ports;
mod sessions;
mod stores;
mod threshold;
