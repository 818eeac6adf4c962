//! How wide a counter is, and what follows from it.

use core::fmt;
use core::time::Duration;

/// Width of a hardware counter, 1 to 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct CounterWidth(u8);

impl CounterWidth {
    /// The time-stamp counter.
    pub const TSC: Self = Self(64);

    /// A counter of `bits` bits; `None` for 0 and above 64.
    #[must_use]
    #[inline]
    pub const fn new(bits: u8) -> Option<Self> {
        if bits == 0 || bits > 64 { None } else { Some(Self(bits)) }
    }

    /// The width in bits.
    #[must_use]
    #[inline]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The largest count.
    #[must_use]
    #[inline]
    pub const fn max(self) -> u64 {
        u64::MAX >> (64 - self.0)
    }

    /// How far the counter has advanced from `start` to `now`, modulo 2^width: right as long as it was less than a full
    /// turn.
    #[must_use]
    #[inline]
    pub const fn delta(self, start: u64, now: u64) -> u64 {
        now.wrapping_sub(start) & self.max()
    }

    /// Whether the top bit of the count is set: a counter that was preset to overflow has not done so yet.
    #[must_use]
    #[inline]
    pub const fn is_negative(self, count: u64) -> bool {
        count >> (self.0 - 1) & 1 != 0
    }

    /// How long the counter takes for a full turn if it advances by `rate` in a second; `None` if it does not advance,
    /// or takes more than 2^64 seconds.
    #[must_use]
    pub fn wraps_after(self, rate: u64) -> Option<Duration> {
        let turn = 1u128 << self.0;
        let rate = u128::from(rate);
        let seconds = u64::try_from(turn.checked_div(rate)?).ok()?;
        let nanos = (turn % rate) * 1_000_000_000 / rate;
        Some(Duration::new(seconds, nanos as u32))
    }

    /// Whether sampling the counter every `interval` loses nothing while it advances by at most `rate` in a second.
    ///
    /// # Errors
    ///
    /// [`SampledTooRarely`] when the counter may make a full turn from one sample to the next.
    pub fn check_interval(self, interval: Duration, rate: u64) -> Result<(), SampledTooRarely> {
        match self.wraps_after(rate) {
            Some(wraps_after) if interval >= wraps_after => Err(SampledTooRarely { interval, wraps_after }),
            _ => Ok(()),
        }
    }
}

/// A counter may make a full turn between two samples; its sum would miss it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SampledTooRarely {
    /// The time between two samples.
    pub interval: Duration,
    /// The time for a full turn.
    pub wraps_after: Duration,
}

impl fmt::Display for SampledTooRarely {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { interval, wraps_after } = self;
        write!(f, "the counter may wrap after {wraps_after:?}; sample more often than every {interval:?}")
    }
}

impl core::error::Error for SampledTooRarely {}

#[cfg(test)]
mod tests {
    use super::*;

    fn width(bits: u8) -> CounterWidth {
        CounterWidth::new(bits).unwrap()
    }

    // VPC-41: modulo the width, right up to a full turn
    #[test]
    fn delta_at_the_wrap() {
        assert_eq!(width(40).delta(0xFF_FFFF_FFFF, 0), 1);
        assert_eq!(width(40).delta(0xFF_FFFF_FFF0, 0x10), 0x20);
        assert_eq!(width(40).delta(5, 4), 0xFF_FFFF_FFFF, "one less than a full turn");
        assert_eq!(width(40).delta(5, 5), 0, "a full turn cannot be seen");
        assert_eq!(width(48).delta(0xFFFF_FFFF_FFFF, 1), 2);
        assert_eq!(width(64).delta(u64::MAX, 1), 2);
        assert_eq!(width(1).delta(1, 0), 1);
        assert_eq!((CounterWidth::new(0), CounterWidth::new(65)), (None, None));
    }

    #[test]
    fn sign() {
        assert!(width(40).is_negative(0x80_0000_0000) && !width(40).is_negative(0x7F_FFFF_FFFF));
        assert!(width(64).is_negative(u64::MAX));
    }

    // VPC-41: 2^40 at 1 GHz and one event per cycle is 1099.5 s; at the 653 MHz of a Pentium III 1683.8 s
    #[test]
    fn how_often_to_sample() {
        assert_eq!(width(40).wraps_after(1_000_000_000), Some(Duration::new(1099, 511_627_776)));
        assert_eq!(width(40).wraps_after(653_000_000).unwrap().as_secs(), 1683);
        assert_eq!(width(32).wraps_after(1 << 32), Some(Duration::from_secs(1)));
        assert_eq!(width(32).wraps_after(0), None);
        assert_eq!(width(64).wraps_after(1), None);
        let check = |interval| width(32).check_interval(Duration::from_millis(interval), 1 << 32);
        assert_eq!(check(999), Ok(()));
        let error = SampledTooRarely { interval: Duration::from_secs(1), wraps_after: Duration::from_secs(1) };
        assert_eq!(check(1000), Err(error));
        assert_eq!(width(32).check_interval(Duration::MAX, 0), Ok(()));
    }
}
