//! Cases of the long run: unit, build, straps and scenario.

use crate::straps::Pair;
use crate::unit::Checks;
use sim_harness::rtl::{BuildId, Flavour};

/// Turns of a build of which one checks the assertions of the RTL.
const ASSERTIONS_EVERY: u64 = 32;

/// Case with its number.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// The unit.
    pub unit: &'static dyn Checks,
    /// Seed of the whole run.
    pub seed: u64,
    /// Number of the case.
    pub number: u64,
    /// Number of the builds that take turns.
    pub builds: u64,
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
    /// Returns the case with this number of a run on these builds.
    #[must_use]
    pub fn new(unit: &'static dyn Checks, seed: u64, number: u64, builds: &[BuildId]) -> Self {
        Self { unit, seed, number, builds: builds.len() as u64 }
    }

    /// Returns the build of this case. Builds take turns.
    #[must_use]
    pub fn build(&self, builds: &[BuildId]) -> BuildId {
        builds[self.place()]
    }

    /// Returns the place of this case's build among the builds.
    fn place(&self) -> usize {
        (self.number % self.builds) as usize
    }

    /// Returns how often its build had its turn before. What alternates from case to case goes by this number: by that of the case a build
    /// would always get the same of two.
    fn round(&self) -> u64 {
        self.number / self.builds
    }

    /// Returns the seed from which the case is generated.
    #[must_use]
    pub fn mixed(&self) -> u64 {
        self.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(self.number)
    }

    /// Returns the straps whose turn it is, of a set in which every two values of two straps meet; `None` if the straps of this case are
    /// drawn. Each build takes both in turn, and begins at another place of the set.
    #[must_use]
    pub fn paired<'a, C>(&self, set: &'a [C]) -> Option<&'a C> {
        let begin = self.place() * set.len().div_ceil(self.builds as usize);
        let turn = (self.round() / 2 % set.len() as u64) as usize;
        self.round().is_multiple_of(2).then(|| &set[(begin + turn) % set.len()])
    }

    /// Returns the straps whose turn it is, or those that are drawn.
    #[must_use]
    pub fn straps<C: Clone>(&self, set: &[C], drawn: C) -> C {
        self.paired(set).cloned().unwrap_or(drawn)
    }

    /// Returns the RTL that the case is played on: in one of so many turns of a build the one that checks its assertions, which takes longer.
    #[must_use]
    pub fn flavour(&self) -> Flavour {
        if self.round() % ASSERTIONS_EVERY == ASSERTIONS_EVERY - 1 { Flavour::Traced } else { Flavour::Fast }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::units;
    use std::collections::BTreeSet;

    #[test]
    fn every_build_takes_every_straps_drawn_ones_and_assertions() {
        let set: Vec<u8> = (0..9).collect();
        for unit in units() {
            let builds: Vec<_> = BuildId::of_unit(unit.name()).collect();
            let cases = |build: BuildId| {
                let all = (0..40 * builds.len() as u64).map(|number| Case::new(*unit, 7, number, &builds));
                all.filter(|case| case.build(&builds) == build).collect::<Vec<_>>()
            };
            for build in &builds {
                let cases = cases(*build);
                let paired: BTreeSet<_> = cases.iter().filter_map(|case| case.paired(&set)).collect();
                assert_eq!(paired.len(), set.len(), "{}", build.name());
                assert_eq!(cases.iter().filter(|case| case.straps(&set, 99) == 99).count(), 20, "{}", build.name());
                assert_eq!(
                    cases.iter().filter(|case| case.flavour() == Flavour::Traced).count(),
                    1,
                    "{}",
                    build.name()
                );
            }
        }
    }
}
