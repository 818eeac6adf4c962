//! The units and sizes that are built in: those of the one list, `sim-harness/build/units.rs`.

use crate::failure::Failure;
use crate::unit::AnyUnit;
use lwp_model::Unit;

/// Makes a model with the straps of these words, or with the default ones.
pub(crate) type Make = fn(Option<&[u32]>) -> Result<Box<dyn AnyUnit>, Failure>;

/// A model and its build.
pub(crate) type Made = (Box<dyn AnyUnit>, &'static Build);

/// A build of a unit.
pub(crate) struct Build {
    /// Name of the unit.
    pub(crate) unit: &'static str,
    /// Name of the build.
    pub(crate) name: &'static str,
    /// Parameters of the module, in their order.
    pub(crate) values: &'static [u32],
    /// Parameters of the module by name, with their values.
    pub(crate) parameters: &'static [(&'static str, u32)],
    /// Words of straps, of a row of inputs, and of one of outputs and registers.
    pub(crate) words: [usize; 3],
    /// Makes one with the straps of these words, or with the default ones.
    pub(crate) make: Make,
}

include!(concat!(env!("OUT_DIR"), "/builds.rs"));

/// Words of the widest row of outputs and registers.
pub(crate) const MOST_WORDS: usize = {
    let (mut most, mut index) = (0, 0);
    while index < BUILDS.len() {
        if BUILDS[index].words[2] > most {
            most = BUILDS[index].words[2];
        }
        index += 1;
    }
    most
};

/// Words of the rows of a unit.
pub(crate) const fn words<U: Unit>() -> [usize; 3] {
    [U::STRAP_WORDS, U::INPUT_WORDS, U::OUTPUT_WORDS]
}

/// The build of this name.
pub(crate) fn named(unit: &str, name: &str) -> Result<&'static Build, Failure> {
    BUILDS.iter().find(|build| (build.unit, build.name) == (unit, name)).ok_or_else(|| {
        let names: Vec<_> = BUILDS.iter().map(|build| format!("{} {}", build.unit, build.name)).collect();
        Failure::Build(format!("no build {name} of a unit {unit} is built in; there are: {}", names.join(", ")))
    })
}

impl Build {
    /// A model with the straps of these words, or with the default ones.
    pub(crate) fn made(&'static self, straps: Option<&[u32]>) -> Result<Made, Failure> {
        Ok(((self.make)(straps)?, self))
    }
}
