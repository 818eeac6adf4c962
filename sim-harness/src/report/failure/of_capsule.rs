//! A replayed capsule as evidence.

use super::evidence::{Cause, Evidence, EvidenceRow};
use crate::capsule::{Capsule, Replayed, Way};

impl Evidence {
    /// The failure that a replay has shown, or the property that the capsule says is violated. `source` says in words what was
    /// replayed. `None`: nothing fails (any more).
    #[must_use]
    pub fn of_replay(capsule: &Capsule, replayed: &Replayed, source: String) -> Option<Self> {
        let header = capsule.header();
        let (way, cycle) = match (&replayed.found, &header.failure.way) {
            (Some(found), _) => (&found.way, found.cycle),
            // Model and RTL agree, and what is wrong with both only the property's test can judge.
            (None, way @ Way::Property { .. }) => (way, header.failure.cycle),
            (None, _) => return None,
        };
        let cause = match way {
            Way::Mismatch { .. } => Cause::Mismatch,
            Way::Assertion { label } => Cause::Assertion(Some(label.clone()).filter(|label| !label.is_empty())),
            Way::Property { name } => Cause::Property { name: name.clone(), message: header.failure.text.clone() },
        };
        let row = |row: &crate::capsule::WindowRow| EvidenceRow {
            cycle: row.cycle,
            inputs: row.inputs.clone(),
            model: row.model.clone(),
            rtl: row.rtl.clone(),
        };
        Some(Self {
            source,
            repeat: Some(header.origin.repeat.clone()).filter(|repeat| !repeat.is_empty()),
            build: replayed.build,
            straps: header.straps.clone(),
            cause,
            cycle,
            rows: replayed.rows.iter().map(row).collect(),
            idle_from: replayed.rows.last().filter(|last| last.cycle >= header.cycles).map(|_| header.cycles),
        })
    }
}
