//! Event qualification of Itanium, by hand: examples of the contract's chapters, one cycle after the other.

mod bench;

mod counter;
mod data;
mod events;
mod figures;
mod flat_row;
mod freeze;
mod modes;
mod monitor;
mod opcode;
mod processes;
mod range;
mod registers;
mod requests;
mod status;
mod tags;
mod timing;
