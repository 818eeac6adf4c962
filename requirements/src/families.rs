//! `requirements/families.toml`: files of properties and assertions, and the tests that run them.

use crate::layers::line_of;
use crate::problem::{Place, Problem};
use serde::Deserialize;
use toml::Spanned;

pub(crate) const FAMILIES: &str = "requirements/families.toml";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[serde(default)]
    family: Vec<Entry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    files: Vec<Spanned<String>>,
    run_by: Vec<Spanned<String>>,
}

/// Files whose claims several tests keep.
#[derive(Debug)]
pub(crate) struct Family {
    /// Files, or folders if they end in `/`.
    pub files: Vec<(String, Place)>,
    /// Tests by their file and name.
    pub run_by: Vec<(String, Place)>,
}

impl Family {
    pub(crate) fn holds(&self, file: &str) -> bool {
        self.files.iter().any(|(own, _)| if own.ends_with('/') { file.starts_with(own) } else { file == own })
    }
}

pub(crate) fn parse(text: &str) -> Result<Vec<Family>, Problem> {
    let table: Table = toml::from_str(text).map_err(|error| {
        let place = Place::new(FAMILIES, error.span().map_or(1, |span| line_of(text, span.start)));
        let help = "the file is a list of [[family]] with `files` and `run_by`, two lists of texts";
        Problem::new(place, error.message().trim().to_owned(), help)
    })?;
    let placed = |texts: Vec<Spanned<String>>| -> Vec<(String, Place)> {
        let place = |one: &Spanned<String>| Place::new(FAMILIES, line_of(text, one.span().start));
        texts.into_iter().map(|one| (place(&one), one.into_inner())).map(|(place, one)| (one, place)).collect()
    };
    let families = table.family.into_iter();
    Ok(families.map(|entry| Family { files: placed(entry.files), run_by: placed(entry.run_by) }).collect())
}
