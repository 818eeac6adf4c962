//! The debug unit, by hand: examples of the contract's chapters, one cycle after the other.

mod bench;

mod flat_row;
mod order;
mod registers;
mod straps;
mod timing;
