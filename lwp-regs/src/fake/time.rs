//! The time-stamp counter of the fake.

use super::{Access, FakeMsrs};
use crate::access::TimeBus;

/// The counter, and by how much each look at it advances it.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(super) struct Time {
    pub(super) now: u64,
    pub(super) step: u64,
    pub(super) aux: u32,
}

impl Time {
    #[inline]
    const fn look(&mut self) -> u64 {
        let now = self.now;
        self.now = now.wrapping_add(self.step);
        now
    }
}

impl<const N: usize, F: Clone, const T: usize> TimeBus for FakeMsrs<'_, N, F, T> {
    type Fault = F;

    fn rdtsc(&mut self) -> Result<u64, F> {
        self.begin(Access::Rdtsc)?;
        Ok(self.time.look())
    }

    fn rdtscp(&mut self) -> Result<(u64, u32), F> {
        self.begin(Access::Rdtscp)?;
        Ok((self.time.look(), self.time.aux))
    }
}
