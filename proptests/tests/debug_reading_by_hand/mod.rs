//! The independent reading of the debug unit, followed by hand: runs at the ports, to be read with the documents open. They
//! say what the reading takes for right and what for wrong.

mod exec;
mod frames;
mod hits;
mod ports;
mod regions;
mod registers;
mod steps;
mod strings;
