//! The files of rows, one for each set of documents.

use crate::data::Kind;

/// A file of rows.
#[derive(Debug, PartialEq, Eq)]
pub struct Document {
    /// Where the rows are.
    pub file: &'static str,
    /// What they are about, in two words.
    pub title: &'static str,
    /// What comes before the area in each identifier.
    pub prefix: &'static str,
    /// The kinds of its rows, in the order in which they are shown.
    pub kinds: &'static [Kind],
}

/// The proposal for Lightweight Profiling.
pub const LWP: Document = Document {
    file: "verify/requirements/lwp.csv",
    title: "Lightweight Profiling",
    prefix: "LWP-",
    kinds: &[Kind::Must, Kind::Option, Kind::Software, Kind::Info],
};

/// The documents on the monitoring hardware around it.
pub const MONITORING: Document = Document {
    file: "verify/requirements/monitoring.csv",
    title: "Monitoring registers",
    prefix: "",
    kinds: &[Kind::Register, Kind::Procedure, Kind::Behaviour, Kind::Tool, Kind::Info],
};

/// All of them, in the order in which they are shown.
pub const DOCUMENTS: [&Document; 2] = [&LWP, &MONITORING];
