//! Failure capsules: one file that holds a failure whole.
//!
//! A [`Capsule`] says which build of which unit failed, with which straps, how, and where the failure came from; and it holds
//! the inputs of every cycle from reset on. Nothing else is needed to see the failure again: no trace, no session, no seed.
//!
//! [`replay()`] plays it in both builds of the RTL beside the model, and returns what failed with the rows around it.
//! [`shrink()`] looks for a smaller one that fails in the same way. [`Capsule::producer`] is the capsule as the producer of a
//! lockstep run, for waves ([`replay_with_waves`](crate::lockstep::replay_with_waves)).
//!
//! Nothing here knows a unit by name: what is particular to one is a [`Unit`].
//!
//! ```no_run
//! use sim_harness::capsule::{Capsule, replay};
//! use sim_harness::lockstep::Window;
//! use std::path::Path;
//!
//! let capsule = Capsule::load(Path::new("failure.capsule"))?;
//! let replayed = replay(&capsule, Window { before: 20, after: 5 })?;
//! if let Some(found) = &replayed.found {
//!     println!("cycle {}: {}", found.cycle, found.way);
//!     for row in &replayed.rows {
//!         println!("{} {}", row.cycle, if row.model == row.rtl { "agree" } else { "differ" });
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod file;
mod header;
mod input_field;
mod pass;
mod provenance;
mod record;
mod replay;
mod row_model;
mod rows;
mod shrink;
mod target;
mod unit;

pub use error::{CapsuleError, ReplayError};
pub use file::Capsule;
pub use header::{Failure, Header, Origin, Protocol, Shrunk, Way};
pub use input_field::{InputField, InputShape, Neutral};
pub use provenance::origin;
pub use record::AFTER;
pub use replay::{Found, Replayed, WindowRow, replay, replay_on};
pub use row_model::{AnyInputs, RowModel, Surroundings};
pub use rows::{RowReader, RowWriter};
pub use shrink::{Judge, ShrinkError, ShrinkOptions, Shrinking, Verdict, shrink, shrink_on};
pub use target::{Subject, Target};
pub use unit::{Drive, MakeModel, Model, Played, Unit};
pub(crate) use unit::{capsule_unit, changed_straps, default_straps, model};
