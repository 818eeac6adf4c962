//! Resource Director Technology, by hand: examples of the contract's chapters, one cycle after the other.

mod bench;

mod charge;
mod clear;
mod cpuid;
mod flat_row;
mod inclusion;
mod invariants;
mod masks;
mod monitoring;
mod order;
mod pace;
mod power;
mod registers;
mod smm;
mod straps;
mod timing;
mod together;
