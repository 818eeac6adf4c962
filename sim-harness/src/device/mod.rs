//! A unit and its environment, and how the two run together.
//!
//! An [`Environment`] is what surrounds a unit in a computer. It is asked for inputs cycle by cycle, and knows neither model nor
//! RTL. [`run_closed_loop`] runs it with any unit alone; [`ModelProducer`] makes it, with a model, the producer of a
//! [lockstep](crate::lockstep) run.

mod closed_loop;
mod environment;
mod model_producer;
mod recorded_producer;
mod rtl_device;
mod shown;

pub use closed_loop::run_closed_loop;
pub use environment::Environment;
pub use model_producer::ModelProducer;
pub use recorded_producer::RecordedProducer;
pub use rtl_device::RtlDevice;
pub use shown::{PackedRow, Shown, Shows};
