//! Recordings of this unit.

use lwp_model::lwp::{Inputs, Outputs, State};

/// One cycle of a recording.
pub type Cycle<const W: usize> = recording::Cycle<Inputs<W>, Outputs, State>;
/// A run, cycle by cycle.
pub type Recording<const W: usize> = recording::Recording<Inputs<W>, Outputs, State>;
