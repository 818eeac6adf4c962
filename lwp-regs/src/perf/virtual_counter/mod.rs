//! Virtual counters: each task has its own, 64 bits wide, over the counters of the processor.
//!
//! As the perfctr driver for Linux 2.4 has it: a task's counts are the sums of what the hardware counted while the task
//! had the processor, taken modulo the width of the counter.
//!
//! | to | use |
//! |---|---|
//! | reach the counters of a processor | [`ArchitecturalCounters`], [`AmdCounters`], [`P6FamilyCounters`], [`TscOnly`]: [`CounterHardware`] |
//! | say what a task wants counted | [`Control`] |
//! | count for it | [`TaskCounters`]: `resume`, `suspend`, `sample`, `read` |
//! | handle an overflow | [`TaskCounters::overflow`], [`TaskCounters::iresume`]; the interrupt: [`delivery`](crate::delivery) |
//! | hook it into a scheduler | [`Thread`]: `switch`, `fork`, `exit` |
//! | sum up one counter, for instance of a whole processor | [`Accumulator`] |
//! | know how often to sample | [`CounterWidth::check_interval`] |
//! | offer them to programs, as files and calls | [`perfctr`] |
//! | preset a counter | [`CounterHardware::program`]; [`WriteOrder`] checks a trace |
//!
//! A system brings the descriptors, its tasks and a lock.

mod accumulator;
mod backends;
mod control;
mod hardware;
#[cfg(test)]
mod machine;
mod p6_family;
pub mod perfctr;
mod task;
mod thread;
mod width;
mod write_order;

pub use accumulator::Accumulator;
pub use backends::{AmdCounters, ArchitecturalCounters, NoSelect, TscOnly};
pub use control::{CStatus, Control, ControlError, Programmed};
pub use hardware::{CounterHardware, CounterSelect};
pub use p6_family::P6FamilyCounters;
pub use task::{Counts, TaskCounters};
pub use thread::Thread;
pub use width::{CounterWidth, SampledTooRarely};
pub use write_order::{Role, WriteOrder};
