//! Rows, and what shows them.

use crate::claims::Claims;
use crate::data::{self, Kind, Row};
use crate::document::DOCUMENTS;
use crate::families::{self, FAMILIES, Family};
use crate::name::Name;
use crate::problem::{Error, Place, Problem};
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
    /// A file of properties that tests run.
    Property,
    /// A labelled assertion in SystemVerilog.
    Assertion,
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
            EvidenceKind::Item => "item",
            EvidenceKind::Module => "rtl",
            EvidenceKind::Chapter => "doc",
        }
    }

    /// Whether it runs, so that it can fail.
    #[must_use]
    pub const fn runs(self) -> bool {
        matches!(self, EvidenceKind::Test | EvidenceKind::Property | EvidenceKind::Assertion)
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
    pub families: Vec<Family>,
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
        let tests = Tests::of(repository, &mut problems)?;
        let families = match families::parse(&repository.read(FAMILIES)?) {
            Ok(families) => families,
            Err(problem) => {
                problems.push(problem);
                Vec::new()
            }
        };
        let mut verilog = BTreeMap::new();
        for file in repository.with_extension("sv").chain(repository.with_extension("svh")) {
            verilog.insert(file.clone(), verilog::parse(&repository.read(file)?));
        }
        let known = rows.iter().map(|row| row.id.clone()).collect();
        let sources = Sources { repository, known, tests, verilog, families };
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
        Ok(Trace { rows, evidence, mentions, problems, tests: sources.tests })
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
        let runs = self.evidence(&row.id).iter().any(|one| one.kind.runs());
        let doc_only = row.doc_only() && (has(EvidenceKind::Chapter) || has(EvidenceKind::Item));
        let text = matches!(row.kind, Kind::Software | Kind::Info) && has(EvidenceKind::Chapter);
        runs || doc_only || text
    }

    /// What would be enough for the row.
    #[must_use]
    pub fn need(row: &Row) -> &'static str {
        match row.kind {
            _ if row.doc_only() => "a chapter, an item or a test",
            Kind::Software | Kind::Info => "a test or a chapter",
            _ => "a test, a property or an assertion",
        }
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
    for family in &sources.families {
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
        Ok(Evidence { kind, name, tests, said: row.place() })
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
        EvidenceKind::Assertion => match sources.assertion(&name.place, &name.inside) {
            Ok(tests) => evidence(whole, tests, name.kind),
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
