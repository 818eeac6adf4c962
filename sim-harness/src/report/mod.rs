//! What a run leaves behind: its summary for people and for programs, its records, its dumps.

pub mod failure;
mod hottest;
mod inputs_text;
mod mismatch;
mod output;
mod record_line;
mod recorder;
mod summary;
mod summary_text;

pub use hottest::{HotAddress, IpCounts};
pub use mismatch::{Mismatch, MismatchReport};
pub use output::{Output, OutputError};
pub use recorder::{RecordCounts, Recorder};
pub use summary::{FrontEndNumbers, Operations, Summary};
