//! The requirements as data, and the check that each of them is shown by something that exists.
//!
//! [`Trace::of`] reads the rows of the [`DOCUMENTS`], the claims in sources and assertions, and the tests that cargo
//! would run, and joins them. What does not fit is a [`Problem`], a row that nothing shows is [`Trace::missing`].
//! [`matrix::page`] adds the results of a test run.

mod chapters;
mod claims;
mod data;
pub mod document;
mod families;
mod ids;
mod layers;
pub mod matrix;
mod name;
mod needs;
mod problem;
mod proofs;
pub mod report;
mod repository;
mod results;
mod rust;
mod tests_found;
mod trace;
mod verilog;

pub use data::{Kind, Row, rows};
pub use document::{DOCUMENTS, Document};
pub use families::Side;
pub use needs::Need;
pub use problem::{Error, Place, Problem};
pub use repository::Repository;
pub use results::{Outcome, Results, State};
pub use trace::{Evidence, EvidenceKind, Trace};
