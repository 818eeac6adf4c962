//! A failure report that argues: which stage, which field, what led there, what it touches, where to look.
//!
//! [`Evidence`] is the failure, wherever it comes from: straps, and rows of the flat image around the failing cycle.
//! [`Analysis`] argues, and is at once the text ([`Analysis::coloured_text`]) and the JSON (it serialises). [`page`] draws it for
//! a browser, [`wave_file`] for a wave viewer, [`gtkwave_view`] and [`surfer_view`] open that at the right place.

mod analysis;
mod changes;
mod collect;
mod evidence;
mod fst;
mod guilt;
mod html;
mod of_capsule;
mod requirement;
mod text;
mod views;
mod watch;

pub use analysis::{Analysis, CycleReport, FieldReport, SCHEMA, StageReport, Value};
pub use collect::rows_around;
pub use evidence::{Cause, Evidence, EvidenceError, EvidenceRow};
pub use fst::{TIME_PER_CYCLE, wave_file};
pub use html::page;
pub use requirement::{Area, Requirement};
pub use views::{gtkwave_view, surfer_view};

#[cfg(test)]
mod tests;
