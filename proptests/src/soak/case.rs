//! One case: which build, which straps, which scenario.

use crate::lwp::bench::play;
use crate::lwp::lockstep::agree;
use crate::lwp::scenario::straps::pairwise;
use crate::lwp::scenario::{Scenario, scenario};
use crate::runner::{draw, shrink};
use lwp_model::lwp::{Config, Lwp};
use sim_harness::rtl::BuildId;
use sim_harness::with_build;
use std::marker::PhantomData;
use std::sync::LazyLock;

/// Operations of a scenario at most.
const OPERATIONS: usize = 400;

/// Straps in which every two values meet; every other case takes its straps from here.
static PAIRWISE: LazyLock<Vec<Config>> = LazyLock::new(|| pairwise().0);

/// Plays a scenario on a build and the model of the same sizes; how many cycles it took.
fn lockstep(id: BuildId, scenario: &Scenario) -> Result<u64, String> {
    with_build!(lwp, id, |U| sized(PhantomData::<U>, id, scenario)).expect("a build of lwp")
}

fn sized<const W: usize, const S: usize, const LAT: u32>(
    _: PhantomData<Lwp<W, S, LAT>>,
    id: BuildId,
    scenario: &Scenario,
) -> Result<u64, String> {
    let (recording, _) = play::<W, S, LAT>(scenario);
    agree(id, &scenario.straps, &recording).map(|()| recording.cycles.len() as u64)
}

/// A numbered case.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// Seed of the whole run.
    pub seed: u64,
    /// Number of the case.
    pub number: u64,
}

/// What a case was.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// Cycles in which model and RTL agreed in every bit.
    pub cycles: u64,
    /// The straps of the case.
    pub straps: Config,
}

impl Case {
    /// The build of this case: they take turns.
    #[must_use]
    pub fn build(&self, builds: &[BuildId]) -> BuildId {
        builds[(self.number % builds.len() as u64) as usize]
    }

    fn straps(&self, drawn: Config) -> Config {
        let turn = self.number / 2;
        // A steered case has the straps that its target asks for.
        let paired = self.number.is_multiple_of(2) && crate::lwp::steer::from_environment().is_none();
        if paired { PAIRWISE[(turn % PAIRWISE.len() as u64) as usize] } else { drawn }
    }

    fn mixed(&self) -> u64 {
        self.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(self.number)
    }

    fn with_straps(&self, scenario: Scenario) -> Scenario {
        Scenario { straps: self.straps(scenario.straps), ..scenario }
    }

    /// What happens in the case.
    #[must_use]
    pub fn scenario(&self) -> Scenario {
        self.with_straps(draw(self.mixed(), &scenario(OPERATIONS)))
    }

    /// Plays the case.
    ///
    /// # Errors
    ///
    /// What differs, and in which cycle.
    pub fn play(&self, builds: &[BuildId]) -> Result<Outcome, String> {
        let build = self.build(builds);
        let scenario = self.scenario();
        let cycles = lockstep(build, &scenario)?;
        Ok(Outcome { cycles, straps: scenario.straps })
    }

    /// Plays the case again and makes it as small as it can be; `None` if it passes.
    #[must_use]
    pub fn explain(&self, builds: &[BuildId]) -> Option<String> {
        let build = self.build(builds);
        shrink(self.mixed(), &scenario(OPERATIONS), |drawn| {
            lockstep(build, &self.with_straps(drawn.clone())).map(|_| ())
        })
    }
}
