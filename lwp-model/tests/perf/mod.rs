//! The performance counters. The pages of their contract are tables, and the tests read them.

mod bench;

mod access;
mod beside_lwp;
mod cells;
mod events;
mod flat_row;
mod interrupts;
mod processors;
mod sizes;
mod straps;
mod sums;
mod timing;
