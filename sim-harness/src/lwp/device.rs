//! What the world can be put around, and how the two run together.

mod closed_loop;
mod producer;
mod recorded_producer;
mod rtl_device;

pub use closed_loop::run_closed_loop;
pub use producer::ModelProducer;
pub use recorded_producer::RecordedProducer;
pub use rtl_device::RtlDevice;

use lwp_model::lwp::{Inputs, Lwp, Outputs};

/// A unit with `W` retire lanes in closed loop with its environment.
pub trait Device<const W: usize> {
    /// The outputs of the present cycle.
    fn outputs(&self) -> Outputs;

    /// One cycle: the inputs are seen, and every register changes once.
    fn step(&mut self, inputs: &Inputs<W>);
}

impl<const W: usize, const S: usize, const LAT: u32> Device<W> for Lwp<W, S, LAT> {
    #[inline]
    fn outputs(&self) -> Outputs {
        Lwp::outputs(self)
    }

    #[inline]
    fn step(&mut self, inputs: &Inputs<W>) {
        Lwp::step(self, inputs);
    }
}
