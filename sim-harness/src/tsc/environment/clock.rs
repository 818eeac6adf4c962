//! How time passes: the bus clock, the crystal, the ratio of the core.

use super::events::At;
use crate::core::Countdown;
use lwp_model::retire::Processor;

/// The clocks, in cycles of the unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Cycles from one tick of the bus clock to the next, the first in cycle 0; 0: it stands still.
    pub bus_period: u64,
    /// The same of the core crystal clock.
    pub crystal_period: u64,
    /// Ratio of core clock to bus clock in cycle 0, in halves.
    pub core_ratio: u8,
    /// When the ratio changes.
    pub changes: Vec<Ratio>,
}

/// Another ratio from then on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ratio {
    /// When.
    pub at: At,
    /// Ratio of core clock to bus clock, in halves.
    pub core_ratio: u8,
}

impl Default for Clock {
    /// A core of 3 GHz with a bus clock of 200 MHz and a crystal of 24 MHz.
    fn default() -> Self {
        Self { bus_period: 15, crystal_period: 125, core_ratio: 30, changes: Vec::new() }
    }
}

/// Cycles until the next ticks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ticks {
    bus: Countdown,
    crystal: Countdown,
}

impl Ticks {
    pub(super) const fn new(clock: &Clock) -> Self {
        Self { bus: Countdown::new(clock.bus_period), crystal: Countdown::new(clock.crystal_period) }
    }

    /// The ticks of the next cycle.
    #[inline]
    pub(super) const fn cycle(&mut self, processor: &mut Processor) {
        processor.bus_tick = self.bus.tick();
        processor.crystal_tick = self.crystal.tick();
    }

    /// Time stands still.
    pub(super) const fn none(&self, processor: &mut Processor) {
        (processor.bus_tick, processor.crystal_tick) = (false, false);
    }
}
