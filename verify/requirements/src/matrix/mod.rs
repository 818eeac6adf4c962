//! The page of the book that shows every row with its state in the last test run.

mod html;

use crate::data::{Kind, Row};
use crate::document::{DOCUMENTS, Document};
use crate::repository::Repository;
use crate::results::{Outcome, Results, State};
use crate::trace::{Evidence, EvidenceKind, Trace};
use html::{escape, link};
use std::fmt::Write as _;

/// The numbers of rows by state: one line.
#[must_use]
pub fn totals(trace: &Trace, results: &Results) -> String {
    let states: Vec<_> = trace.rows.iter().map(|row| results.of_row(trace, row)).collect();
    let count = |state: State| states.iter().filter(|&&own| own == state).count();
    State::ALL.map(|state| format!("{} {}", count(state), state.word())).join(", ")
}

/// The page, in Markdown.
#[must_use]
pub fn page(repository: &Repository, trace: &Trace, results: &Results) -> String {
    let rows: Vec<Entry<'_>> = trace.rows.iter().map(|row| Entry { row, state: results.of_row(trace, row) }).collect();
    let mut text = String::from("# Requirements matrix\n\n");
    text.push_str(&origin(repository, trace, results));
    for document in DOCUMENTS {
        text.push_str(&cards(document, &rows));
    }
    text.push_str(LEGEND);
    text.push_str(&map(&rows));
    for area in areas(&rows) {
        let _ = write!(text, "\n## {area}\n\n<table class=\"matrix\">\n");
        text.push_str(
            "<thead><tr><th>row</th><th>kind</th><th>statement, and what shows it</th><th>state</th></tr></thead>\n",
        );
        for entry in rows.iter().filter(|entry| entry.row.area == area) {
            text.push_str(&line(trace, results, entry));
        }
        text.push_str("</table>\n");
    }
    text
}

struct Entry<'a> {
    row: &'a Row,
    state: State,
}

const LEGEND: &str = "\
<p class=\"matrix-legend\"><span class=\"state-green\">green</span> every test that shows the row passed \
<span class=\"state-red\">red</span> one of them failed \
<span class=\"state-not-run\">not run</span> one of them has no result \
<span class=\"state-text\">text</span> a chapter or the shape of an item keeps it; nothing to run \
<span class=\"state-open\">open</span> not enough shows it \
<span class=\"state-later\">later</span> waits for a unit that does not exist</p>\n\n";

/// Where the states come from; how they may be wrong.
fn origin(repository: &Repository, trace: &Trace, results: &Results) -> String {
    let mut text = String::from("How rows and tests are tied together: [Requirements](requirements.md). ");
    if results.began.is_empty() {
        text.push_str(
            "**No results were given, so no test counts as run.** `make test` makes them, with cargo-nextest.\n\n",
        );
        return text;
    }
    let _ = write!(text, "States are those of the test run of {}.\n\n", results.began.join(" and "));
    let sources = ["rs", "sv", "svh"].iter().flat_map(|extension| repository.with_extension(extension));
    let changed = sources.filter(|file| results.older_than(&repository.path(file))).count();
    if changed > 0 {
        let _ = write!(text, "> **{changed} source files have changed since that run.**\n\n");
    }
    if !trace.problems.is_empty() {
        let number = trace.problems.len();
        let _ = write!(text, "> **{number} names or claims are broken:** `cargo run -p requirements -- check`.\n\n");
    }
    text
}

/// One card for all rows of a document that are asked for and one for each kind.
fn cards(document: &'static Document, rows: &[Entry<'_>]) -> String {
    let mut text = format!("<h3>{}</h3>\n<div class=\"matrix-cards\">\n", escape(document.title));
    for kind in [None].into_iter().chain(document.kinds.iter().copied().map(Some)) {
        let counted = |row: &Row| kind.map_or(row.asked(), |kind| row.kind == kind);
        let own: Vec<_> = rows.iter().filter(|entry| entry.row.document == document && counted(entry.row)).collect();
        let counts = State::ALL.map(|state| (state, own.iter().filter(|entry| entry.state == state).count()));
        let open = |state: &State| matches!(state, State::Open | State::Later);
        let shown = own.iter().filter(|entry| !open(&entry.state)).count();
        let title = kind.map_or("all that is asked for", Kind::word);
        let _ = write!(
            text,
            "<div><b>{title}</b><span class=\"number\">{shown} / {}</span><span class=\"bar\">",
            own.len()
        );
        for (state, count) in counts.iter().filter(|(_, count)| *count > 0) {
            let _ = write!(text, "<i class=\"{}\" style=\"flex:{count}\"></i>", class(*state));
        }
        let words: Vec<_> = counts
            .iter()
            .filter(|(_, count)| *count > 0)
            .map(|(state, count)| format!("{count} {}", state.word()))
            .collect();
        let _ = writeln!(text, "</span><small>{}</small></div>", words.join(", "));
    }
    text.push_str("</div>\n\n");
    text
}

/// All rows at once: one square each.
fn map(rows: &[Entry<'_>]) -> String {
    let mut text = String::from("<div class=\"matrix-map\">\n");
    for area in areas(rows) {
        let _ = write!(text, "<a href=\"#{}\">{area}</a><span>", area.to_lowercase());
        for Entry { row, state } in rows.iter().filter(|entry| entry.row.area == area) {
            let title = format!("{}, {}, {}: {}", row.id, row.kind, state.word(), row.statement);
            let id = row.id.to_lowercase();
            let _ = write!(text, "<a class=\"{}\" href=\"#{id}\" title=\"{}\"></a>", class(*state), escape(&title));
        }
        text.push_str("</span>\n");
    }
    text.push_str("</div>\n");
    text
}

fn line(trace: &Trace, results: &Results, entry: &Entry<'_>) -> String {
    let row = entry.row;
    let mut names = String::new();
    for evidence in trace.evidence(&row.id) {
        let _ = write!(names, "<br>{}", name(trace, results, evidence));
    }
    if matches!(entry.state, State::Open | State::Later) {
        let _ = write!(names, "<br>needs {}", escape(&trace.need(row)));
    }
    format!(
        "<tr id=\"{}\"><td>{}</td><td>{}</td><td>{}<small>{names}</small></td><td class=\"{}\">{}</td></tr>\n",
        row.id.to_lowercase(),
        row.id,
        row.kind,
        escape(&row.statement),
        class(entry.state),
        entry.state.word()
    )
}

fn name(trace: &Trace, results: &Results, evidence: &Evidence) -> String {
    let text = format!("{} {}", evidence.kind.word(), code(&evidence.name));
    match evidence.kind {
        EvidenceKind::Chapter => format!("doc {}", link(&evidence.name)),
        EvidenceKind::Item | EvidenceKind::Module => text,
        EvidenceKind::Proof => format!("{text}, proved by <code>make formal</code>"),
        EvidenceKind::Test => format!("{text} {}", outcome(results.of_test(trace, &evidence.name))),
        EvidenceKind::Property | EvidenceKind::Assertion => {
            let run = |test: &String| format!("{} {}", code(test), outcome(results.of_test(trace, test)));
            format!("{text}, run by {}", evidence.tests.iter().map(run).collect::<Vec<_>>().join(", "))
        }
    }
}

fn code(text: &str) -> String {
    format!("<code>{}</code>", escape(text))
}

const fn outcome(outcome: Option<Outcome>) -> &'static str {
    match outcome {
        Some(Outcome::Passed) => "<b class=\"passed\">passed</b>",
        Some(Outcome::Failed) => "<b class=\"failed\">failed</b>",
        None => "<b>not run</b>",
    }
}

const fn class(state: State) -> &'static str {
    match state {
        State::Green => "state-green",
        State::Red => "state-red",
        State::NotRun => "state-not-run",
        State::Text => "state-text",
        State::Open => "state-open",
        State::Later => "state-later",
    }
}

/// In the order of the rows.
fn areas<'a>(rows: &[Entry<'a>]) -> Vec<&'a str> {
    let mut areas: Vec<&str> = Vec::new();
    for entry in rows {
        if !areas.contains(&entry.row.area.as_str()) {
            areas.push(&entry.row.area);
        }
    }
    areas
}
