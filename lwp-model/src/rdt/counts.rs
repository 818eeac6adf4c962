//! Stage counts: occupancy and bandwidth of each RMID.

use super::config::Config;
use super::state::Rmid;

/// A counter counts modulo 2^62.
const MASK: u64 = (1 << 62) - 1;

/// Whether an event is monitored: 0 occupancy, 1 total bandwidth, 2 local bandwidth.
#[inline]
const fn has(straps: &Config, event: u8) -> bool {
    straps.events >> event & 1 == 1
}

impl Rmid {
    /// Charges a line that memory took or was asked for.
    #[inline]
    pub(super) const fn charge(&mut self, local: bool, straps: &Config) {
        if has(straps, 1) {
            self.total = (self.total + 1) & MASK;
        }
        if has(straps, 2) && local {
            self.local = (self.local + 1) & MASK;
        }
    }

    /// Counts a line that was filled into the L3 cache.
    #[inline]
    pub(super) const fn fill(&mut self, straps: &Config) {
        self.occupancy = self.occupancy.wrapping_add(has(straps, 0) as u32) & 0x1_FFFF;
    }

    /// Counts a line that left the L3 cache.
    #[inline]
    pub(super) const fn leave(&mut self, straps: &Config) {
        self.occupancy = self.occupancy.wrapping_sub(has(straps, 0) as u32) & 0x1_FFFF;
    }
}

/// Sets the bandwidth counters to their value after reset.
#[inline]
pub(super) fn start(rmids: &mut [Rmid], straps: &Config) {
    for rmid in rmids.iter_mut().take(usize::from(straps.max_rmid) + 1) {
        if has(straps, 1) {
            rmid.total = straps.start;
        }
        if has(straps, 2) {
            rmid.local = straps.start;
        }
    }
}
