//! The unit as a [`device`], in its environment. The row of the model is kept by
//! [`flat::Shown`], which is faster than packing it in every cycle.

use crate::device::{self, Environment, Shows};
use crate::lwp::environment::{Computer, Instructions, RecordSink};
use crate::lwp::flat;
use lwp_model::lwp::{Inputs, Lwp, Outputs};

pub use crate::device::run_closed_loop;

/// [`device::ModelProducer`] of this unit in its environment.
pub type ModelProducer<const W: usize, const S: usize, const LAT: u32, I, R, V> =
    device::ModelProducer<Lwp<W, S, LAT>, Computer<W, I, R>, V>;

/// [`device::RecordedProducer`] of this unit.
pub type RecordedProducer<'a, const W: usize, const S: usize, const LAT: u32> =
    device::RecordedProducer<'a, Lwp<W, S, LAT>>;

/// [`device::RtlDevice`] of this unit, whose rows depend on the lanes alone.
pub type RtlDevice<const W: usize> = device::RtlDevice<Lwp<W, 8, 31>>;

impl<const W: usize, const S: usize, const LAT: u32> Shows for Lwp<W, S, LAT> {
    type Shown = flat::Shown<W, S, LAT>;
}

impl<const W: usize, const S: usize, const LAT: u32> device::Shown<Lwp<W, S, LAT>> for flat::Shown<W, S, LAT> {
    fn new(unit: Lwp<W, S, LAT>) -> Self {
        Self::new(unit)
    }

    #[inline]
    fn unit(&self) -> &Lwp<W, S, LAT> {
        self.unit()
    }

    #[inline]
    fn write(&self, row: &mut [u32]) {
        self.write(row);
    }

    fn reset(&mut self) {
        self.reset();
    }

    #[inline]
    fn step(&mut self, inputs: &Inputs<W>, row: &[u32]) -> bool {
        self.step_packed(inputs, row)
    }

    #[inline]
    fn step_row(&mut self, row: &[u32]) -> bool {
        self.step_row(row)
    }
}

impl<const W: usize, I: Instructions, R: RecordSink> Environment for Computer<W, I, R> {
    type Inputs = Inputs<W>;
    type Outputs = Outputs;

    #[inline]
    fn cycle(&mut self, out: &Outputs) -> &Inputs<W> {
        self.cycle(out)
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.is_over()
    }

    fn stop(&mut self) {
        self.stop();
    }
}
