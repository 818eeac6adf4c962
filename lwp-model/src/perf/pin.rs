//! Step 8 of a cycle, pins.

use super::cell::Counted;
use super::control::Asked;
use super::state::General;

/// Whether the pin of a counter is to be toggled for what this cycle did. Odd events have another rule; `fits_now` is the
/// ratio at which they have pins.
#[inline]
pub(super) const fn trigger(asked: &Asked, fits_now: bool, counted: &Counted) -> bool {
    let odd = asked.selection.odd;
    let each = !odd & asked.pin_control;
    if each { counted.grew } else { counted.over & (!odd | fits_now) }
}

/// `pin` and `due` in the next cycle.
#[inline]
pub(super) const fn next(general: &General, trigger: bool, bus_tick: bool) -> (bool, bool) {
    let due = general.due | trigger;
    // With a tick of the bus the pin is released, or asserted if it is due.
    let asserts = bus_tick & !general.pin & due;
    (if bus_tick { asserts } else { general.pin }, due & !asserts)
}
