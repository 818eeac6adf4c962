//! What the world can be put around, and how the two run together.

mod closed_loop;
mod producer;
mod recorded_producer;
mod rtl_device;

pub use closed_loop::run_closed_loop;
pub use producer::ModelProducer;
pub use recorded_producer::RecordedProducer;
pub use rtl_device::RtlDevice;
