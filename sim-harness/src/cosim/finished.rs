//! Result of a run.

use super::stream::Stream;
use crate::report::OutputError;
use serde::Serialize;
use serde_json::{Map, Value};

/// Result of an environment after its run.
#[derive(Debug)]
pub struct Finished {
    /// Supply of the instructions.
    pub instructions: Stream,
    /// Unit's part of the summary.
    pub summary: UnitSummary,
    /// Whether the file of the records is complete, or the error that occurred.
    pub records: Result<(), OutputError>,
    /// Dumps that were requested.
    pub dumps: Vec<(&'static str, Vec<u8>)>,
}

/// Unit's part of a summary.
#[derive(Clone, Debug, Default)]
pub struct UnitSummary {
    /// Keys for programs, in addition to those of every unit.
    pub keys: Map<String, Value>,
    /// Text that follows the number of instructions.
    pub instructions: Option<String>,
    /// Lines for people, each a label and a text, before the notes of the trace.
    pub first: Vec<(&'static str, String)>,
    /// Lines after the notes of the trace.
    pub lines: Vec<(&'static str, String)>,
    /// Lines at the end of the summary.
    pub last: Vec<(&'static str, String)>,
}

impl UnitSummary {
    /// Returns a part with these keys and no lines.
    ///
    /// # Panics
    ///
    /// If `keys` is not plain data with names.
    #[must_use]
    pub fn new(keys: &impl Serialize) -> Self {
        match serde_json::to_value(keys) {
            Ok(Value::Object(keys)) => Self { keys, ..Self::default() },
            other => panic!("a summary is plain data with names: {other:?}"),
        }
    }
}
