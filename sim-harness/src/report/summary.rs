//! The numbers of a run. Their names are those of the JSON keys, and stay.

use super::hottest::HotAddress;
use super::mismatch::Mismatch;
use super::recorder::RecordCounts;
use serde::Serialize;

/// What a run amounted to.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Summary {
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
    /// Those of them that retired in ring 3 outside SMM, where alone the unit counts.
    pub instructions_ring3: u64,
    /// The others.
    pub instructions_outside_ring3: u64,
    /// Cycles simulated.
    pub cycles: u64,
    /// Records found in the ring buffer, by event.
    pub records: RecordCounts,
    /// MissedEvents of the control block after the run.
    pub missed: u64,
    /// Threshold interrupts taken.
    pub interrupts: u64,
    /// Page faults taken.
    pub page_faults: u64,
    /// Context switches.
    pub switches: u64,
    /// Cycles in which RTL and model were compared and agreed.
    pub cycles_compared: u64,
    /// The first disagreement.
    pub mismatch: Option<Mismatch>,
    /// Wall-clock time.
    pub seconds: f64,
    /// Million cycles per second of that time.
    pub mcycles_per_second: f64,
    /// Addresses with most records.
    pub hottest: Vec<HotAddress>,
    /// What the front end, or the trace itself, said of branches and loads.
    pub front_end: FrontEndNumbers,
    /// How the operations at the beginning and the end went.
    pub operations: Operations,
    /// What the trace reader tolerated, in sentences.
    pub notes: Vec<String>,
    /// Why the run ended early, if it did for another reason than Ctrl-C or a mismatch.
    pub error: Option<String>,
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

/// How the operations of the run ended: `done`, `#UD`, `#GP(0)`, or `not executed`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Operations {
    /// The operating system's WRMSR of LWPMSR0.
    pub wrmsr_lwpmsr0: String,
    /// The program's LLWPCB.
    pub llwpcb: String,
    /// Its last SLWPCB.
    pub slwpcb: String,
}
