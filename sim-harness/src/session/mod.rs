//! Session files: what all units' sessions have in common. TOML.
//!
//! A unit gives the tables as `serde` types, and what follows from them; the values of this module know their limits, and errors
//! point at the line, with what was probably meant.

mod choice;
mod error;
mod flag;
mod number;
mod suggestion;

pub(crate) use choice::{Choice, choose, chosen};
pub use error::{InvalidSession, SessionError};
pub(crate) use flag::Flag;
pub(crate) use number::{Number, Number32, Number64};

use serde::de::DeserializeOwned;
use std::fs;
use std::ops::Range;
use std::path::Path;

/// Something that is wrong with a value, and where it is if known.
pub(crate) type Complaint = (String, Option<Range<usize>>);

/// Reads a session file; `parse` takes its name and its text.
pub(crate) fn load<T>(
    path: &Path,
    parse: impl FnOnce(&str, &str) -> Result<T, SessionError>,
) -> Result<T, SessionError> {
    let text = fs::read(path).map_err(|source| SessionError::unreadable(path, source))?;
    let text = String::from_utf8(text).map_err(|error| SessionError::not_text(path, &error))?;
    parse(&path.display().to_string(), &text)
}

/// Reads the tables of a session from its text; `name` is what complaints call it.
pub(crate) fn tables<T: DeserializeOwned>(name: &str, text: &str) -> Result<T, SessionError> {
    toml::from_str(text).map_err(|error| SessionError::invalid(name, text, (error.message().to_owned(), error.span())))
}
