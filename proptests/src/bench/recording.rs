//! What went in, what the outputs showed, and what every register held.

use lwp_model::lwp::{Inputs, Outputs, State};

/// One cycle of a recording.
#[derive(Clone, Copy, Debug)]
pub struct Cycle<const W: usize> {
    /// What the unit saw.
    pub inputs: Inputs<W>,
    /// Reset, active low.
    pub rst_n: bool,
    /// What the outputs showed. Of the RTL, its own output ports.
    pub out: Outputs,
    /// What the registers held.
    pub state: State,
}

/// A run, cycle by cycle.
#[derive(Clone, Debug, Default)]
pub struct Recording<const W: usize> {
    /// The cycles, from power-up on.
    pub cycles: Vec<Cycle<W>>,
}
