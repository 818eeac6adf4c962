//! The records of a run: counted, and written down if asked.

mod record_line;
mod recorder;

pub use recorder::{RecordCounts, Recorder};
