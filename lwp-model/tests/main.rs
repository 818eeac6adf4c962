//! The integration tests of this crate: one program, a module for each file.

#![allow(missing_docs, reason = "tests")]

mod bench;
mod unit;

mod addresses;
mod beside;
mod blocks;
mod context;
mod control;
mod debug;
mod eligible;
mod fault_choices;
mod flat_page;
mod flat_text;
mod gather_choices;
mod itanium;
mod kept_records;
mod old_tails;
mod page;
mod perf;
mod privilege;
mod rdt;
mod records;
mod registers;
mod reload;
mod replaced;
mod rights;
mod ring;
mod store_choices;
mod thresholds;
mod trace;
mod tsc;
