//! `verify/requirements/families.toml`: files of properties and assertions with the tests that run them, and which side of the
//! unit each test shows.

use crate::layers::line_of;
use crate::problem::{Place, Problem};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fmt;
use toml::Spanned;

pub(crate) const FAMILIES: &str = "verify/requirements/families.toml";

/// What a test sees of the unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The types and rules that software uses.
    Regs,
    /// The model of the hardware.
    Model,
    /// The RTL.
    Rtl,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Side::Regs => "regs",
            Side::Model => "model",
            Side::Rtl => "RTL",
        })
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[serde(default)]
    family: Vec<Entry>,
    #[serde(default)]
    shows: Vec<ShowsEntry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    files: Vec<Spanned<String>>,
    run_by: Vec<Spanned<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ShowsEntry {
    tests: Vec<Spanned<String>>,
    sides: BTreeSet<Side>,
    #[serde(default)]
    lockstep: bool,
}

/// Files whose claims several tests keep.
#[derive(Debug)]
pub(crate) struct Family {
    /// Files, or folders if they end in `/`.
    pub files: Vec<(String, Place)>,
    /// Tests by their file and name.
    pub run_by: Vec<(String, Place)>,
}

/// What tests show.
#[derive(Debug)]
pub(crate) struct Shows {
    /// Folders with a `/` at the end, files through which a program reaches a test, or tests as `FILE::NAME`.
    pub tests: Vec<(String, Place)>,
    pub sides: BTreeSet<Side>,
    /// Whether model and RTL are compared in every cycle.
    pub lockstep: bool,
}

/// The whole file.
#[derive(Debug, Default)]
pub(crate) struct Families {
    pub families: Vec<Family>,
    pub shows: Vec<Shows>,
}

pub(crate) fn names(own: &str, file: &str) -> bool {
    if own.ends_with('/') { file.starts_with(own) } else { file == own }
}

impl Family {
    pub(crate) fn holds(&self, file: &str) -> bool {
        self.files.iter().any(|(own, _)| names(own, file))
    }
}

pub(crate) fn parse(text: &str) -> Result<Families, Problem> {
    let table: Table = toml::from_str(text).map_err(|error| {
        let place = Place::new(FAMILIES, error.span().map_or(1, |span| line_of(text, span.start)));
        let help =
            "the file holds [[family]] with `files` and `run_by`, and [[shows]] with `tests`, `sides`, `lockstep`";
        Problem::new(place, error.message().trim().to_owned(), help)
    })?;
    let placed = |texts: Vec<Spanned<String>>| -> Vec<(String, Place)> {
        let place = |one: &Spanned<String>| Place::new(FAMILIES, line_of(text, one.span().start));
        texts.into_iter().map(|one| (place(&one), one.into_inner())).map(|(place, one)| (one, place)).collect()
    };
    let family = |entry: Entry| Family { files: placed(entry.files), run_by: placed(entry.run_by) };
    let shows = |entry: ShowsEntry| Shows { tests: placed(entry.tests), sides: entry.sides, lockstep: entry.lockstep };
    Ok(Families {
        families: table.family.into_iter().map(family).collect(),
        shows: table.shows.into_iter().map(shows).collect(),
    })
}
