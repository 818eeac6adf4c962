//! The pin of a counter: asserted for one bus clock after its cause, then deasserted (P6-21, P6-22, P6-52).

use super::counter::Counted;

/// Bus clocks after its cause in which a pin may begin and end its assertion.
const WITHIN: u8 = 3;

/// What is known of the causes of a pin.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pin {
    /// Bus clocks that have begun since the last cycle that may have been a cause, if there was one.
    possible: Option<u8>,
    /// The same since a cycle that was a cause for certain, and after which the pin has not been asserted yet.
    owed: Option<u8>,
}

impl Pin {
    /// Checks the pin after a cycle with this cause.
    pub(super) fn step(&mut self, cause: Counted, bus_tick: bool, shown: bool) -> Result<(), String> {
        let older = |since: Option<u8>| since.map(|clocks| clocks.saturating_add(u8::from(bus_tick)));
        self.possible = if cause.possible { Some(0) } else { older(self.possible) };
        let owed = older(self.owed);
        self.owed = if cause.certain { Some(owed.unwrap_or(0)) } else { owed };
        if shown {
            self.owed = None;
        }
        match (self.possible, self.owed) {
            (None, _) if shown => Err("the pin is asserted without a cause".into()),
            (Some(clocks), _) if shown && clocks >= WITHIN => {
                Err(format!("the pin is asserted, {clocks} bus clocks after its last cause"))
            }
            (_, Some(clocks)) if clocks >= WITHIN => {
                Err(format!("the pin is not asserted, {clocks} bus clocks after its cause"))
            }
            _ => Ok(()),
        }
    }
}
