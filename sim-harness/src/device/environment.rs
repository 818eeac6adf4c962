//! Environment of a unit.

/// Environment of a unit, the rest of a computer: takes the unit's outputs and returns its inputs, cycle by cycle.
///
/// Its behaviour is a function of its settings and of the outputs that it has seen. [`cycle`](Self::cycle) does not allocate or
/// format.
pub trait Environment {
    /// Inputs of the unit in a cycle.
    type Inputs;
    /// Outputs of the unit in a cycle.
    type Outputs;

    /// Runs one cycle: returns the unit's inputs in the cycle in which its outputs are `out`. After the end of the run the inputs are
    /// idle.
    fn cycle(&mut self, out: &Self::Outputs) -> &Self::Inputs;

    /// Whether the run has ended.
    fn is_over(&self) -> bool;

    /// Requests the end. The run continues until it can end in order.
    fn stop(&mut self);
}
