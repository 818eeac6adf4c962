//! Claims: identifiers in comments above or in tests, above assertions and proofs, and at the rules of properties.

use crate::families::{Side, names};
use crate::ids;
use crate::problem::{Place, Problem};
use crate::rust::{Rule, RustFile};
use crate::trace::{Evidence, EvidenceKind, Sources};
use crate::verilog::{Assertion, VerilogFile};
use std::collections::{BTreeMap, BTreeSet};

/// How an assertion is checked, and by which tests.
type Run = (EvidenceKind, BTreeSet<String>);

/// What the sources say.
#[derive(Default)]
pub(crate) struct Claims {
    pub evidence: BTreeMap<String, Vec<Evidence>>,
    /// Identifiers in comments that claim nothing.
    pub mentions: BTreeMap<String, BTreeSet<Place>>,
    pub problems: Vec<Problem>,
}

impl Claims {
    pub(crate) fn of(sources: &Sources<'_>) -> Claims {
        let mut claims = Claims::default();
        for (file, parsed) in &sources.tests.files {
            claims.rust(sources, file, parsed);
        }
        for (file, parsed) in &sources.verilog {
            claims.verilog(sources, file, parsed);
        }
        claims.evidence.values_mut().for_each(|evidence| {
            evidence.sort();
            evidence.dedup_by(|one, other| (one.kind, &one.name) == (other.kind, &other.name));
        });
        claims
    }

    fn rust(&mut self, sources: &Sources<'_>, file: &str, parsed: &RustFile) {
        for (line, id) in ids::known(file, &parsed.layers.comments, &sources.known, &mut self.problems) {
            let place = Place::new(file, line);
            let tests = sources.tests.in_file(file);
            let around =
                tests.iter().find(|test| (parsed.layers.lead(test.first_line)..=test.last_line).contains(&line));
            if let Some(test) = around {
                match test.reason() {
                    None => self.test(sources, id, &test.name, place),
                    Some(reason) => {
                        let what = format!("{} claims {id} but never runs: {reason}", test.name);
                        self.problems.push(Problem::new(place, what, "let it run, or remove the id"));
                    }
                }
            } else if sources.holds(file) {
                match sources.rule(file, parsed, line) {
                    Some(name) => {
                        let tests = sources.run_by(file);
                        self.add(id, sources.evidence(EvidenceKind::Property, name, tests, place));
                    }
                    None => drop(self.mentions.entry(id).or_default().insert(place)),
                }
            } else if parsed.layers.is_inner_doc(line) && sources.tests.integration.contains(file) {
                let mut running = tests.iter().filter(|test| test.reason().is_none()).peekable();
                if running.peek().is_none() {
                    let what = format!("{file} claims {id} but never runs: it has no test that cargo runs");
                    self.problems.push(Problem::new(place.clone(), what, "add a test, or remove the id"));
                }
                for test in running {
                    self.test(sources, id.clone(), &test.name, place.clone());
                }
            } else {
                if !sources.tests.reached.contains(file) {
                    let what = format!("{id}: cargo does not compile the file, so it shows nothing");
                    let help =
                        "add it to verify/requirements/families.toml with the tests that use it, or remove the id";
                    self.problems.push(Problem::new(place.clone(), what, help));
                }
                self.mentions.entry(id).or_default().insert(place);
            }
        }
    }

    fn verilog(&mut self, sources: &Sources<'_>, file: &str, parsed: &VerilogFile) {
        for (line, id) in ids::known(file, &parsed.layers.comments, &sources.known, &mut self.problems) {
            let place = Place::new(file, line);
            let around = |one: &&Assertion| (parsed.layers.lead(one.first_line)..=one.last_line).contains(&line);
            let Some(assertion) = parsed.assertions.iter().find(around) else {
                self.mentions.entry(id).or_default().insert(place);
                continue;
            };
            match sources.assertion(file, &assertion.label) {
                Ok((kind, tests)) => {
                    let name = format!("{file}::{}", assertion.label);
                    self.add(id, sources.evidence(kind, name, tests, place));
                }
                Err((what, help)) => self.problems.push(Problem::new(place, format!("{id}: {what}"), help)),
            }
        }
    }

    fn test(&mut self, sources: &Sources<'_>, id: String, name: &str, said: Place) {
        let tests = BTreeSet::from([name.to_owned()]);
        self.add(id, sources.evidence(EvidenceKind::Test, name.to_owned(), tests, said));
    }

    fn add(&mut self, id: String, evidence: Evidence) {
        self.evidence.entry(id).or_default().push(evidence);
    }
}

impl Sources<'_> {
    fn holds(&self, file: &str) -> bool {
        self.families.families.iter().any(|family| family.holds(file))
    }

    /// What would fail, if a claim in this line of a file of properties stands at something that would: a program that must
    /// not compile as a whole, else a rule, or the first line of a function that holds one.
    fn rule(&self, file: &str, parsed: &RustFile, line: usize) -> Option<String> {
        if file.strip_suffix(".rs").is_some_and(|stem| self.repository.files.contains(&format!("{stem}.stderr"))) {
            return Some(file.to_owned());
        }
        let stands = |rule: &&Rule| (parsed.layers.lead(rule.first_line)..=rule.last_line).contains(&line);
        parsed.rules.iter().find(stands).map(|rule| format!("{file}::{}", rule.function))
    }

    /// Evidence with what its tests show of the unit.
    pub(crate) fn evidence(&self, kind: EvidenceKind, name: String, tests: BTreeSet<String>, said: Place) -> Evidence {
        let (mut sides, mut lockstep) = (BTreeSet::new(), false);
        for test in tests.iter().filter_map(|test| self.tests.named(test)) {
            for shows in &self.families.shows {
                let fits =
                    |(own, _): &(String, Place)| *own == test.name || test.through.iter().any(|file| names(own, file));
                if shows.tests.iter().any(fits) {
                    sides.extend(&shows.sides);
                    lockstep |= shows.lockstep;
                }
            }
        }
        match kind {
            EvidenceKind::Property => lockstep = true,
            EvidenceKind::Assertion | EvidenceKind::Proof => {
                (sides, lockstep) = (BTreeSet::from([Side::Rtl]), true);
            }
            _ => {}
        }
        Evidence { kind, name, tests, said, sides, lockstep }
    }

    /// The tests that run the properties or assertions of `file`.
    pub(crate) fn run_by(&self, file: &str) -> BTreeSet<String> {
        let families = self.families.families.iter().filter(|family| family.holds(file));
        families
            .flat_map(|family| &family.run_by)
            .filter_map(|(test, _)| test.split_once("::"))
            .filter_map(|(file, name)| self.tests.find(file, name).ok())
            .map(|test| test.name.clone())
            .collect()
    }

    /// Whether an assertion is proved or run, and by which tests, or why it shows nothing and what to do.
    pub(crate) fn assertion(&self, file: &str, label: &str) -> Result<Run, (String, String)> {
        let parsed = self
            .verilog
            .get(file)
            .ok_or((format!("there is no file {file}"), "name a SystemVerilog file".to_owned()))?;
        let found = parsed.assertions.iter().find(|assertion| assertion.label == label).ok_or_else(|| {
            let labels: Vec<_> = parsed.assertions.iter().map(|assertion| assertion.label.as_str()).collect();
            (format!("{file} has no assertion {label}"), format!("its assertions are: {}", labels.join(", ")))
        })?;
        if let Some(reason) = &found.off {
            return Err((format!("{label} may not be compiled: {reason}"), "let it be compiled always".into()));
        }
        if self.proved.contains(file) {
            return Ok((EvidenceKind::Proof, BTreeSet::new()));
        }
        let used = |(other, parsed): (&String, &VerilogFile)| {
            let words = |c: char| !c.is_alphanumeric() && c != '_';
            other != file && parsed.layers.code.split(words).any(|word| word == found.module)
        };
        if !self.verilog.iter().any(used) {
            let what = format!("no other file uses the module {} of {label}", found.module);
            return Err((what, "instantiate or bind it".into()));
        }
        let tests = self.run_by(file);
        if tests.is_empty() {
            let help =
                "add the file to verify/requirements/families.toml with the tests whose runs check its assertions";
            return Err((format!("no test runs the assertions of {file}"), help.into()));
        }
        Ok((EvidenceKind::Assertion, tests))
    }
}
