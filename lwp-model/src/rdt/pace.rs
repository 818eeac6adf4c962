//! Stage pace: the credit of a logical processor.

use super::config::{Config, Scope};
use super::state::{Class, Lp};

/// What a logical processor earns in this cycle, and what a request of the L3 cache costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pace {
    rate: u16,
    cost: u16,
}

impl Pace {
    /// Returns the pace of a delay.
    #[inline]
    const fn of(delay: u16, straps: &Config) -> Self {
        let period = straps.mba_period as u16;
        if delay == 0 {
            Self { rate: 0, cost: 0 }
        } else if straps.mba_linear {
            Self { rate: 100 - delay, cost: 100 * period }
        } else {
            Self { rate: 1, cost: period + (1 << delay.ilog2()) }
        }
    }

    /// Returns the pace of each logical processor.
    #[inline]
    pub(super) fn all<const LPS: usize>(lps: &[Lp; LPS], classes: &[Class], straps: &Config) -> [Self; LPS] {
        if !straps.mba {
            return [Self::default(); LPS];
        }
        let delay = |cos: u8| classes[usize::from(cos)].delay;
        match straps.mba_scope {
            Scope::Thread => lps.each_ref().map(|lp| Self::of(delay(lp.access_cos), straps)),
            Scope::Core => {
                let most = lps.iter().map(|lp| delay(lp.cos)).max().unwrap_or(0);
                [Self::of(most, straps); LPS]
            }
        }
    }

    /// Whether a request is paid for.
    #[inline]
    pub(super) const fn allows(self, credit: u16) -> bool {
        credit >= self.cost
    }

    /// Returns the credit of the next cycle. `chosen`: a request of the L3 cache is paid in this cycle. Credit that was earned under a
    /// larger cost is cut before it is spent.
    #[inline]
    pub(super) fn earn(self, credit: u16, chosen: bool) -> u16 {
        let spent = if chosen { self.cost } else { 0 };
        self.cost.min(self.cost.min(credit) + self.rate - spent)
    }
}
