//! Ticks of a clock.

/// Cycles until the next tick of a clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Countdown {
    period: u64,
    left: u64,
}

impl Countdown {
    /// Returns a countdown that ticks in the first cycle and then every `period` cycles; with a period of 0 never.
    pub(crate) const fn new(period: u64) -> Self {
        Self { period, left: if period == 0 { u64::MAX } else { 0 } }
    }

    #[inline]
    /// Returns whether it ticks in the next cycle.
    pub(crate) const fn tick(&mut self) -> bool {
        let ticks = self.left == 0;
        self.left = if ticks { self.period } else { self.left } - 1;
        ticks
    }
}
