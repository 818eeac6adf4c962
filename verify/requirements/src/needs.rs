//! What would be enough for a row: a rule on its kind and its column `check`, and `verify/requirements/needs.toml`, the reviewed
//! list of rows for which the rule is wrong or whose unit does not exist.

use crate::data::{Kind, Row};
use crate::families::Side;
use crate::layers::line_of;
use crate::problem::{Place, Problem};
use serde::Deserialize;
use std::collections::BTreeSet;
use toml::Spanned;

pub(crate) const NEEDS: &str = "verify/requirements/needs.toml";

/// What has to show a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Need {
    /// The sides that tests, properties, assertions and proofs have to show together.
    pub sides: BTreeSet<Side>,
    /// Whether one of them has to run in lockstep, or be a property, an assertion or a proof.
    pub lockstep: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[serde(default)]
    needs: Vec<NeedsEntry>,
    #[serde(default)]
    later: Vec<LaterEntry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NeedsEntry {
    rows: Vec<Spanned<String>>,
    sides: BTreeSet<Side>,
    reason: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LaterEntry {
    rows: Vec<Spanned<String>>,
    until: String,
}

/// Checks that software can fail by itself: what a type or a rule of `lwp-regs` is or does.
const OF_TYPES: [&str; 3] = ["register unit test", "unit test", "compile-time assert"];
/// Checks that look at every cycle.
const OF_CYCLES: [&str; 3] = ["lockstep", "SVA", "formal"];

impl Need {
    fn of(row: &Row) -> Need {
        let hardware = Need { sides: BTreeSet::from([Side::Model, Side::Rtl]), lockstep: false };
        match row.kind {
            Kind::Behaviour => hardware,
            Kind::Must | Kind::Option if !row.doc_only() => {
                let parts = || row.check.split(';').map(str::trim);
                let lockstep = parts().any(|part| OF_CYCLES.iter().any(|word| part.starts_with(word)));
                let of_types = parts().all(|part| OF_TYPES.iter().any(|word| part.starts_with(word)));
                if of_types { Need::default() } else { Need { lockstep, ..hardware } }
            }
            _ => Need::default(),
        }
    }
}

/// Writes into each row what it needs.
pub(crate) fn apply(text: Option<&str>, rows: &mut [Row], problems: &mut Vec<Problem>) {
    rows.iter_mut().for_each(|row| row.need = Need::of(row));
    let Some(text) = text else { return };
    let table: Table = match toml::from_str(text) {
        Ok(table) => table,
        Err(error) => {
            let place = Place::new(NEEDS, error.span().map_or(1, |span| line_of(text, span.start)));
            let help =
                "the file holds [[needs]] with `rows`, `sides` and `reason`, and [[later]] with `rows` and `until`";
            problems.push(Problem::new(place, error.message().trim().to_owned(), help));
            return;
        }
    };
    let mut seen = BTreeSet::new();
    let mut each = |ids: &[Spanned<String>], change: &dyn Fn(&mut Row) -> Option<&'static str>| {
        for id in ids {
            let place = Place::new(NEEDS, line_of(text, id.span().start));
            let id = id.get_ref();
            let wrong = match rows.iter_mut().find(|row| row.id == *id) {
                None => Some("there is no such row"),
                Some(_) if !seen.insert(id.clone()) => Some("the row stands here twice"),
                Some(row) => change(row),
            };
            if let Some(what) = wrong {
                problems.push(Problem::new(place, format!("{id}: {what}"), "correct the list, or remove the row"));
            }
        }
    };
    for entry in &table.needs {
        each(&entry.rows, &|row| {
            let same = row.need.sides == entry.sides;
            row.need.sides.clone_from(&entry.sides);
            row.need.lockstep &= entry.sides.len() == 2;
            if entry.reason.trim().is_empty() {
                return Some("no reason is given");
            }
            same.then_some("the rule says the same")
        });
    }
    for entry in &table.later {
        each(&entry.rows, &|row| {
            row.later = Some(entry.until.clone());
            row.need.sides = BTreeSet::from([Side::Model, Side::Rtl]);
            None
        });
    }
}
