//! Groups of failure capsules: many capsules of one bug become one line.
//!
//! [`examine`] replays a capsule, shrinks it, and diagnoses the result. Capsules that then fail in the same kind of way, in the same
//! stage and the same field are one group of [`Triage`]. The number of an array's element is not part of a field's name here: the
//! counters of two events are the same field.

mod batch;
mod examine;
mod files;
mod groups;
mod key;
mod text;

pub use batch::{Batch, bar};
pub use examine::{Failing, TriageError, examine};
pub use files::{ListError, Listed, list};
pub use groups::{Group, Outcome, Refused, SCHEMA, Triage};
pub use key::Key;
