//! Step 5 of a cycle, filter: privilege level and AnyThread. Operators, not branches, since what passes changes from cycle to cycle.

use super::control::Asked;
use super::inputs::Inputs;
use super::select::{Clock, Selection};

/// What all cells of the unit see in a cycle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen<'a, const LP: usize, const LANES: usize> {
    pub(super) inputs: &'a Inputs<LP, LANES>,
    /// The odd events have pins.
    pub(super) fits_now: bool,
    /// The level of each logical processor.
    pub(super) levels: [u8; LP],
    /// The lines that the unit makes of each.
    pub(super) made: [u32; LP],
}

/// What passes the filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Passed {
    /// Some logical processor is at a level that counts.
    pub(super) fits: bool,
    /// What the selection yields on those.
    pub(super) n: u32,
}

impl<const LP: usize, const LANES: usize> Seen<'_, LP, LANES> {
    /// Whether the clock of the selection ticks.
    #[inline]
    pub(super) const fn sample(&self, selection: &Selection) -> bool {
        if matches!(selection.clock, Clock::Bus) { self.inputs.bus_tick } else { self.inputs.core_clock }
    }

    /// What passes for a counter of logical processor `own`.
    #[inline]
    pub(super) fn filter(&self, own: usize, asked: &Asked) -> Passed {
        let Passed { fits, n } = if asked.any { self.of_all(asked) } else { self.of(own, asked) };
        Passed { fits, n: n.min(asked.selection.most) }
    }

    /// What a logical processor shows, if it is at a level that counts. Something is selected.
    #[inline]
    fn of(&self, lp: usize, asked: &Asked) -> Passed {
        let fits = asked.counts_at(self.levels[lp]);
        let n = asked.selection.number(&self.inputs.lp[lp].events, self.made[lp]);
        Passed { fits, n: n * u32::from(fits) }
    }

    fn of_all(&self, asked: &Asked) -> Passed {
        (0..LP).map(|lp| self.of(lp, asked)).fold(Passed { fits: false, n: 0 }, |all, Passed { fits, n }| Passed {
            fits: all.fits | fits,
            n: all.n + n,
        })
    }
}
