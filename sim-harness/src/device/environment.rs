//! What surrounds a unit.

/// What surrounds a unit in a computer: it takes the unit's outputs and gives its inputs, cycle by cycle.
///
/// What it does is a function of its own settings and of the outputs that it has seen. Nothing is allocated or formatted in
/// [`cycle`](Self::cycle).
pub trait Environment {
    /// What the unit sees in a cycle.
    type Inputs;
    /// What the unit shows in a cycle.
    type Outputs;

    /// One cycle from reset on: returns what the unit sees while it shows `out`. After the end nothing happens any more.
    fn cycle(&mut self, out: &Self::Outputs) -> &Self::Inputs;

    /// Whether the run has come to its end.
    fn is_over(&self) -> bool;

    /// Asks for the end. The run goes on to an orderly one.
    fn stop(&mut self);
}
