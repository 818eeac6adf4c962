//! Step 5 of a cycle, filter: privilege level and AnyThread.

use super::control::Asked;
use super::lines::Lines;
use super::select::{Clock, Selection};

/// What all cells of the unit see in a cycle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen<'a, const LP: usize> {
    pub(super) core_clock: bool,
    pub(super) bus_tick: bool,
    /// The odd events have pins.
    pub(super) fits_now: bool,
    pub(super) levels: [u8; LP],
    pub(super) lines: [Lines<'a>; LP],
}

/// What passes the filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Passed {
    /// Some logical processor is at a level that counts.
    pub(super) fits: bool,
    /// What the selection yields on those.
    pub(super) n: u32,
}

impl<const LP: usize> Seen<'_, LP> {
    /// Whether the clock of the selection ticks.
    #[inline]
    pub(super) const fn sample(&self, selection: &Selection) -> bool {
        match selection.clock {
            Clock::Core => self.core_clock,
            Clock::Bus => self.bus_tick,
        }
    }

    /// What passes for a counter of logical processor `own`.
    #[inline]
    pub(super) fn filter(&self, own: usize, asked: &Asked, selection: &Selection) -> Passed {
        let mut passed = Passed { fits: false, n: 0 };
        if !selection.something() {
            return passed;
        }
        for (lp, (level, lines)) in self.levels.iter().zip(&self.lines).enumerate() {
            if (lp == own || asked.any) && asked.levels >> level & 1 != 0 {
                passed.fits = true;
                passed.n += selection.number(lines);
            }
        }
        if selection.level_kind {
            passed.n = passed.n.min(1);
        }
        passed
    }
}
