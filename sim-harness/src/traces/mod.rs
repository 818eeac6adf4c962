//! Traces of retired instructions: the formats that can be read, and the instructions that they yield.
//!
//! [`open`] recognises a trace by its content and returns a [`TraceReader`], which returns one [`Retired`] after the
//! other in bounded memory. Formats:
//!
//! | format | written by | contains |
//! |---|---|---|
//! | [retire log](retire_log), JSON Lines | a core's test bench, an emulator, a person | everything |
//! | [capture file](capture_file) | `lwp-sim capture` | flow, classes, lengths, addresses and sizes of loads and stores, signals |
//! | [ChampSim](champsim) 64-byte records | ChampSim's tracers | flow, addresses of loads and stores; classes are inferred |
//!
//! Each may be compressed with xz, gzip or zstd.

mod accesses;
mod capture_block;
pub mod capture_file;
mod capture_frame;
mod capture_reader;
mod capture_writer;
mod captured_code;
pub mod champsim;
pub mod elf;
mod error;
mod input;
mod instruction;
mod lookahead;
mod notes;
mod open;
mod reader;
pub mod retire_log;
mod retire_log_keys;
mod retire_log_line;
mod retire_log_value;
mod symbol_table;
pub mod symbols;
mod varint;

pub use accesses::AccessCursor;
pub use capture_writer::{CaptureWriter, Finished};
pub use error::{LineError, TraceError};
pub use instruction::{Branch, BranchKind, Load, Retired, Store};
pub use lookahead::{Lookahead, Record, RecordSource};
pub use notes::TraceNotes;
pub use open::open;
pub use reader::{Part, TraceReader};
pub use symbols::{CodeLocation, Mapping, ProgramMap};
