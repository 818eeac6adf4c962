//! Rows, and what shows them.

use crate::claims::Claims;
use crate::data::{self, Kind, Row};
use crate::document::DOCUMENTS;
use crate::families::{self, FAMILIES, Families, Side};
use crate::name::Name;
use crate::needs::{self, NEEDS};
use crate::problem::{Error, Place, Problem};
use crate::proofs;
use crate::repository::Repository;
use crate::tests_found::Tests;
use crate::verilog::{self, VerilogFile};
use crate::{chapters, ids};
use std::collections::{BTreeMap, BTreeSet};

/// What kind of thing shows a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EvidenceKind {
    /// A test.
    Test,
    /// A rule of a property that tests run, or a program that must not compile.
    Property,
    /// A labelled assertion in SystemVerilog.
    Assertion,
    /// A labelled assertion in SystemVerilog that is proved.
    Proof,
    /// An item of a Rust file.
    Item,
    /// A SystemVerilog module.
    Module,
    /// A heading of a chapter.
    Chapter,
}

impl EvidenceKind {
    /// As in names.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            EvidenceKind::Test => "test",
            EvidenceKind::Property => "prop",
            EvidenceKind::Assertion => "sva",
            EvidenceKind::Proof => "proof",
            EvidenceKind::Item => "item",
            EvidenceKind::Module => "rtl",
            EvidenceKind::Chapter => "doc",
        }
    }

    /// Whether it runs, so that it can fail.
    #[must_use]
    pub const fn runs(self) -> bool {
        matches!(self, EvidenceKind::Test | EvidenceKind::Property | EvidenceKind::Assertion | EvidenceKind::Proof)
    }
}

/// Something that exists and shows a row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Evidence {
    /// Its kind.
    pub kind: EvidenceKind,
    /// Its name, without the kind.
    pub name: String,
    /// The tests whose result decides; itself for a test.
    pub tests: BTreeSet<String>,
    /// Where it is said that it shows the row.
    pub said: Place,
    /// What its tests see of the unit.
    pub sides: BTreeSet<Side>,
    /// Whether it looks at every cycle: model and RTL compared, a property, an assertion or a proof.
    pub lockstep: bool,
}

/// The whole: rows, what shows them, and what is wrong.
#[derive(Debug)]
pub struct Trace {
    /// The rows, as in the data.
    pub rows: Vec<Row>,
    evidence: BTreeMap<String, Vec<Evidence>>,
    mentions: BTreeMap<String, BTreeSet<Place>>,
    /// Promises that are not kept, but for rows that nothing shows.
    pub problems: Vec<Problem>,
    pub(crate) tests: Tests,
}

/// What is read before anything is joined.
pub(crate) struct Sources<'a> {
    pub repository: &'a Repository,
    /// The identifiers of the rows.
    pub known: BTreeSet<String>,
    pub tests: Tests,
    pub verilog: BTreeMap<String, VerilogFile>,
    pub families: Families,
    /// Files whose assertions are proved.
    pub proved: BTreeSet<String>,
}

impl Trace {
    /// Reads everything.
    ///
    /// # Errors
    /// If a file cannot be read. What is wrong with its content is a problem, no error.
    pub fn of(repository: &Repository) -> Result<Trace, Error> {
        let (mut rows, mut problems) = (Vec::new(), Vec::new());
        for document in DOCUMENTS {
            let (own, wrong) = data::rows(document, &repository.read(document.file)?);
            rows.extend(own);
            problems.extend(wrong);
        }
        let optional = |file: &str| {
            let exists = repository.files.contains(file);
            exists.then(|| repository.read(file)).transpose()
        };
        needs::apply(optional(NEEDS)?.as_deref(), &mut rows, &mut problems);
        let mut proved = BTreeSet::new();
        for (file, folder) in repository.with_extension("toml").filter_map(|file| Some((file, proofs::folder(file)?))) {
            proved.extend(proofs::files(folder, &repository.read(file)?));
        }
        let tests = Tests::of(repository, &mut problems)?;
        let families = match families::parse(&repository.read(FAMILIES)?) {
            Ok(families) => families,
            Err(problem) => {
                problems.push(problem);
                Families::default()
            }
        };
        let mut verilog = BTreeMap::new();
        for file in repository.with_extension("sv").chain(repository.with_extension("svh")) {
            verilog.insert(file.clone(), verilog::parse(&repository.read(file)?));
        }
        let known = rows.iter().map(|row| row.id.clone()).collect();
        let sources = Sources { repository, known, tests, verilog, families, proved };
        problems.extend(families_hold(&sources));
        unknown(&sources, &mut problems)?;
        let mut claims = Claims::of(&sources);
        problems.append(&mut claims.problems);
        for row in &rows {
            for name in &row.shown_by {
                match resolve(&sources, name, row)? {
                    Ok(evidence) => add(&mut claims, row, evidence, &mut problems),
                    Err((what, help)) => {
                        problems.push(Problem::new(row.place(), format!("{}: `{name}`: {what}", row.id), help));
                    }
                }
            }
        }
        problems.sort();
        problems.dedup();
        let Claims { evidence, mentions, .. } = claims;
        let mut trace = Trace { rows, evidence, mentions, problems, tests: sources.tests };
        trace.no_longer_later();
        Ok(trace)
    }

    /// What shows the row.
    #[must_use]
    pub fn evidence(&self, id: &str) -> &[Evidence] {
        self.evidence.get(id).map_or(&[], Vec::as_slice)
    }

    /// Where the row is named without being claimed.
    pub fn mentions(&self, id: &str) -> impl Iterator<Item = &Place> {
        self.mentions.get(id).into_iter().flatten()
    }

    /// Whether what shows the row is enough.
    #[must_use]
    pub fn shown(&self, row: &Row) -> bool {
        let has = |kind: EvidenceKind| self.evidence(&row.id).iter().any(|one| one.kind == kind);
        let runs = self.lacks(row).is_empty();
        let doc_only = row.doc_only() && (has(EvidenceKind::Chapter) || has(EvidenceKind::Item));
        let text = matches!(row.kind, Kind::Software | Kind::Info) && has(EvidenceKind::Chapter);
        runs || doc_only || text
    }

    /// What tests, properties, assertions and proofs do not show of the row.
    #[must_use]
    pub fn lacks(&self, row: &Row) -> Vec<String> {
        self.lacks_of(row, |_| true)
    }

    /// Whether the row is shown, but not without a proof, which no test runs.
    #[must_use]
    pub fn rests_on_a_proof(&self, row: &Row) -> bool {
        self.lacks(row).is_empty() && !self.lacks_of(row, |one| one.kind != EvidenceKind::Proof).is_empty()
    }

    /// What this part of the evidence does not show of the row.
    fn lacks_of(&self, row: &Row, part: impl Fn(&Evidence) -> bool) -> Vec<String> {
        let running = || self.evidence(&row.id).iter().filter(|one| one.kind.runs() && part(one));
        let sides: BTreeSet<Side> = running().flat_map(|one| &one.sides).copied().collect();
        let mut lacks: Vec<_> = row.need.sides.difference(&sides).map(|side| format!("the {side}")).collect();
        if row.need.lockstep && !running().any(|one| one.lockstep) {
            lacks.push("every cycle".to_owned());
        }
        if row.need.sides.is_empty() && running().next().is_none() {
            lacks.push("anything that runs".to_owned());
        }
        lacks
    }

    /// What would be enough for the row, and what is missing.
    #[must_use]
    pub fn need(&self, row: &Row) -> String {
        let need = match row.kind {
            _ if row.doc_only() => "a chapter, an item or a test",
            Kind::Software | Kind::Info => "a test or a chapter",
            _ => "tests, properties, assertions or proofs",
        };
        let later = row.later.as_ref().map(|until| format!(" (later: {until})"));
        format!("{need}; nothing shows {}{}", self.lacks(row).join(" and "), later.unwrap_or_default())
    }

    /// Rows that wait for a unit though something shows them.
    fn no_longer_later(&mut self) {
        let shown = self.rows.iter().filter(|row| row.later.is_some() && self.shown(row));
        let what = |row: &Row| format!("{} is shown already", row.id);
        let problem = |row: &Row| Problem::new(row.place(), what(row), format!("take it out of {NEEDS}"));
        let problems: Vec<_> = shown.map(problem).collect();
        self.problems.extend(problems);
    }

    /// The rows that are asked for and that nothing, or not enough, shows.
    pub fn missing(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.asked() && !self.shown(row))
    }
}

fn add(claims: &mut Claims, row: &Row, evidence: Evidence, problems: &mut Vec<Problem>) {
    let all = claims.evidence.entry(row.id.clone()).or_default();
    if let Some(same) = all.iter().find(|one| (one.kind, &one.name) == (evidence.kind, &evidence.name)) {
        let what = format!("{}: {} claims the row itself, at {}", row.id, evidence.name, same.said);
        problems.push(Problem::new(evidence.said, what, "say it once: remove the name from shown_by"));
    } else {
        all.push(evidence);
        all.sort();
    }
}

/// Families whose files or tests do not exist.
fn families_hold(sources: &Sources<'_>) -> Vec<Problem> {
    let mut problems = Vec::new();
    for family in &sources.families.families {
        for (file, place) in &family.files {
            let exists = if file.ends_with('/') {
                sources.repository.files.iter().any(|own| own.starts_with(file))
            } else {
                sources.repository.files.contains(file)
            };
            if !exists {
                let help = "name a file of the repository, or a folder with a / at its end";
                problems.push(Problem::new(place.clone(), format!("there is no {file}"), help));
            }
        }
        for (test, place) in &family.run_by {
            let found = test.split_once("::").ok_or_else(|| format!("`{test}` is not FILE::NAME"));
            if let Err(what) = found.and_then(|(file, name)| sources.tests.find(file, name)) {
                let help = "name tests that run the files of this family";
                problems.push(Problem::new(place.clone(), what, help));
            }
        }
    }
    for (name, place) in sources.families.shows.iter().flat_map(|shows| &shows.tests) {
        let exists = match name.split_once("::") {
            Some((file, test)) => sources.tests.find(file, test).is_ok(),
            None => sources.repository.files.iter().any(|file| families::names(name, file)),
        };
        if !exists {
            let help = "name a test that runs as FILE::NAME, a file, or a folder with a / at its end";
            problems.push(Problem::new(place.clone(), format!("there is no {name}"), help));
        }
    }
    problems
}

/// Identifiers of rows that do not exist, wherever they stand.
fn unknown(sources: &Sources<'_>, problems: &mut Vec<Problem>) -> Result<(), Error> {
    for extension in ["rs", "sv", "svh", "md"] {
        for file in sources.repository.with_extension(extension) {
            ids::known(file, &sources.repository.read(file)?, &sources.known, problems);
        }
    }
    Ok(())
}

type Resolved = Result<Evidence, (String, String)>;

/// Looks for what a name of `shown_by` stands for.
fn resolve(sources: &Sources<'_>, name: &Name, row: &Row) -> Result<Resolved, Error> {
    let evidence = |name: String, tests: BTreeSet<String>, kind: EvidenceKind| {
        Ok(sources.evidence(kind, name, tests, row.place()))
    };
    let whole = match name.kind {
        EvidenceKind::Chapter => format!("{}#{}", name.place, name.inside),
        EvidenceKind::Module => name.place.clone(),
        _ => format!("{}::{}", name.place, name.inside),
    };
    Ok(match name.kind {
        EvidenceKind::Test => match sources.tests.find(&name.place, &name.inside) {
            Ok(test) => evidence(test.name.clone(), BTreeSet::from([test.name.clone()]), name.kind),
            Err(what) => Err((what, "name a test that runs, or write the id above the test instead".into())),
        },
        EvidenceKind::Assertion | EvidenceKind::Proof => match sources.assertion(&name.place, &name.inside) {
            Ok((kind, tests)) => evidence(whole, tests, kind),
            Err(error) => Err(error),
        },
        EvidenceKind::Module => {
            let mut rtl = sources.verilog.iter().filter(|(file, _)| file.starts_with("rtl/"));
            if rtl.any(|(_, file)| file.modules.contains(&name.place)) {
                evidence(whole, BTreeSet::new(), name.kind)
            } else {
                Err(("no file below rtl/ has a module of that name".into(), "correct the name".into()))
            }
        }
        EvidenceKind::Item | EvidenceKind::Property => match sources.tests.files.get(&name.place) {
            Some(file) if file.items.contains(&name.inside) => evidence(whole, BTreeSet::new(), EvidenceKind::Item),
            Some(_) => {
                Err((format!("{} has no item {}", name.place, name.inside), "write the path inside the file".into()))
            }
            None => Err((format!("there is no file {}", name.place), "name a Rust file of the repository".into())),
        },
        EvidenceKind::Chapter => match chapter(sources.repository, name)? {
            Ok(()) => evidence(whole, BTreeSet::new(), name.kind),
            Err(error) => Err(error),
        },
    })
}

fn chapter(repository: &Repository, name: &Name) -> Result<Result<(), (String, String)>, Error> {
    const BOOK: &str = "docs/src/";
    if !repository.files.contains(&name.place) {
        return Ok(Err((format!("there is no file {}", name.place), "name a chapter of the repository".into())));
    }
    if let Some(file) = name.place.strip_prefix(BOOK) {
        let summary = format!("{BOOK}SUMMARY.md");
        if !chapters::linked(&repository.read(&summary)?).contains(file) {
            return Ok(Err((format!("{file} is not in the book"), format!("add it to {summary}"))));
        }
    }
    let anchors = chapters::anchors(&repository.read(&name.place)?);
    if anchors.contains(&name.inside) {
        return Ok(Ok(()));
    }
    let anchors: Vec<_> = anchors.into_iter().collect();
    Ok(Err((format!("no heading has the anchor {}", name.inside), format!("the anchors are: {}", anchors.join(", ")))))
}
