//! The numbers of a run. Their names are those of the JSON keys, and stay.

use super::mismatch::Mismatch;
use crate::cosim::UnitSummary;
use serde::{Serialize, Serializer};

/// What a run amounted to.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Summary {
    /// The unit.
    pub unit: String,
    /// What ran: `lockstep`, `model` or `rtl`.
    pub engine: String,
    /// The trace.
    pub trace: String,
    /// The session file; absent for the default session.
    pub session: Option<String>,
    /// The run was ended by Ctrl-C.
    pub interrupted: bool,
    /// Instructions retired.
    pub instructions: u64,
    /// Cycles simulated.
    pub cycles: u64,
    /// Cycles in which RTL and model were compared and agreed.
    pub cycles_compared: u64,
    /// The first disagreement.
    pub mismatch: Option<Mismatch>,
    /// Wall-clock time.
    pub seconds: f64,
    /// Million cycles per second of that time.
    pub mcycles_per_second: f64,
    /// What the front end, or the trace itself, said of branches and loads, if the unit looks at them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub front_end: Option<FrontEndNumbers>,
    /// What the trace reader tolerated, in sentences.
    pub notes: Vec<String>,
    /// Why the run ended early, if it did for another reason than Ctrl-C or a mismatch.
    pub error: Option<String>,
    /// What the unit adds.
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
    /// Loads and predictions are as the trace says; otherwise a model supplied them.
    pub from_trace: bool,
    /// Branches, system transfers not included.
    pub branches: u64,
    /// Branches whose prediction is known to have been wrong.
    pub mispredicted: u64,
    /// Loads.
    pub loads: u64,
    /// Loads that missed the data cache.
    pub misses: u64,
    /// Misses by source as in the record: 0 second level, 1 local L3, 2 remote, 3 DRAM, 7 other.
    pub misses_by_source: [u64; 8],
}
