//! Counts of a program: `lwp-sim count`, after the program `pmcCount` of the study of the P6 counters.
//!
//! The page "Count a program" of the book (`docs/src/perf/count.md`) is about it. [`count`] reads a trace with a plain counter, and then
//! passes over it as often as the events need, each time with other events on the counters of the unit, which a driver of `lwp-regs` sets
//! up, starts, stops and reads.

mod caches;
mod capsule;
mod clock;
mod code;
mod command;
mod decode;
mod driver;
mod engine;
mod error;
mod event;
mod facts;
mod formula;
mod front;
mod list;
mod meaning;
mod options;
mod plain;
mod portion;
mod progress;
mod report;
mod run;
mod schedule;
mod source;
mod summary;
mod survey;
mod world;

pub use clock::clock_of;
pub use command::VERB;
pub use error::{CountError, Gap};
pub use event::{Event, Modifiers, Wanted};
pub use formula::Formula;
pub use report::{Measured, Report};
pub use run::{Count, Counts, Interval, Job, Watch, build_for, count, lanes_of};
pub use schedule::{Assigned, Pass, Place, passes};
pub use summary::summary;
