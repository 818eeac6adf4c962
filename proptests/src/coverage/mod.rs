//! Functional coverage: which situations the runs have met, counted from the model's registers in every cycle.
//!
//! The contract is the chapter "Coverage" of the book. A *bin* is one situation; a *cross* ([`Cover`]) is a table of bins, one for
//! each combination of values of its axes; a [`Sampler`] looks at the cycles of a run and counts.

mod axis;
mod campaign;
mod cover;
mod families;
mod layout;
mod moment;
pub mod report;
pub mod rtl;
mod sampler;
pub mod toggles;
mod totals;
mod unreachable;

pub use axis::Axis;
pub use campaign::{Campaign, Failure};
pub use cover::Cover;
pub use layout::{Bin, Cross, Layout};
pub use moment::{Access, Ending, OpEnding, Operation, RecordEnd, RingState, SessionKind};
pub use sampler::Sampler;
pub use totals::{MergeError, Totals};
pub use unreachable::{Claims, Unreachable};
