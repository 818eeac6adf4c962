//! Everything that takes part.

use crate::ours::{self, Inputs};
use crate::program::{Program, Verdict};
use crate::work::Work;
use sim_harness::lockstep::Threads;

/// Seconds of one run over `cycles`.
pub(crate) struct Contestant<'a> {
    pub(crate) name: &'static str,
    pub(crate) cycles: usize,
    run: Box<dyn Fn() -> Result<f64, String> + 'a>,
}

impl Contestant<'_> {
    /// Million cycles a second, of one run.
    pub(crate) fn speed(&self) -> Result<f64, String> {
        Ok(self.cycles as f64 / (self.run)()? / 1e6)
    }
}

/// The bare RTL first, as the others are measured against it.
pub(crate) fn all<'a>(work: &'a Work, programs: &'a [Program]) -> Vec<Contestant<'a>> {
    let cycles = work.cycles();
    let lockstep = |name, inputs, threads| Contestant {
        name,
        cycles,
        run: Box::new(move || ours::in_lockstep(work, inputs, threads)),
    };
    let mut all = vec![
        Contestant { name: "bare RTL", cycles, run: Box::new(|| Ok(ours::bare(work))) },
        lockstep("lockstep with environment, two threads", Inputs::Environment, Threads::Two),
        lockstep("lockstep with environment, one thread", Inputs::Environment, Threads::One),
        lockstep("lockstep, recorded inputs, two threads", Inputs::Recorded, Threads::Two),
        lockstep("lockstep, recorded inputs, one thread", Inputs::Recorded, Threads::One),
    ];
    all.extend(programs.iter().map(|program| {
        let cycles = if program.slow { work.slow_cycles } else { cycles };
        let run = move || match program.play(work, cycles, None)? {
            Verdict::Agree(seconds) => Ok(seconds),
            Verdict::Differ(cycle) => Err(format!("{}: RTL and model differ in cycle {cycle}", program.name)),
        };
        Contestant { name: program.name, cycles, run: Box::new(run) }
    }));
    all
}
