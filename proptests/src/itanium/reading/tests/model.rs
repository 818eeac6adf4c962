//! The model is checked by its ports alone.

use super::super::around::{Around, Random, straps};
use super::super::{Coverage, Reading};
use lwp_model::Moore;
use lwp_model::itanium::{Config, Inputs, Itanium, Outputs};

/// A unit that shows its outputs.
pub(super) trait Shows<const B: usize> {
    fn shown(&self) -> Outputs;
    fn take(&mut self, inputs: &Inputs<B>);
}

impl<const B: usize, const E: usize> Shows<B> for Itanium<B, E>
where
    Self: Moore<Inputs = Inputs<B>, Outputs = Outputs>,
{
    fn shown(&self) -> Outputs {
        self.outputs()
    }

    fn take(&mut self, inputs: &Inputs<B>) {
        self.step(inputs);
    }
}

/// Checks a unit in the surroundings `around` for so many cycles.
pub(super) fn run<const B: usize, const E: usize>(
    unit: &mut dyn Shows<B>,
    straps: &Config,
    mut around: Around,
    cycles: u64,
) -> Result<Coverage, String> {
    let mut reading = Reading::<B, E>::new(straps);
    for cycle in 0..cycles {
        let out = unit.shown();
        let inputs = around.input(&out);
        reading.cycle(true, &inputs, &out).map_err(|text| format!("cycle {cycle}: {text}"))?;
        unit.take(&inputs);
    }
    Ok(*reading.coverage())
}

fn all<const B: usize, const E: usize>()
where
    Itanium<B, E>: Moore<Inputs = Inputs<B>, Outputs = Outputs>,
{
    let mut total = Coverage::default();
    for seed in 0..60 {
        let straps = straps(&mut Random::new(seed));
        let mut unit = Itanium::<B, E>::new(straps).expect("all straps are legal");
        let around = Around::new(seed, E as u8);
        total += run::<B, E>(&mut unit, &straps, around, 3000).unwrap_or_else(|text| panic!("seed {seed}, {text}"));
    }
    println!("{total:#?}");
    for (what, count) in total.list() {
        assert!(count > 0, "no {what}");
    }
}

#[test]
fn the_small_model_is_as_the_documents_say() {
    all::<1, 4>();
}

#[test]
fn the_large_model_is_as_the_documents_say() {
    all::<2, 16>();
}
