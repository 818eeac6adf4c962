//! A 64-bit sum over a narrower counter.

use super::CounterWidth;

/// A 64-bit sum over a hardware counter that is narrower and shared: what the counter showed when counting began, and
/// what has been added up before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Accumulator {
    start: u64,
    sum: u64,
}

impl Accumulator {
    /// A sum of 0 over a counter that shows `start`.
    #[must_use]
    #[inline]
    pub const fn new(start: u64) -> Self {
        Self { start, sum: 0 }
    }

    /// What the counter showed when counting began, or at the last sample.
    #[must_use]
    #[inline]
    pub const fn start(&self) -> u64 {
        self.start
    }

    /// What has been added up, up to the last sample.
    #[must_use]
    #[inline]
    pub const fn sum(&self) -> u64 {
        self.sum
    }

    /// Counting begins, or begins again, with the counter showing `now`.
    #[inline]
    pub const fn restart(&mut self, now: u64) {
        self.start = now;
    }

    /// Adds what was counted since `start`, and counts on from `now`.
    #[inline]
    pub const fn sample(&mut self, width: CounterWidth, now: u64) {
        self.sum = self.read(width, now);
        self.start = now;
    }

    /// The sum, with what was counted since `start`.
    #[must_use]
    #[inline]
    pub const fn read(&self, width: CounterWidth, now: u64) -> u64 {
        self.sum.wrapping_add(width.delta(self.start, now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // VPC-05, VPC-10: 64 bits over a counter of 40 that wraps three times
    #[test]
    fn a_wrap_between_samples_loses_nothing() {
        let width = CounterWidth::new(40).unwrap();
        let mut sum = Accumulator::new(0x12);
        let mut counter = 0x12u64;
        for _ in 0..4 {
            counter += 0xC0_0000_0000;
            sum.sample(width, counter & 0xFF_FFFF_FFFF);
        }
        assert_eq!(sum.sum(), 0x300_0000_0000);
    }

    // VPC-38: a second sample without counting adds nothing
    #[test]
    fn nothing_is_counted_twice() {
        let width = CounterWidth::new(40).unwrap();
        let mut sum = Accumulator::new(100);
        assert_eq!(sum.read(width, 150), 50);
        sum.sample(width, 150);
        sum.sample(width, 150);
        assert_eq!((sum.sum(), sum.start()), (50, 150));
        sum.restart(9000);
        assert_eq!(sum.read(width, 9001), 51);
    }
}
