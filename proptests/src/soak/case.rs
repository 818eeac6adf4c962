//! Cases of the long run: unit, build, straps and scenario.

use crate::straps::Pair;
use crate::unit::Checks;
use sim_harness::rtl::BuildId;

/// Case with its number.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// The unit.
    pub unit: &'static dyn Checks,
    /// Seed of the whole run.
    pub seed: u64,
    /// Number of the case.
    pub number: u64,
}

/// Outcome of a case.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Number of cycles in which model and RTL agreed in every bit.
    pub cycles: u64,
    /// Pairs of strap values of the case.
    pub pairs: Vec<Pair>,
}

impl Case {
    /// Returns the build of this case. Builds take turns.
    #[must_use]
    pub fn build(&self, builds: &[BuildId]) -> BuildId {
        builds[(self.number % builds.len() as u64) as usize]
    }

    /// Returns the seed from which the case is generated.
    #[must_use]
    pub fn mixed(&self) -> u64 {
        self.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(self.number)
    }

    /// The straps of every other case are taken in turn from a set in which every two values of two straps meet; the others are drawn.
    #[must_use]
    pub fn straps<C: Clone>(&self, paired: &[C], drawn: C) -> C {
        let turn = self.number / 2;
        if self.number.is_multiple_of(2) { paired[(turn % paired.len() as u64) as usize].clone() } else { drawn }
    }

    /// Runs the case.
    ///
    /// # Errors
    ///
    /// The difference and its cycle.
    pub fn play(&self, builds: &[BuildId]) -> Result<Outcome, String> {
        self.unit.soak(self, self.build(builds))
    }

    /// Runs the case again and shrinks it; `None` if it passes.
    #[must_use]
    pub fn explain(&self, builds: &[BuildId]) -> Option<String> {
        self.unit.explain_soak(self, self.build(builds))
    }
}
