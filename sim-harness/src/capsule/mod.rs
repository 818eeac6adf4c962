//! Failure capsules: files that reproduce a failure from reset, or from a state of the run shortly before it.
//!
//! A [`Capsule`] contains the unit and its build, the straps, the failure, the run in which it was found, and the inputs of every
//! cycle from reset on. It reproduces the failure without a trace, a session file or a seed.
//!
//! [`replay()`] runs it in both flavours of the RTL and in the model, and returns the failure with the rows around it.
//! [`shrink()`] searches for a smaller capsule that fails in the same way. [`Capsule::producer`] returns the capsule as the producer
//! of a lockstep run, and [`waves()`] writes every signal of the RTL around its failure.
//!
//! This module knows no unit by name: a [`Unit`] provides what differs between units.
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

mod checkpoint;
mod error;
mod file;
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
mod waves;

pub use capsule_file::{Checkpoint, Failure, Header, Origin, Protocol, Shrunk, Start, Way};
pub use error::{CapsuleError, ReplayError};
pub use file::Capsule;
pub use input_field::{InputField, InputShape, Neutral};
pub use provenance::origin;
pub use record::AFTER;
pub use replay::{Found, Replayed, WindowRow, replay, replay_on};
pub use row_model::{AnyInputs, RowModel, Surroundings};
pub use rows::{RowReader, RowWriter};
pub use shrink::{Judge, ShrinkError, ShrinkOptions, Shrinking, Verdict, WINDOW, judged, shrink, shrink_on};
pub use target::{Subject, Target};
pub use unit::{Drive, MakeModel, Model, Played, Unit};
pub(crate) use unit::{capsule_unit, default_straps, model, straps_as_text};
pub use waves::{CapsuleWaves, CapsuleWavesError, waves};
