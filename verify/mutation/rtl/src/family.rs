//! The cases of a unit's property tests, as words for the program with mutants.

use proptest::strategy::Strategy;
use proptests::runner::draw;
use sha2::{Digest, Sha256};
use sim_harness::rtl::BuildId;

/// Seed of the first case, as in the tests.
const SEED: u64 = 2007;

/// A unit whose mutants can be made: a folder with its `families.rs`, `unit.toml`, `areas.toml`, `sample.csv`, `equivalent.csv`,
/// `proved.csv`.
#[derive(Clone, Copy, Debug)]
pub struct Unit {
    /// Its name.
    pub name: &'static str,
    /// In the order in which they take turns.
    pub families: &'static [Family],
}

include!(concat!(env!("OUT_DIR"), "/units.rs"));

impl Unit {
    /// The builds that its families play, each once; the first is asked for the assertions.
    #[must_use]
    pub fn builds(&self) -> Vec<BuildId> {
        let mut builds = Vec::new();
        for family in self.families {
            if !builds.contains(&family.build) {
                builds.push(family.build);
            }
        }
        builds
    }

    /// A file of its folder, relative to the root of the repository.
    #[must_use]
    pub fn file(&self, name: &str) -> String {
        format!("verify/mutation/rtl/{}/{name}", self.name)
    }
}

/// A property test that holds the RTL to the model: its cases, drawn as the test draws them.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// The test in proptests/tests.
    pub name: &'static str,
    /// The build that it plays.
    pub build: BuildId,
    /// Cases of which a digest is made.
    pub digested: u64,
    /// The words of a case. None: the family has no such case.
    pub words: fn(u64) -> Option<Vec<u32>>,
}

/// How many cases that are drawn stand for all of them in a digest.
pub const FIRST: u64 = 40;
/// All there are.
pub const ALL: u64 = u64::MAX;

impl Family {
    /// Case `number`: how many cycles it has, and its words. None: the family has no such case.
    #[must_use]
    pub fn case(&self, number: u64) -> Option<(u64, Vec<u32>)> {
        let words = (self.words)(number)?;
        Some((u64::from(words[0]), words))
    }

    /// A digest of its cases: generators, bench and model all show in them.
    #[must_use]
    pub fn digest(&self) -> impl AsRef<[u8]> + use<> {
        let mut hasher = Sha256::new();
        for (_, words) in (0..self.digested).map_while(|number| self.case(number)) {
            words.iter().for_each(|word| hasher.update(word.to_le_bytes()));
        }
        hasher.finalize()
    }
}

/// Case `number` of a property: what a test draws from the seed of that case.
pub fn drawn<S: Strategy>(number: u64, strategy: &S) -> S::Value {
    draw(SEED + number, strategy)
}
