//! Functional coverage: the situations that runs meet, counted in every cycle.
//!
//! The contract is the chapter "Coverage" of the book. A *bin* is one situation; a *cross* ([`Cross`]) is a table of bins, one for
//! each combination of values of its axes; a [`Counter`] of a unit plays cases and counts. The crosses are the unit's own.

mod axis;
mod bins;
mod campaign;
pub mod expected;
mod layout;
mod plain;
pub mod report;
pub mod rtl;
pub mod toggles;
mod totals;
mod unreachable;

pub use axis::Axis;
pub(crate) use axis::axis;
pub use bins::Bins;
pub use campaign::{Campaign, Counter, Failure, Played, Sighting};
pub use layout::{Bin, Cross, Declared, Layout, MAX_AXES};
pub use plain::{PlainCases, PlainCounter};
pub use rtl::RtlList;
pub use totals::{MergeError, Totals};
pub use unreachable::{Claims, Unreachable};
