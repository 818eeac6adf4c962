//! The unit's part of a summary. Names are those of the JSON keys, and stay.

use super::environment::{Answers, Stats};
use super::records::RecordCounts;
use crate::cosim::UnitSummary;
use crate::report::{HotAddress, grouped};
use serde::Serialize;

/// What a run amounted to, beside what is said of every unit.
#[derive(Clone, Debug, Default, Serialize)]
pub struct LwpSummary {
    /// Instructions that retired in ring 3 outside SMM, where alone the unit counts.
    pub instructions_ring3: u64,
    /// The others.
    pub instructions_outside_ring3: u64,
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
    /// Addresses with most records.
    pub hottest: Vec<HotAddress>,
    /// How the operations at the beginning and the end went.
    pub operations: Operations,
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

impl Operations {
    /// The answers so far.
    #[must_use]
    pub fn of(answers: &Answers) -> Self {
        Self {
            wrmsr_lwpmsr0: answers.enable.to_string(),
            llwpcb: answers.start.to_string(),
            slwpcb: answers.stop.to_string(),
        }
    }
}

impl LwpSummary {
    /// The environment's numbers; records and operations are still to come.
    #[must_use]
    pub fn of(stats: &Stats) -> Self {
        Self {
            instructions_ring3: stats.ring3_instructions,
            instructions_outside_ring3: stats.instructions - stats.ring3_instructions,
            interrupts: stats.interrupts,
            page_faults: stats.page_faults,
            switches: stats.switches,
            ..Self::default()
        }
    }

    /// For programs and for people.
    #[must_use]
    pub fn into_summary(self) -> UnitSummary {
        let modes = format!(
            "{} in ring 3, {} outside",
            grouped(self.instructions_ring3),
            grouped(self.instructions_outside_ring3)
        );
        UnitSummary {
            instructions: Some(modes),
            first: self.operations_line().into_iter().collect(),
            lines: self.lines(),
            last: self.hottest(),
            ..UnitSummary::new(&self)
        }
    }

    /// Only if not all went as planned.
    fn operations_line(&self) -> Option<(&'static str, String)> {
        let Operations { wrmsr_lwpmsr0, llwpcb, slwpcb } = &self.operations;
        let odd = [wrmsr_lwpmsr0, llwpcb, slwpcb].iter().any(|answer| *answer != "done");
        odd.then(|| ("operations", format!("WRMSR LWPMSR0 {wrmsr_lwpmsr0}, LLWPCB {llwpcb}, SLWPCB {slwpcb}")))
    }

    fn lines(&self) -> Vec<(&'static str, String)> {
        let numbers = [
            ("records", self.records.total),
            ("  instructions", self.records.instructions_retired),
            ("  branches", self.records.branches_retired),
            ("  DCache misses", self.records.dcache_misses),
            ("missed", self.missed),
            ("interrupts", self.interrupts),
            ("page faults", self.page_faults),
        ];
        let switches = (self.switches > 0).then_some(("switches", self.switches));
        numbers.into_iter().chain(switches).map(|(label, number)| (label, grouped(number))).collect()
    }

    fn hottest(&self) -> Vec<(&'static str, String)> {
        let line = |(place, hot): (usize, &HotAddress)| {
            let label = if place == 0 { "hottest" } else { "" };
            let function = hot.function.as_deref().unwrap_or("");
            (label, format!("{:#x} {:>10} records  {function}", hot.ip, grouped(hot.count)))
        };
        self.hottest.iter().enumerate().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_did_not_go_as_planned_and_only_that() {
        let done = || "done".to_owned();
        let operations = Operations { wrmsr_lwpmsr0: done(), llwpcb: done(), slwpcb: done() };
        let mut summary = LwpSummary { operations, ..LwpSummary::default() };
        assert_eq!(summary.operations_line(), None);
        summary.operations.llwpcb = "#GP(0)".to_owned();
        assert!(summary.operations_line().unwrap().1.contains("LLWPCB #GP(0)"));
        summary.hottest = vec![HotAddress { ip: 0x40_1000, count: 3, function: Some("main".to_owned()) }];
        assert_eq!(summary.hottest(), [("hottest", "0x401000          3 records  main".to_owned())]);
        let keys = summary.into_summary().keys;
        assert_eq!((&keys["records"]["total"], &keys["operations"]["llwpcb"]), (&0.into(), &"#GP(0)".into()));
    }
}
