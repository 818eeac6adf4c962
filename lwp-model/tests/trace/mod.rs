//! Branch records, by hand: examples of the contract's chapters, one cycle after the other.

mod area;
mod bench;
mod memory;

mod branches;
mod control;
mod formats;
mod messages;
mod registers;
mod stack;
