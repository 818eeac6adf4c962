//! What a unit says of a small world.

use crate::machine::Machine;
use crate::run::{Outcome, Plan, Progress, run};
use lwp_model::{Moore, Unit};
use sim_harness::for_units;
use sim_harness::rtl::BuildId;
use std::fmt::Debug;

/// What the unit of a world sees in a cycle.
pub type Inputs<W> = <<W as World>::Unit as Moore>::Inputs;
/// Its registers.
pub type State<W> = <<W as World>::Unit as Unit>::State;
/// Its straps.
pub type Config<W> = <<W as World>::Unit as Unit>::Config;

/// A small world: straps, a way in, and the letters, which are the inputs of one cycle.
pub trait World: Debug + Sync {
    /// The model, with the sizes of the world.
    type Unit: Unit;
    /// The build of the RTL with these sizes.
    const BUILD: &'static str;
    /// Registers that are no part of a state: no other may depend on them in this world, which the walk checks.
    const LEFT_OUT: &'static [&'static str] = &[];

    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// What is in it, in a line.
    fn about(&self) -> &'static str;

    /// The straps.
    fn straps(&self) -> Config<Self>;

    /// The cycles from reset to the root.
    fn way_in(&self) -> Vec<Inputs<Self>> {
        Vec::new()
    }

    /// How many letters there are in this state.
    fn letters(&self, state: &State<Self>) -> usize;

    /// A letter, as the inputs of a cycle.
    fn letter(&self, state: &State<Self>, letter: usize) -> Inputs<Self>;

    /// The unit at reset.
    ///
    /// # Panics
    /// If the straps contradict one another: a test looks at every world.
    #[must_use]
    fn model(&self) -> Self::Unit {
        Self::Unit::new(self.straps()).expect("straps of a world agree")
    }

    /// The root: `machine` after a reset and the way in.
    #[must_use]
    fn enter(&self, mut machine: Machine<Self::Unit>) -> Machine<Self::Unit> {
        machine.reset();
        self.way_in().iter().for_each(|inputs| machine.step(inputs));
        machine
    }

    /// The words of the straps.
    #[must_use]
    fn strap_words(&self) -> Vec<u32> {
        sim_harness::rtl::strap_words::<Self::Unit>(&self.straps())
    }

    /// The RTL with the sizes of the world.
    ///
    /// # Panics
    /// If the harness was built without it: a test looks at every world.
    #[must_use]
    fn build() -> BuildId {
        BuildId::from_name(Self::BUILD).expect("the harness has the build of the small worlds")
    }
}

/// A world of any unit.
pub trait AnyWorld: Debug {
    /// Name of the unit.
    fn unit(&self) -> &'static str;

    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// What is in it, in a line.
    fn about(&self) -> &'static str;

    /// Explores it and plays its walk.
    fn run(&self, plan: Plan<'_>, progress: &mut dyn FnMut(Progress)) -> Outcome;
}

impl<W: World> AnyWorld for W {
    fn unit(&self) -> &'static str {
        <W::Unit as Unit>::NAME
    }

    fn name(&self) -> &'static str {
        World::name(self)
    }

    fn about(&self) -> &'static str {
        World::about(self)
    }

    fn run(&self, plan: Plan<'_>, progress: &mut dyn FnMut(Progress)) -> Outcome {
        run(self, Machine::new(World::model(self)), plan, progress)
    }
}

/// Worlds of one type as worlds of any.
pub(crate) fn boxed<W: World + 'static>(worlds: Vec<W>) -> Vec<Box<dyn AnyWorld>> {
    worlds.into_iter().map(|world| Box::new(world) as Box<dyn AnyWorld>).collect()
}

macro_rules! list {
    ($($unit:ident)*) => {
        /// Every world of every unit, in the order of the harness's table.
        #[must_use]
        pub fn all() -> Vec<Box<dyn AnyWorld>> {
            let mut all = Vec::new();
            $(all.extend(crate::$unit::worlds());)*
            all
        }
    };
}
for_units!(list);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let mut names: Vec<_> = all().iter().map(|world| world.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all().len());
    }
}
