//! Summary of a run: for each RMID its accesses and what the operating system read last; changes of power.

use super::environment::{PowerChanges, Traffic};
use super::records::{Reading, Recorder, Sample};
use crate::report::grouped;
use serde::Serialize;

/// The unit's keys of a summary.
#[derive(Debug, Serialize)]
pub(super) struct Keys {
    /// RMIDs with accesses or samples.
    rmids: Vec<OfRmid>,
    /// Samples.
    samples: u64,
    /// Changes of the number of ways with power.
    power_changes: u64,
    /// Cycles in which ways were emptied.
    walking_cycles: u64,
    /// Events of the session whose cycle did not come.
    events_left: usize,
}

/// An RMID.
#[derive(Debug, Serialize)]
struct OfRmid {
    rmid: u8,
    accesses: u64,
    l2_hits: u64,
    l3_hits: u64,
    misses: u64,
    /// Cycles from request to end, the sum over all accesses.
    cycles: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<Reading>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total_bytes: Option<Reading>,
    #[serde(skip_serializing_if = "Option::is_none")]
    local_bytes: Option<Reading>,
}

impl Keys {
    /// Returns the keys of a run.
    #[must_use]
    pub(super) fn new(by_rmid: &[Traffic], power: PowerChanges, events_left: usize, records: &Recorder) -> Self {
        let last = |rmid: u8| records.last().find(|sample| sample.rmid == rmid).copied();
        let of_rmid = |(number, traffic): (usize, &Traffic)| {
            let rmid = number as u8;
            let sample = last(rmid);
            if sample.is_none() && traffic.accesses == 0 {
                return None;
            }
            let Sample { lines, total_bytes, local_bytes, .. } = sample.unwrap_or_default();
            let Traffic { accesses, l2_hits, l3_hits, cycles } = *traffic;
            let misses = traffic.misses();
            Some(OfRmid { rmid, accesses, l2_hits, l3_hits, misses, cycles, lines, total_bytes, local_bytes })
        };
        Self {
            rmids: by_rmid.iter().enumerate().filter_map(of_rmid).collect(),
            samples: records.total(),
            power_changes: power.changes,
            walking_cycles: power.walking,
            events_left,
        }
    }

    /// Returns the lines for people.
    #[must_use]
    pub(super) fn lines(&self) -> Vec<(&'static str, String)> {
        let mut lines = Vec::new();
        for OfRmid { rmid, accesses, l2_hits, l3_hits, misses, lines: held, total_bytes, local_bytes, .. } in
            &self.rmids
        {
            let [accesses, l2_hits, l3_hits, misses] = [accesses, l2_hits, l3_hits, misses].map(|&n| grouped(n));
            lines.push((
                if lines.is_empty() { "RMIDs" } else { "" },
                format!("{rmid}: {accesses} accesses, {l2_hits} hits in L2, {l3_hits} in L3, {misses} misses"),
            ));
            let read = [(held, "occupied", "lines"), (total_bytes, "total", "bytes"), (local_bytes, "local", "bytes")];
            let read: Vec<String> =
                read.iter().filter_map(|(reading, name, unit)| told(**reading, name, unit)).collect();
            if !read.is_empty() {
                lines.push(("", format!("   {}", read.join(", "))));
            }
        }
        if self.power_changes > 0 {
            let (changes, walking) = (grouped(self.power_changes), grouped(self.walking_cycles));
            lines.push(("power", format!("{changes} changes, ways emptied in {walking} cycles")));
        }
        if self.events_left > 0 {
            lines.push(("not met", format!("{} events, which were due after the end", self.events_left)));
        }
        lines
    }
}

/// `occupied 128 lines`, `total error`.
fn told(reading: Option<Reading>, name: &str, unit: &str) -> Option<String> {
    let number = |number: u128| match u64::try_from(number) {
        Ok(number) => format!("{} {unit}", grouped(number)),
        Err(_) => format!("{number} {unit}"),
    };
    reading.map(|reading| format!("{name} {}", reading.text(number)))
}
