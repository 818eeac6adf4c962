//! Step 8 of a cycle, pins.

use super::cell::Counted;
use super::state::General;

/// Whether the pin of a counter is to be toggled for what this cycle did. `odd` events have another rule; `fits_now` is the
/// ratio at which they have pins.
#[inline]
pub(super) const fn trigger(general: &General, odd: bool, fits_now: bool, counted: &Counted) -> bool {
    if odd {
        counted.over && fits_now
    } else if general.fields().pin_control() {
        counted.grew
    } else {
        counted.over
    }
}

/// `pin` and `due` in the next cycle.
#[inline]
pub(super) const fn next(general: &General, trigger: bool, bus_tick: bool) -> (bool, bool) {
    let due = general.due || trigger;
    match (bus_tick, general.pin) {
        (false, pin) => (pin, due),
        (true, true) => (false, due),
        (true, false) => (due, false),
    }
}
