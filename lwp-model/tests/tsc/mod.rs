//! The time-stamp counter. The pages of its contract are tables, and the tests read them.

mod bench;

mod flat_row;
mod processors;
mod rate;
mod registers;
mod requests;
mod straps;
mod timing;
