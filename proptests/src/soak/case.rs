//! One case: which build, which straps, which scenario.

use crate::bench::play;
use crate::lockstep::agree;
use crate::runner::{draw, shrink};
use crate::scenario::straps::pairwise;
use crate::scenario::{Scenario, scenario};
use lwp_model::lwp::Config;
use sim_harness::rtl::BuildId;
use std::sync::LazyLock;

/// Operations of a scenario at most.
const OPERATIONS: usize = 400;

/// Straps in which every two values meet; every other case takes its straps from here.
static PAIRWISE: LazyLock<Vec<Config>> = LazyLock::new(|| pairwise().0);

/// A Verilated build and the model of the same sizes.
#[derive(Clone, Copy, Debug)]
pub struct Build {
    /// The RTL.
    pub id: BuildId,
    lockstep: fn(BuildId, &Scenario) -> Result<u64, String>,
}

impl Build {
    /// Every build that this program was compiled with.
    #[must_use]
    pub fn all() -> Vec<Self> {
        vec![
            Self { id: BuildId::LwpW4, lockstep: lockstep::<4, 8, 31> },
            Self { id: BuildId::LwpW1, lockstep: lockstep::<1, 3, 10> },
            #[cfg(feature = "all-sizes")]
            Self { id: BuildId::LwpW8, lockstep: lockstep::<8, 26, 16> },
            #[cfg(feature = "all-sizes")]
            Self { id: BuildId::LwpW2, lockstep: lockstep::<2, 13, 20> },
        ]
    }
}

fn lockstep<const W: usize, const S: usize, const LAT: u32>(id: BuildId, scenario: &Scenario) -> Result<u64, String> {
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
    pub fn build(&self, builds: &[Build]) -> Build {
        builds[(self.number % builds.len() as u64) as usize]
    }

    fn straps(&self, drawn: Config) -> Config {
        let turn = self.number / 2;
        // A steered case has the straps that its target asks for.
        let paired = self.number.is_multiple_of(2) && crate::steer::from_environment().is_none();
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
    pub fn play(&self, builds: &[Build]) -> Result<Outcome, String> {
        let build = self.build(builds);
        let scenario = self.scenario();
        let cycles = (build.lockstep)(build.id, &scenario)?;
        Ok(Outcome { cycles, straps: scenario.straps })
    }

    /// Plays the case again and makes it as small as it can be; `None` if it passes.
    #[must_use]
    pub fn explain(&self, builds: &[Build]) -> Option<String> {
        let build = self.build(builds);
        shrink(self.mixed(), &scenario(OPERATIONS), |drawn| {
            (build.lockstep)(build.id, &self.with_straps(drawn.clone())).map(|_| ())
        })
    }
}
