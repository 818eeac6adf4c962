//! The default model behind a load: three levels of cache and DRAM.

use super::{Cache, CacheMiss, DataCache, FrontEndConfig};

/// L1 data cache, L2, L3 and DRAM. Every level that does not have a line gets it; no level throws a
/// line out of another.
#[derive(Clone, Debug)]
pub struct CacheHierarchy {
    line_shift: u32,
    first: Cache,
    second: Cache,
    third: Cache,
    latencies: [u32; 3],
}

/// Sources as in the event record, for L2, L3 and DRAM (AMB-13: a hit in the L2 has no code).
const SOURCES: [u8; 3] = [0, 1, 3];

impl CacheHierarchy {
    /// Empty caches. The configuration must be [valid](FrontEndConfig::validate).
    #[must_use]
    pub fn new(config: &FrontEndConfig) -> Self {
        let cache = |bytes: u64, ways: u32| {
            let sets = bytes / (u64::from(ways) * u64::from(config.line_bytes));
            Cache::new(sets as usize, ways as usize)
        };
        Self {
            line_shift: config.line_bytes.trailing_zeros(),
            first: cache(config.l1d_bytes, config.l1d_ways),
            second: cache(config.l2_bytes, config.l2_ways),
            third: cache(config.l3_bytes, config.l3_ways),
            latencies: [config.l2_latency, config.l3_latency, config.dram_latency],
        }
    }

    /// Touches a line that the first level did not have. Returns how far away it was: 0 L2, 1 L3,
    /// 2 DRAM.
    fn fetch(&mut self, line: u64) -> usize {
        if self.second.touch(line) {
            0
        } else if self.third.touch(line) {
            1
        } else {
            2
        }
    }
}

impl DataCache for CacheHierarchy {
    /// A load that touches several lines misses if any of them is absent from the first level, at
    /// the lowest address that is; latency and source are those of the line that is farthest away.
    #[inline]
    fn load(&mut self, addr: u64, size: u16) -> Option<CacheMiss> {
        // A load that wraps around the end of the address space stays at its end.
        let last = addr.saturating_add(u64::from(size.max(1)) - 1);
        let mut miss: Option<(u64, usize)> = None;
        for line in addr >> self.line_shift..=last >> self.line_shift {
            if self.first.touch(line) {
                continue;
            }
            let distance = self.fetch(line);
            let begin = addr.max(line << self.line_shift);
            miss = Some(miss.map_or((begin, distance), |(lowest, before)| (lowest, before.max(distance))));
        }
        let (addr, distance) = miss?;
        Some(CacheMiss { addr, latency: self.latencies[distance], source: SOURCES[distance] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// L1 of one set with 2 lines, L2 of one set with 4, L3 of one set with 8, lines of 64 bytes.
    fn small() -> CacheHierarchy {
        CacheHierarchy::new(&FrontEndConfig {
            l1d_bytes: 128,
            l1d_ways: 2,
            l2_bytes: 256,
            l2_ways: 4,
            l3_bytes: 512,
            l3_ways: 8,
            ..FrontEndConfig::default()
        })
    }

    fn miss(addr: u64, latency: u32, source: u8) -> Option<CacheMiss> {
        Some(CacheMiss { addr, latency, source })
    }

    #[test]
    fn a_line_is_found_in_the_level_that_still_has_it() {
        let mut cache = small();
        for line in 0..8 {
            assert_eq!(cache.load(line * 64, 4), miss(line * 64, 200, 3), "never seen before");
        }
        assert_eq!(cache.load(7 * 64, 4), None, "L1 has 6 and 7");
        assert_eq!(cache.load(5 * 64, 4), miss(5 * 64, 14, 0), "L2 has 4 to 7");
        assert_eq!(cache.load(2 * 64, 4), miss(2 * 64, 40, 1), "L3 has them all");
        assert_eq!(cache.load(8 * 64, 4), miss(8 * 64, 200, 3), "a new one");
    }

    // LWP-DCM-02, LWP-DCM-03: however many lines a load touches, the retire lane shows one miss, at the lowest address that missed.
    #[test]
    fn a_load_across_two_lines_misses_once() {
        let mut cache = small();
        assert_eq!(cache.load(64 - 4, 8), miss(60, 200, 3), "both lines absent: the lower address");
        assert_eq!(cache.load(64 - 4, 8), None, "both there");
        assert_eq!(cache.load(128 - 4, 8), miss(128, 200, 3), "only the upper line absent: its first byte");
    }

    #[test]
    fn the_farther_line_gives_latency_and_source() {
        let mut cache = small();
        cache.load(0, 1);
        cache.load(2 * 64, 1);
        cache.load(3 * 64, 1);
        // Line 0 is now in the L2 only, line 1 nowhere.
        assert_eq!(cache.load(60, 8), miss(60, 200, 3));
    }

    #[test]
    fn the_ends_of_the_address_space_are_no_trap() {
        let mut cache = small();
        assert_eq!(cache.load(u64::MAX, 8), miss(u64::MAX, 200, 3));
        assert_eq!(cache.load(0, 0), miss(0, 200, 3), "an unknown size is one byte");
    }
}
