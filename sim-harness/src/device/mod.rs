//! Units and environments, and loops that run them.
//!
//! An [`Environment`] is the rest of a computer around a unit. It returns inputs cycle by cycle, and knows neither model nor RTL.
//! [`run_closed_loop`] runs it with one unit, a model or RTL. [`ModelProducer`] runs it with a model, as the producer of a
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
