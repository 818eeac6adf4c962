//! Step 2 of a cycle, rate, and step 4, boot.

use super::config::{Config, DeepSleep};
use super::state::RateRegs;
use crate::retire::Processor as Pins;
use lwp_regs::tsc::{RateStep, TimeBase, TscRate};

impl RateRegs {
    /// Returns the ticks of this cycle (17 bits), and the registers of the next one. `art` is the ratio of counter to crystal.
    #[inline]
    pub(super) fn next(self, pins: &Pins, straps: &Config, art: RateStep) -> (u32, Self) {
        let (ticks, fraction) =
            if runs(pins, straps) { self.step(pins, straps, art).advance(self.fraction) } else { (0, self.fraction) };
        (ticks, Self { fraction, ..self.boot(pins, straps) })
    }

    /// Returns the ticks of the counter per tick of the time base.
    #[inline]
    const fn step(self, pins: &Pins, straps: &Config, art: RateStep) -> RateStep {
        match straps.rate {
            TscRate::Invariant => art,
            TscRate::ConstantMax => RateStep::from_halves(straps.max_ratio),
            TscRate::ConstantBoot if self.booted => RateStep::from_halves(self.boot_ratio),
            TscRate::ConstantBoot | TscRate::Variable => RateStep::from_halves(pins.core_ratio),
        }
    }

    #[inline]
    const fn boot(self, pins: &Pins, straps: &Config) -> Self {
        if matches!(straps.rate, TscRate::ConstantBoot) && !self.booted {
            Self { booted: true, boot_ratio: pins.core_ratio, ..self }
        } else {
            self
        }
    }
}

/// Whether the counters run in this cycle.
#[inline]
const fn runs(pins: &Pins, straps: &Config) -> bool {
    let tick = match straps.rate.time_base() {
        TimeBase::Crystal => pins.crystal_tick,
        TimeBase::BusClock => pins.bus_tick,
    };
    let stopped = pins.dpslp && matches!(straps.deep_sleep, DeepSleep::Stop);
    straps.present && tick && !stopped
}
