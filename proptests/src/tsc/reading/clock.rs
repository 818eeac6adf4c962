//! The time since reset, in ticks of the counter.

use super::Coverage;
use lwp_model::retire::Processor;
use lwp_model::tsc::{Config, DeepSleep};
use lwp_regs::tsc::TscRate;

/// The number of parts of a tick: ratios of core clock to bus clock are given in halves.
const HALVES: u128 = 2;

/// The clock that all logical processors share: the time since reset.
///
/// Time is a rational number of ticks. The counter is a whole number: it counts the clock periods that are complete.
/// The fraction of a period is kept, since the documents give the frequency as a product with a ratio, without
/// rounding.
///
/// The fraction is shared, and a write does not change it. Otherwise two processors with the same `IA32_TSC_ADJUST`
/// could differ, which the documents exclude.
#[derive(Debug)]
pub(super) struct Clock {
    straps: Config,
    /// The time in parts of a tick: halves, or 1 / `art_denominator`.
    parts: u128,
    /// The ratio in the first cycle after reset.
    boot: Option<u8>,
}

impl Clock {
    pub(super) const fn new(straps: &Config) -> Self {
        Self { straps: *straps, parts: 0, boot: None }
    }

    /// Returns the complete ticks of the counter since reset, modulo 2^64.
    pub(super) const fn ticks(&self) -> u64 {
        let parts = match self.straps.rate {
            TscRate::Invariant => self.straps.art_denominator as u128,
            _ => HALVES,
        };
        (self.parts / parts) as u64
    }

    /// Advances the time by one cycle. HLT and STPCLK# have no effect (TSC-04).
    pub(super) fn cycle(&mut self, pins: &Processor, coverage: &mut Coverage) {
        let boot = *self.boot.get_or_insert(pins.core_ratio);
        let crystal = self.straps.rate == TscRate::Invariant;
        let tick = if crystal { pins.crystal_tick } else { pins.bus_tick };
        if !tick {
            return;
        }
        // TSC-05: "may stop the TSC" is a strap.
        let stops = self.straps.deep_sleep == DeepSleep::Stop;
        coverage.slept += u64::from(pins.dpslp && stops);
        coverage.sleepless += u64::from(pins.dpslp && !stops);
        coverage.halted += u64::from(pins.halted || pins.stpclk);
        if pins.dpslp && stops {
            return;
        }
        let changed = !crystal && pins.core_ratio != boot;
        coverage.varied += u64::from(changed && self.straps.rate == TscRate::Variable);
        coverage.steady += u64::from(changed && self.straps.rate != TscRate::Variable);
        self.parts += match self.straps.rate {
            // TSC-13, TSC-25: the numerator of CPUID.15H.
            TscRate::Invariant => {
                u128::from(self.straps.art_whole) * u128::from(self.straps.art_denominator)
                    + u128::from(self.straps.art_rest)
            }
            // TSC-07: one of two constants.
            TscRate::ConstantMax => self.straps.max_ratio.into(),
            TscRate::ConstantBoot => boot.into(),
            // TSC-06
            TscRate::Variable => pins.core_ratio.into(),
        };
    }
}
