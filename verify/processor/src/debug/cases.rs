//! Many random programs.

use super::calibrate::Facts;
use super::compare::{Compared, compare};
use super::event::SITUATIONS;
use super::processor::Processor;
use super::program::Program;
use super::strategy::program;
use proptests::runner::{draw, shrink};
use std::cell::RefCell;

/// What a number of programs showed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Programs.
    pub programs: u64,
    /// Their stops.
    pub stops: u64,
    /// Programs that needed a further run on the processor.
    pub disturbed: u64,
    /// Programs of 64-bit code.
    pub wide: u64,
    /// Stops of each of the [`SITUATIONS`].
    pub situations: [u64; SITUATIONS.len()],
}

impl Totals {
    fn add(&mut self, program: &Program, compared: &Compared) {
        self.programs += 1;
        self.stops += compared.stops.len() as u64;
        self.disturbed += u64::from(compared.disturbed);
        self.wide += u64::from(program.wide);
        for stop in &compared.stops {
            for (count, met) in self.situations.iter_mut().zip(stop.situations()) {
                *count += u64::from(met);
            }
        }
    }
}

/// Compares the programs of the seeds from `first` on, and tells each to `seen`.
///
/// # Errors
///
/// The smallest program that shows the first difference, with both lists of stops, and its seed.
pub fn cases(
    processor: &mut Processor,
    facts: &Facts,
    first: u64,
    count: u64,
    mut seen: impl FnMut(Totals),
) -> Result<Totals, (u64, String)> {
    let strategy = program();
    let mut totals = Totals::default();
    for case in 0..count {
        let seed = first.wrapping_add(case);
        let program = draw(seed, &strategy);
        match compare(processor, facts, &program) {
            Ok(compared) => totals.add(&program, &compared),
            Err(reason) => {
                let shared = RefCell::new(processor);
                let fails = |program: &Program| compare(&mut shared.borrow_mut(), facts, program).map(drop);
                // What comes once and never again is told as it came.
                return Err((seed, shrink(seed, &strategy, fails).unwrap_or(reason)));
            }
        }
        seen(totals);
    }
    Ok(totals)
}
