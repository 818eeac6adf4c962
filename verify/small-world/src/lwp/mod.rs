//! The small worlds of LWP: one lane, three slots, 10 latency bits.

pub mod alphabet;
mod buffer;
mod control;
mod loads;
pub mod memory;
mod parts;
mod store;
mod switch;

use crate::world::{AnyWorld, boxed};
use alphabet::Alphabet;
use lwp_model::lwp::{Config, Control, Entropy, GatherSelect, Inputs, Lwp, Mode, Outputs, State};

/// Retire lanes of the small worlds.
pub const LANES: usize = 1;

/// The model with the sizes of the small worlds.
pub type Unit = Lwp<LANES, 3, 10>;

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

impl crate::World for World {
    type Unit = Unit;
    const BUILD: &'static str = "lwp_w1";
    // See the book.
    const LEFT_OUT: &'static [&'static str] = &["state.lfsr"];

    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn straps(&self) -> Config {
        self.straps
    }

    fn letters(&self, state: &State) -> usize {
        self.alphabet.letters(state)
    }

    fn letter(&self, state: &State, letter: usize) -> Inputs<LANES> {
        self.alphabet.letter(state, letter)
    }

    /// With a memory that makes no trouble. Panics if an operation is never answered, or faults: a test looks at every world.
    fn way_in(&self) -> Vec<Inputs<LANES>> {
        let (mut unit, mut way) = (crate::World::model(self), Vec::new());
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
}

impl World {
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

/// The same for the list of all units.
pub(crate) fn worlds() -> Vec<Box<dyn AnyWorld>> {
    boxed(all())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Machine, World as _};

    #[test]
    fn every_world_can_be_entered() {
        for world in all() {
            let root = world.enter(Machine::new(world.model()));
            assert_eq!(root.state().ctl.st as u8, 0, "{}", world.name);
            assert_eq!(world.lfsr_matters(), None, "{}", world.name);
            assert!(world.letters(root.state()) > 1, "{}", world.name);
        }
    }
}
