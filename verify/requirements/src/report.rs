//! What the program prints.

use crate::data::{Kind, Row};
use crate::document::{DOCUMENTS, Document};
use crate::problem::Error;
use crate::trace::{Evidence, Trace};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Width of statements.
const WIDTH: usize = 116;

/// Rows that are shown, of all, by kind: one line for each document. What is not asked for yet stands apart.
#[must_use]
pub fn summary(trace: &Trace) -> String {
    let line = |document: &&'static Document| {
        let count = |fits: &dyn Fn(&Row) -> bool| {
            let rows = || trace.rows.iter().filter(|row| row.document == *document && fits(row));
            format!("{} / {}", rows().filter(|row| trace.shown(row)).count(), rows().count())
        };
        let of = |asked: bool| {
            let has = |kind: &Kind| {
                trace.rows.iter().any(|row| row.document == *document && row.kind == *kind && row.asked() == asked)
            };
            let counted = |kind: &Kind| count(&|row| row.kind == *kind && row.asked() == asked);
            let kinds = document.kinds.iter().filter(|kind| has(kind));
            kinds.map(|kind| format!("{kind} {}", counted(kind))).collect::<Vec<_>>().join(", ")
        };
        let later = of(false);
        let later = if later.is_empty() { later } else { format!("; not asked for yet: {later}") };
        let (title, all) = (document.title, count(&Row::asked));
        format!("{title}: rows demonstrated: {all} ({}{later})", of(true))
    };
    DOCUMENTS.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Every row: whether it is shown, and what shows it.
#[must_use]
pub fn list(trace: &Trace) -> String {
    let mut text = String::new();
    for row in &trace.rows {
        let names: Vec<_> = trace.evidence(&row.id).iter().map(full_name).collect();
        let names = if names.is_empty() { "-".to_owned() } else { names.join(" ") };
        let state = match (trace.shown(row), row.asked()) {
            (true, _) => "shown",
            (false, true) => "missing",
            (false, false) => "later",
        };
        let _ = writeln!(text, "{:<12} {:<9} {state:<7} {names}", row.id, row.kind);
    }
    text
}

/// Everything about one row.
///
/// # Errors
/// If there is none.
pub fn row(trace: &Trace, id: &str) -> Result<String, Error> {
    let wanted = id.to_ascii_uppercase();
    let row = trace.rows.iter().find(|row| row.id == wanted).ok_or(Error::NoRow(wanted))?;
    let mut text = format!("{}  {}, section {}\n", row.id, row.kind, row.section);
    let _ = writeln!(text, "{}\n\ncheck:\n{}", indented(&row.statement, 2), indented(&row.check, 2));
    if trace.shown(row) {
        text.push_str("\nshown by:\n");
    } else {
        let _ = writeln!(text, "\nmissing: {}", trace.need(row));
    }
    for evidence in trace.evidence(&row.id) {
        let _ = writeln!(text, "  {}  (said in {})", full_name(evidence), evidence.said);
        if !evidence.tests.contains(&evidence.name) {
            for test in &evidence.tests {
                let _ = writeln!(text, "      run by {test}");
            }
        }
    }
    mentions(&mut text, trace, row);
    Ok(text)
}

/// The rows that nothing, or not enough, shows, by area, and a table of their numbers.
#[must_use]
pub fn missing(trace: &Trace) -> String {
    let mut areas: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in trace.missing() {
        areas.entry(&row.area).or_default().push(row);
    }
    let mut text = String::new();
    for (area, rows) in &areas {
        let _ = writeln!(text, "== {area}: {} missing\n", rows.len());
        for row in rows {
            let _ = writeln!(text, "{}  {}: needs {}", row.id, row.kind, trace.need(row));
            let _ =
                writeln!(text, "{}\n    check: {}", indented(&row.statement, 4), indented(&row.check, 11).trim_start());
            mentions(&mut text, trace, row);
            text.push('\n');
        }
    }
    if !areas.is_empty() {
        let _ = writeln!(text, "{}", table(trace, &areas));
    }
    let _ = writeln!(text, "{}", summary(trace));
    text
}

/// For each area how many rows of each kind are missing.
fn table(trace: &Trace, areas: &BTreeMap<&str, Vec<&Row>>) -> String {
    let mut text = format!("{:<8}{:>8}{:>8}  {}\n", "area", "missing", "rows", "missing by kind");
    for (area, rows) in areas {
        let mut kinds: BTreeMap<Kind, usize> = BTreeMap::new();
        rows.iter().for_each(|row| *kinds.entry(row.kind).or_default() += 1);
        let kinds: Vec<_> = kinds.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
        let all = trace.rows.iter().filter(|row| row.area == *area).count();
        let _ = writeln!(text, "{area:<8}{:>8}{all:>8}  {}", rows.len(), kinds.join(", "));
    }
    text
}

fn mentions(text: &mut String, trace: &Trace, row: &Row) {
    let mut places = trace.mentions(&row.id).peekable();
    if places.peek().is_some() {
        let places: Vec<_> = places.map(ToString::to_string).collect();
        let _ = writeln!(text, "    named, but not as a claim, in {}", places.join(", "));
    }
}

fn full_name(evidence: &Evidence) -> String {
    format!("{}:{}", evidence.kind.word(), evidence.name)
}

/// Lines of at most [`WIDTH`].
fn indented(text: &str, indent: usize) -> String {
    let mut lines = vec![" ".repeat(indent)];
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.len() + word.len() < WIDTH => {
                if line.len() > indent {
                    line.push(' ');
                }
                line.push_str(word);
            }
            _ => lines.push(format!("{}{word}", " ".repeat(indent))),
        }
    }
    lines.join("\n")
}
