//! Resource Director Technology, by hand: examples of the contract's chapters, one cycle after the other.

mod bench;

mod flat_row;
mod timing;
