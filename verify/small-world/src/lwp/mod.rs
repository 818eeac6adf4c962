//! The worlds by name.

mod buffer;
mod control;
mod loads;
mod parts;
mod store;
mod switch;

use crate::alphabet::Alphabet;
use crate::machine::{LANES, Machine, Unit};
use lwp_model::lwp::{Config, Control, Entropy, GatherSelect, Inputs, Mode, Outputs};

/// One small world.
#[derive(Clone, Debug)]
pub struct World {
    /// Its name on the command line.
    pub name: &'static str,
    /// What is in it, in a line.
    pub about: &'static str,
    /// The straps.
    pub straps: Config,
    /// The operations that lead from reset to the root, one after another, in these modes.
    pub setup: Vec<(Mode, Control)>,
    /// What the inputs of a cycle may be.
    pub alphabet: Alphabet,
}

/// A way in ends after this many cycles, or never.
const PATIENCE: usize = 1000;

impl World {
    /// The unit at reset.
    ///
    /// # Panics
    /// If the straps contradict one another: a test looks at every world.
    #[must_use]
    pub fn unit(&self) -> Unit {
        Unit::new(self.straps).expect("straps of a world agree")
    }

    /// The cycles from reset to the root, with a memory that makes no trouble.
    ///
    /// # Panics
    /// If an operation is never answered, or faults: a test looks at every world.
    #[must_use]
    pub fn way_in(&self) -> Vec<Inputs<LANES>> {
        let (mut unit, mut way) = (self.unit(), Vec::new());
        for &(mode, ctl) in &self.setup {
            let mut asked = false;
            loop {
                assert!(way.len() < PATIENCE, "{}: {ctl:?} is never answered", self.name);
                let out: Outputs = unit.outputs();
                let ctl = if asked || out.stall { Control::default() } else { ctl };
                asked |= ctl.valid;
                let mem = self.alphabet.memory.prompt(&unit.state().port);
                let inputs = Inputs { mode, ctl, mem, ..Inputs::default() };
                unit.step(&inputs);
                way.push(inputs);
                if out.rsp_valid {
                    assert_eq!(out.rsp_fault as u8, 0, "{}: the way in faults", self.name);
                    break;
                }
            }
        }
        way
    }

    /// The root: `machine` after a reset and the way in.
    #[must_use]
    pub fn enter(&self, mut machine: Machine) -> Machine {
        machine.reset();
        self.way_in().iter().for_each(|inputs| machine.step(inputs));
        machine
    }

    /// What would make the register that the graph leaves out, the LFSR, steer others.
    #[must_use]
    pub fn lfsr_matters(&self) -> Option<&'static str> {
        let random = |word: u64| word >> 60 != 0;
        let words = self.alphabet.memory.blocks.iter().flat_map(|block| &block.words[0]);
        if self.straps.entropy == Entropy::Port {
            None
        } else if self.straps.gather_select == GatherSelect::Random {
            Some("the choice of an event is random")
        } else if words.copied().any(random) {
            Some("a block asks for random counters")
        } else {
            None
        }
    }
}

/// Every world, the quickest first.
#[must_use]
pub fn all() -> Vec<World> {
    [store::worlds(), loads::worlds(), buffer::worlds(), control::worlds(), switch::worlds()].concat()
}

/// The world with this name.
#[must_use]
pub fn find(name: &str) -> Option<World> {
    all().into_iter().find(|world| world.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_world_can_be_entered() {
        for world in all() {
            let root = world.enter(Machine::new(world.unit()));
            assert_eq!(root.state().ctl.st as u8, 0, "{}", world.name);
            assert_eq!(world.lfsr_matters(), None, "{}", world.name);
            assert!(world.alphabet.letters(root.state()) > 1, "{}", world.name);
        }
    }

    #[test]
    fn names_are_unique() {
        let mut names: Vec<_> = all().iter().map(|world| world.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all().len());
    }
}
