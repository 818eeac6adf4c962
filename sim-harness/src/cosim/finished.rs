//! What is left of a run.

use super::stream::Stream;
use crate::report::OutputError;
use serde::Serialize;
use serde_json::{Map, Value};

/// What is left of an environment.
#[derive(Debug)]
pub struct Finished {
    /// Where the instructions came from.
    pub instructions: Stream,
    /// The unit's part of the summary.
    pub summary: UnitSummary,
    /// Whether the file of the records is whole.
    pub records: Result<(), OutputError>,
    /// The dumps that were asked for.
    pub dumps: Vec<(&'static str, Vec<u8>)>,
}

/// The unit's part of a summary.
#[derive(Clone, Debug, Default)]
pub struct UnitSummary {
    /// Keys for programs, beside those of every unit.
    pub keys: Map<String, Value>,
    /// What is said of the instructions, behind their number.
    pub instructions: Option<String>,
    /// Lines for people, label and text, before the notes of the trace.
    pub first: Vec<(&'static str, String)>,
    /// Lines after them.
    pub lines: Vec<(&'static str, String)>,
    /// Lines at the end.
    pub last: Vec<(&'static str, String)>,
}

impl UnitSummary {
    /// These keys, and no lines yet.
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
