//! LWP: cycle by cycle where it only counts, and many cycles at a stride.

use crate::replay;
use lwp_model::lwp::flat::Shown;
use lwp_model::lwp::{Digest, Inputs, Lwp};

/// Cycles that are run at a time.
const STRETCH: usize = 24;

/// The ways of the model past a step.
pub(crate) struct ShortWays<const W: usize, const S: usize, const LAT: u32> {
    counting: Shown<W, S, LAT>,
    skipping: Lwp<W, S, LAT>,
    /// What it has not run yet.
    inputs: Vec<Inputs<W>>,
}

impl<const W: usize, const S: usize, const LAT: u32> replay::ShortWays<Lwp<W, S, LAT>> for ShortWays<W, S, LAT> {
    fn from(unit: &Lwp<W, S, LAT>) -> Self {
        Self { counting: Shown::new(unit.clone()), skipping: unit.clone(), inputs: Vec::with_capacity(STRETCH) }
    }

    fn step(&mut self, inputs: &Inputs<W>, row: &[u32]) {
        self.counting.step_row(row);
        self.inputs.push(*inputs);
    }

    fn differ(&mut self, unit: &Lwp<W, S, LAT>, shown: &[u32]) -> Option<String> {
        if self.counting.row() != shown {
            return Some("counting".to_owned());
        }
        if self.inputs.len() < STRETCH {
            return None;
        }
        let digests: Vec<Digest> = self.inputs.iter().map(Digest::of).collect();
        self.skipping.run(&self.inputs, &digests);
        self.inputs.clear();
        (self.skipping != *unit).then(|| "skipping".to_owned())
    }
}
