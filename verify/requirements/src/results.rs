//! The results of a test run, from cargo-nextest's JUnit reports, and what they say of a row.

use crate::data::Row;
use crate::problem::Error;
use crate::trace::{EvidenceKind, Trace};
use roxmltree::{Document, Node};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::SystemTime;

/// How a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It passed, perhaps at a second try.
    Passed,
    /// It did not.
    Failed,
}

/// What the last run says of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// Every test that shows it passed.
    Green,
    /// One of them failed.
    Red,
    /// One of them has no result.
    NotRun,
    /// A text keeps it; there is nothing to run.
    Text,
    /// Nothing, or not enough, shows it.
    Open,
    /// Nothing shows it, and nothing has to yet: its unit does not exist.
    Later,
}

impl State {
    /// All states, in the order in which they are shown.
    pub const ALL: [State; 6] = [State::Green, State::Red, State::NotRun, State::Text, State::Open, State::Later];

    /// For people.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            State::Green => "green",
            State::Red => "red",
            State::NotRun => "not run",
            State::Text => "text",
            State::Open => "open",
            State::Later => "later",
        }
    }
}

/// Outcomes by program and test, and when they were.
#[derive(Debug, Default)]
pub struct Results {
    outcomes: BTreeMap<(String, String), Outcome>,
    /// When the runs began, as the reports say.
    pub began: Vec<String>,
    /// When the oldest report was written.
    written: Option<SystemTime>,
}

impl Results {
    /// Adds a report of cargo-nextest. A test that failed in one of several reports has failed.
    ///
    /// # Errors
    /// If the file is missing or no JUnit report.
    pub fn add(&mut self, path: &Path) -> Result<(), Error> {
        let failed = |source| Error::File { path: path.to_owned(), source };
        let text = std::fs::read_to_string(path).map_err(failed)?;
        let written = std::fs::metadata(path).and_then(|file| file.modified()).map_err(failed)?;
        self.written = Some(self.written.map_or(written, |before| before.min(written)));
        self.parse(&text).map_err(|reason| Error::Report { path: path.to_owned(), reason })
    }

    fn parse(&mut self, text: &str) -> Result<(), String> {
        let document = Document::parse(text).map_err(|error| error.to_string())?;
        let root = document.root_element();
        if !root.has_tag_name("testsuites") {
            return Err(format!("it begins with <{}>, not with <testsuites>", root.tag_name().name()));
        }
        let began =
            root.attribute("timestamp").or_else(|| root.children().find_map(|suite| suite.attribute("timestamp")));
        self.began.extend(began.map(str::to_owned));
        for suite in root.children().filter(|node| node.has_tag_name("testsuite")) {
            for case in suite.children().filter(|node| node.has_tag_name("testcase")) {
                let (Some(program), Some(name)) = (suite.attribute("name"), case.attribute("name")) else { continue };
                if let Some(outcome) = outcome(case) {
                    let slot = self.outcomes.entry((program.to_owned(), name.to_owned())).or_insert(outcome);
                    if outcome == Outcome::Failed {
                        *slot = Outcome::Failed;
                    }
                }
            }
        }
        Ok(())
    }

    /// How the test ended, if it ran in every program that has it.
    #[must_use]
    pub fn of_test(&self, trace: &Trace, name: &str) -> Option<Outcome> {
        let test = trace.tests.named(name)?;
        let outcomes: Vec<_> = test.runs.iter().map(|run| self.outcomes.get(run).copied()).collect();
        if outcomes.contains(&Some(Outcome::Failed)) {
            Some(Outcome::Failed)
        } else if outcomes.is_empty() || outcomes.contains(&None) {
            None
        } else {
            Some(Outcome::Passed)
        }
    }

    /// What the run says of the row.
    #[must_use]
    pub fn of_row(&self, trace: &Trace, row: &Row) -> State {
        if !trace.shown(row) {
            return if row.asked() { State::Open } else { State::Later };
        }
        let tests = trace.evidence(&row.id).iter().flat_map(|evidence| &evidence.tests);
        let outcomes: Vec<_> = tests.map(|test| self.of_test(trace, test)).collect();
        let proved = || trace.evidence(&row.id).iter().any(|one| one.kind == EvidenceKind::Proof);
        if outcomes.is_empty() && proved() {
            // `make formal` proves it; no test does.
            State::NotRun
        } else if outcomes.is_empty() {
            State::Text
        } else if outcomes.contains(&Some(Outcome::Failed)) {
            State::Red
        } else if outcomes.contains(&None) || trace.rests_on_a_proof(row) {
            // A proof is one of `make formal`, as above.
            State::NotRun
        } else {
            State::Green
        }
    }

    /// Whether a file changed after the results were written.
    #[must_use]
    pub fn older_than(&self, path: &Path) -> bool {
        let changed = std::fs::metadata(path).and_then(|file| file.modified());
        self.written.zip(changed.ok()).is_some_and(|(written, changed)| changed > written)
    }
}

/// `None` if the test was skipped.
fn outcome(case: Node<'_, '_>) -> Option<Outcome> {
    let has = |tag| case.children().any(|node| node.has_tag_name(tag));
    if has("failure") || has("error") {
        Some(Outcome::Failed)
    } else if has("skipped") {
        None
    } else {
        Some(Outcome::Passed)
    }
}

#[cfg(test)]
mod tests {
    use super::{Outcome, Results};

    #[test]
    fn reports_are_read() {
        let report = r#"<?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="nextest-run" tests="4" timestamp="2026-01-01T00:00:00Z">
              <testsuite name="a::b" tests="4">
                <testcase name="good" classname="a::b"><system-out>text</system-out></testcase>
                <testcase name="bad" classname="a::b"><failure type="test failure">why</failure></testcase>
                <testcase name="flaky" classname="a::b"><flakyFailure type="test failure"/></testcase>
                <testcase name="skipped" classname="a::b"><skipped/></testcase>
              </testsuite>
            </testsuites>"#;
        let mut results = Results::default();
        results.parse(report).unwrap();
        let of = |name: &str| results.outcomes.get(&("a::b".to_owned(), name.to_owned())).copied();
        assert_eq!(["good", "flaky"].map(of), [Some(Outcome::Passed); 2]);
        assert_eq!((of("bad"), of("skipped"), of("absent")), (Some(Outcome::Failed), None, None));
        assert_eq!(results.began, ["2026-01-01T00:00:00Z"]);
        // A failure in one report outlives success in another, in either order.
        results.parse(&report.replace("good", "x").replace("bad", "good")).unwrap();
        assert_eq!(results.outcomes[&("a::b".to_owned(), "good".to_owned())], Outcome::Failed);
        results.parse(report).unwrap();
        assert_eq!(results.outcomes[&("a::b".to_owned(), "good".to_owned())], Outcome::Failed);
    }

    #[test]
    fn what_is_no_report_is_refused() {
        for text in ["", "<a/>", "<testsuites>"] {
            assert!(Results::default().parse(text).is_err());
        }
    }
}
