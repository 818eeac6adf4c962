//! Tasks that share the counters: random schedules over real traces, what each task then has to have counted, and drivers with a bug.

mod case;
mod global;
mod play;
mod programs;
mod property;
mod wrong;

pub use case::{Case, Event, Step, TaskCase, case};
pub use global::global_sums;
pub use play::{Played, play};
pub use programs::{TRACES, programs};
pub use property::{Sizes, architectural, p6};
pub use wrong::{Bug, Wrong};
