//! The debug unit, by hand: examples of the contract's chapters, one cycle after the other.

mod bench;
mod core;

mod debugger;
mod flat_row;
mod hits;
mod order;
mod pairs;
mod regions;
mod registers;
mod steps;
mod store_fault;
mod straps;
mod strings;
mod timing;
