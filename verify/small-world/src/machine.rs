//! What is explored: the model, and a bug in it if a test wants one.

use lwp_model::Unit;

/// A bug: changes what the model sees in a cycle, as its registers say.
pub type Bug<U> = fn(&<U as Unit>::State, &mut <U as lwp_model::Moore>::Inputs);

/// What is explored: the model, with a bug in it or without.
#[derive(Clone, Debug)]
pub struct Machine<U: Unit> {
    unit: U,
    bug: Option<Bug<U>>,
}

impl<U: Unit> Machine<U> {
    /// The model as it is.
    #[must_use]
    pub fn new(unit: U) -> Self {
        Self { unit, bug: None }
    }

    /// The model with a bug, which the walk has to find.
    #[must_use]
    pub fn with_bug(unit: U, bug: Bug<U>) -> Self {
        Self { unit, bug: Some(bug) }
    }

    /// The registers in the present cycle.
    #[must_use]
    pub fn state(&self) -> &U::State {
        self.unit.state()
    }

    /// Fills the row of outputs and registers of the present cycle.
    pub fn row(&self, row: &mut [u32]) {
        U::pack_expected(self.unit.state(), self.unit.config(), row);
    }

    /// One cycle.
    pub fn step(&mut self, inputs: &U::Inputs) {
        match self.bug {
            None => self.unit.step(inputs),
            Some(bug) => {
                let mut seen = inputs.clone();
                bug(self.unit.state(), &mut seen);
                self.unit.step(&seen);
            }
        }
    }

    /// The registers as a reset leaves them.
    pub fn reset(&mut self) {
        Unit::reset(&mut self.unit);
    }
}
