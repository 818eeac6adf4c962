//! The session file of the debug unit: its straps, the breakpoints, and whether the program is stepped. TOML.
//!
//! ```toml
//! single_step = "branches"      # instructions, branches; without it the program is not stepped
//! step_from = "main"            # the first instruction that is stepped: a symbol, or an address
//! step_to = "0x401180"          # the first one behind it that is not
//!
//! [straps]                      # by the names of the contract
//! string_group = 3
//!
//! [[breakpoint]]
//! register = 0                  # DR0 to DR3
//! symbol = "counter"            # or address = "0x404028"
//! kind = "write"                # execute, write, access, io
//! length = 8                    # bytes: 1, 2, 4, 8
//! ```
//!
//! Symbols are those of a captured program.

mod breakpoint;

pub use crate::session::SessionError;

use super::environment::{Place, Setup, Steps, Symbol, Watch};
use crate::session::{self, Choice, Complaint, SessionText, StrapsTable, choose};
use lwp_model::debug::{Config, DebugUnit};
use serde::Deserialize;
use std::path::Path;
use toml::Spanned;

/// A session: everything of a run but its trace and how fast that retires.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// What the hardware implements, and how.
    pub straps: Config,
    /// The breakpoints.
    pub watches: Vec<Watch>,
    /// Whether the program is stepped.
    pub steps: Option<Steps>,
    /// The text of its file, for errors that show when the trace is read.
    pub text: Option<SessionText>,
}

/// The tables of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    single_step: Option<Spanned<Choice>>,
    step_from: Option<Spanned<Choice>>,
    step_to: Option<Spanned<Choice>>,
    straps: Option<Spanned<StrapsTable>>,
    #[serde(default)]
    breakpoint: Vec<Spanned<breakpoint::BreakpointTable>>,
}

impl Default for Session {
    /// Taken branches are stepped.
    fn default() -> Self {
        let steps = Steps { branches: true, from: None, to: None };
        Self { straps: Config::default(), watches: Vec::new(), steps: Some(steps), text: None }
    }
}

impl Session {
    /// Reads a session file.
    ///
    /// # Errors
    /// [`SessionError`] if the file cannot be read, is no TOML, has an unknown key, or has a value that makes no sense.
    pub fn load(path: &Path) -> Result<Self, SessionError> {
        session::load(path, Self::parse)
    }

    /// Reads a session from text; `name` is what complaints call it.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn parse(name: &str, text: &str) -> Result<Self, SessionError> {
        let file: File = session::tables(name, text)?;
        let session = Self::read(file).map_err(|complaint| SessionError::invalid(name, text, complaint))?;
        Ok(Self { text: Some(SessionText { name: name.to_owned(), text: text.to_owned() }), ..session })
    }

    fn read(file: File) -> Result<Self, Complaint> {
        let straps = session::straps::<DebugUnit<1, 1>>(file.straps)?;
        let watches = breakpoint::breakpoints(file.breakpoint, &straps)?;
        let steps = steps(file.single_step, file.step_from, file.step_to)?;
        Ok(Self { straps, watches, steps, text: None })
    }

    /// The environment's part of the session: groups of up to `lanes` instructions, `spacing` cycles apart.
    #[must_use]
    pub fn setup(&self, lanes: usize, spacing: u64) -> Setup {
        let Self { watches, steps, text, .. } = self.clone();
        Setup { lanes, spacing, watches, steps, text }
    }
}

fn steps(
    kind: Option<Spanned<Choice>>,
    from: Option<Spanned<Choice>>,
    to: Option<Spanned<Choice>>,
) -> Result<Option<Steps>, Complaint> {
    if kind.is_none() {
        return match from.or(to) {
            None => Ok(None),
            Some(given) => Err(("the program is not stepped: `single_step` is missing".to_owned(), Some(given.span()))),
        };
    }
    let branches = choose(kind, false, &[false, true], |branches| if branches { "branches" } else { "instructions" })?;
    let (from, to) = (from.map(place).transpose()?, to.map(place).transpose()?);
    Ok(Some(Steps { branches, from, to }))
}

/// A number is an address, anything else a symbol.
fn place(given: Spanned<Choice>) -> Result<Place, Complaint> {
    let text = given.get_ref().text();
    let hexadecimal = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let Some(digits) = hexadecimal else {
        let symbol = || Place::Symbol(Symbol { name: text.to_owned(), at: Some(given.span()) });
        return Ok(text.parse().map_or_else(|_| symbol(), Place::Address));
    };
    let address = u64::from_str_radix(&digits.replace('_', ""), 16);
    address.map(Place::Address).map_err(|_| (format!("`{text}` is no address of 64 bits"), Some(given.span())))
}

#[cfg(test)]
mod tests;
