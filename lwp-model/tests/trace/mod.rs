//! Branch records, by hand: examples of the contract's chapters, one cycle after the other.

mod area;
mod bench;
mod memory;

mod backwards;
mod beside_lwp;
mod branches;
mod control;
mod flat_row;
mod formats;
mod messages;
mod precise;
mod registers;
mod reload;
mod stack;
mod straps;
mod timing;
