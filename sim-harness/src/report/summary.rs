//! Numbers of a run. Their names are the JSON keys, which do not change.

use super::mismatch::Mismatch;
use crate::cosim::UnitSummary;
use serde::{Serialize, Serializer};

/// Summary of a run.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Summary {
    /// The unit.
    pub unit: String,
    /// Engine of the run: `lockstep`, `model` or `rtl`.
    pub engine: String,
    /// The trace.
    pub trace: String,
    /// The session file; absent for the default session.
    pub session: Option<String>,
    /// Whether Ctrl-C ended the run.
    pub interrupted: bool,
    /// Number of instructions retired.
    pub instructions: u64,
    /// Number of cycles simulated.
    pub cycles: u64,
    /// Number of cycles in which RTL and model were compared and agreed.
    pub cycles_compared: u64,
    /// First mismatch.
    pub mismatch: Option<Mismatch>,
    /// Wall-clock time.
    pub seconds: f64,
    /// Million cycles per second of that time.
    pub mcycles_per_second: f64,
    /// Outcomes of branches and loads, from the front end or the trace, if the unit watches them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub front_end: Option<FrontEndNumbers>,
    /// Notes of the trace reader on what it tolerated, in sentences.
    pub notes: Vec<String>,
    /// Reason why the run ended early, if it was neither Ctrl-C nor a mismatch.
    pub error: Option<String>,
    /// Unit's part of the summary.
    #[serde(flatten, serialize_with = "keys")]
    pub own: UnitSummary,
}

/// Only the keys are for programs.
fn keys<S: Serializer>(own: &UnitSummary, serializer: S) -> Result<S::Ok, S::Error> {
    own.keys.serialize(serializer)
}

/// Branches and loads of the instructions that retired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FrontEndNumbers {
    /// Whether loads and predictions are those of the trace; otherwise the front end supplied them.
    pub from_trace: bool,
    /// Branches, system transfers not included.
    pub branches: u64,
    /// Branches that are known to have been mispredicted.
    pub mispredicted: u64,
    /// Loads.
    pub loads: u64,
    /// Loads that missed the data cache.
    pub misses: u64,
    /// Misses by source as in the record: 0 second level, 1 local L3, 2 remote, 3 DRAM, 7 other.
    pub misses_by_source: [u64; 8],
}
