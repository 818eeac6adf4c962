//! What a delay does to a logical processor, by the chapter "Each cycle": for monitors and coverage.

use super::Registers;
use lwp_model::rdt::{Config, Scope};

/// Credit earned in a cycle, and the price of an access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Price {
    /// Credit earned in a cycle.
    pub rate: u64,
    /// Price of an access.
    pub cost: u64,
}

impl Price {
    /// Returns the price under a delay.
    #[must_use]
    pub fn of(straps: &Config, delay: u64) -> Self {
        let period = u64::from(straps.mba_period);
        match delay {
            0 => Self { rate: 0, cost: 0 },
            delay if straps.mba_linear => Self { rate: 100 - delay, cost: 100 * period },
            delay => Self { rate: 1, cost: period + (1 << delay.ilog2()) },
        }
    }
}

/// Returns the delay of a class.
#[must_use]
pub fn of_class(straps: &Config, state: &Registers<'_>, class: u8) -> u64 {
    let has = straps.mba && class <= straps.mba_cos;
    if has { state.class[usize::from(class)].delay.into() } else { 0 }
}

/// Returns the delay of logical processor `lp` of `lps`.
#[must_use]
pub fn delay(straps: &Config, state: &Registers<'_>, lp: usize, lps: usize) -> u64 {
    match straps.mba_scope {
        Scope::Thread => of_class(straps, state, state.lp[lp].access_cos),
        Scope::Core => state.lp[..lps].iter().map(|lp| of_class(straps, state, lp.cos)).max().unwrap_or(0),
    }
}
