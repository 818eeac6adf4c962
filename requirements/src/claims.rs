//! Claims: identifiers in comments above or in tests, above assertions, and in files of properties.

use crate::ids;
use crate::problem::{Place, Problem};
use crate::rust::RustFile;
use crate::trace::{Evidence, EvidenceKind, Sources};
use crate::verilog::{Assertion, VerilogFile};
use std::collections::{BTreeMap, BTreeSet};

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
                    None => self.test(id, &test.name, place),
                    Some(reason) => {
                        let what = format!("{} claims {id} but never runs: {reason}", test.name);
                        self.problems.push(Problem::new(place, what, "let it run, or remove the id"));
                    }
                }
            } else if sources.families.iter().any(|family| family.holds(file)) {
                let tests = sources.run_by(file);
                self.add(id, Evidence { kind: EvidenceKind::Property, name: file.to_owned(), tests, said: place });
            } else if parsed.layers.is_inner_doc(line) && sources.tests.integration.contains(file) {
                let mut running = tests.iter().filter(|test| test.reason().is_none()).peekable();
                if running.peek().is_none() {
                    let what = format!("{file} claims {id} but never runs: it has no test that cargo runs");
                    self.problems.push(Problem::new(place.clone(), what, "add a test, or remove the id"));
                }
                for test in running {
                    self.test(id.clone(), &test.name, place.clone());
                }
            } else {
                if !sources.tests.reached.contains(file) {
                    let what = format!("{id}: cargo does not compile the file, so it shows nothing");
                    let help = "add it to requirements/families.toml with the tests that use it, or remove the id";
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
                Ok(tests) => {
                    let name = format!("{file}::{}", assertion.label);
                    self.add(id, Evidence { kind: EvidenceKind::Assertion, name, tests, said: place });
                }
                Err((what, help)) => self.problems.push(Problem::new(place, format!("{id}: {what}"), help)),
            }
        }
    }

    fn test(&mut self, id: String, name: &str, said: Place) {
        let tests = BTreeSet::from([name.to_owned()]);
        self.add(id, Evidence { kind: EvidenceKind::Test, name: name.to_owned(), tests, said });
    }

    fn add(&mut self, id: String, evidence: Evidence) {
        self.evidence.entry(id).or_default().push(evidence);
    }
}

impl Sources<'_> {
    /// The tests that run the properties or assertions of `file`.
    pub(crate) fn run_by(&self, file: &str) -> BTreeSet<String> {
        let families = self.families.iter().filter(|family| family.holds(file));
        families
            .flat_map(|family| &family.run_by)
            .filter_map(|(test, _)| test.split_once("::"))
            .filter_map(|(file, name)| self.tests.find(file, name).ok())
            .map(|test| test.name.clone())
            .collect()
    }

    /// The tests that run an assertion, or why it shows nothing and what to do.
    pub(crate) fn assertion(&self, file: &str, label: &str) -> Result<BTreeSet<String>, (String, String)> {
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
            let help = "add the file to requirements/families.toml with the tests whose runs check its assertions";
            return Err((format!("no test runs the assertions of {file}"), help.into()));
        }
        Ok(tests)
    }
}
