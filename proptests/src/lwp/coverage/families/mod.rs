//! The crosses: their declarations and the counting in each cycle, one file per part of the unit.

pub(super) mod axes;
mod buffer;
mod control;
mod events;
mod faults;
mod interrupts;
mod modes;
mod rings;
mod stages;
mod straps;

use super::moment::Moment;
use crate::coverage::Bins;
use crate::coverage::Declared;
use lwp_model::lwp::{PortRegs, State};

/// Returns every cross, in the order of `Cover`.
pub(super) fn declared() -> Vec<Declared> {
    [
        straps::DECLARED,
        events::DECLARED,
        rings::DECLARED,
        faults::DECLARED,
        stages::DECLARED,
        control::DECLARED,
        modes::DECLARED,
        interrupts::DECLARED,
        buffer::DECLARED,
    ]
    .concat()
}

/// Counts the values that are constant from a run's first cycle on.
pub(super) fn sample_run(strap_values: &[usize], bins: &mut Bins) {
    straps::sample_run(strap_values, bins);
}

/// Counts a cycle out of reset.
pub(super) fn sample(moment: &Moment<'_>, bins: &mut Bins) {
    straps::sample(moment, bins);
    events::sample(moment, bins);
    rings::sample(moment, bins);
    faults::sample(moment, bins);
    stages::sample(moment, bins);
    control::sample(moment, bins);
    modes::sample(moment, bins);
    interrupts::sample(moment, bins);
    buffer::sample(moment, bins);
}

/// Counts the cycle in which a reset begins; `before` are the registers that the reset clears.
pub(super) fn sample_reset(before: &State, bins: &mut Bins) {
    stages::sample_reset(before, bins);
}

/// Returns the number of records in flight.
fn queue(state: &State) -> usize {
    state.records.iter().filter(|record| record.event != 0).count()
}

/// Returns the state of the memory port as an index on its axis.
const fn port(port: &PortRegs) -> usize {
    match (port.req, port.wait, port.drop) {
        (_, true, true) => 3,
        (_, true, false) => 2,
        (true, false, _) => 1,
        (false, false, _) => 0,
    }
}
