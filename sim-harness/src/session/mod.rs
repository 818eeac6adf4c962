//! Session files in TOML: the parts that all units share.
//!
//! A unit provides the tables as `serde` types. The values of this module check their limits. Errors name the line, and suggest what
//! was probably meant.

mod choice;
mod distance;
mod error;
mod flag;
mod number;
mod register;
mod straps;
mod suggestion;

pub(crate) use choice::{Choice, choose};
pub(crate) use distance::{Distance, when};
pub use error::{InvalidSession, SessionError, SessionText};
pub(crate) use flag::Flag;
pub(crate) use number::{Number, Number32, Number64};
pub(crate) use register::{register_name, register_number};
pub(crate) use straps::{Straps, StrapsTable, straps};
pub(crate) use suggestion::nearest;

use serde::de::DeserializeOwned;
use std::fs;
use std::ops::Range;
use std::path::Path;

/// Error of a value, with its place if it is known.
pub(crate) type Complaint = (String, Option<Range<usize>>);

/// Reads a session file. `parse` takes its name and its text.
pub(crate) fn load<T>(
    path: &Path,
    parse: impl FnOnce(&str, &str) -> Result<T, SessionError>,
) -> Result<T, SessionError> {
    let text = fs::read(path).map_err(|source| SessionError::unreadable(path, source))?;
    let text = String::from_utf8(text).map_err(|error| SessionError::not_text(path, &error))?;
    parse(&path.display().to_string(), &text)
}

/// Reads the tables of a session file from its text. Errors call the file `name`.
pub(crate) fn tables<T: DeserializeOwned>(name: &str, text: &str) -> Result<T, SessionError> {
    toml::from_str(text).map_err(|error| SessionError::invalid(name, text, (error.message().to_owned(), error.span())))
}
