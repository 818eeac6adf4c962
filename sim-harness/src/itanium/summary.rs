//! Summary of a run: what each counter has counted.

use super::records::{Recorder, Sample};
use crate::report::grouped;
use lwp_model::itanium::COUNTERS;
use serde::Serialize;

/// The unit's keys of a summary.
#[derive(Debug, Serialize)]
pub(super) struct Keys {
    /// Counters that were set up.
    counters: Vec<OfCounter>,
    /// Samples.
    samples: u64,
    /// Samples because of an overflow.
    overflows: u64,
}

/// A counter.
#[derive(Debug, Serialize)]
struct OfCounter {
    register: u8,
    event: String,
    count: u64,
}

impl Keys {
    /// Returns the keys of a run whose counters count these events.
    #[must_use]
    pub(super) fn new(events: &[Option<String>; COUNTERS], records: &Recorder) -> Self {
        let Sample { counts, .. } = *records.last();
        let of = |(c, (event, count)): (usize, (&Option<String>, u64))| {
            Some(OfCounter { register: 4 + c as u8, event: event.clone()?, count })
        };
        Self {
            counters: events.iter().zip(counts).enumerate().filter_map(of).collect(),
            samples: records.total(),
            overflows: records.overflows(),
        }
    }

    /// Returns the lines for people.
    #[must_use]
    pub(super) fn lines(&self) -> Vec<(&'static str, String)> {
        let counter = |(place, of): (usize, &OfCounter)| {
            let label = if place == 0 { "counters" } else { "" };
            (label, format!("PMD[{}]: {} {}", of.register, grouped(of.count), of.event))
        };
        let mut lines: Vec<_> = self.counters.iter().enumerate().map(counter).collect();
        let (samples, overflows) = (grouped(self.samples), grouped(self.overflows));
        lines.push(("samples", format!("{samples}, {overflows} of them at an overflow")));
        lines
    }
}
