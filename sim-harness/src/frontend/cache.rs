//! One level of cache: which lines are in it.

/// A set-associative cache with least-recently-used replacement. It holds tags only.
#[derive(Clone, Debug)]
pub struct Cache {
    /// For each set its lines, the most recently used first. 0 is an empty place: see `touch`.
    lines: Vec<u64>,
    ways: usize,
    set_mask: u64,
}

impl Cache {
    /// An empty cache of `sets` sets (a power of two) with `ways` lines each.
    #[must_use]
    pub fn new(sets: usize, ways: usize) -> Self {
        debug_assert!(sets.is_power_of_two() && ways > 0);
        Self { lines: vec![0; sets * ways], ways, set_mask: sets as u64 - 1 }
    }

    /// Looks for a line by its number (address divided by the bytes of a line) and makes it the most
    /// recently used of its set; if it was absent it displaces the least recently used. Returns
    /// whether it was there.
    #[inline]
    pub fn touch(&mut self, line: u64) -> bool {
        let first = (line & self.set_mask) as usize * self.ways;
        let set = &mut self.lines[first..first + self.ways];
        // Numbers are at most 2^60, so that one more is never 0, which is an empty place.
        let mark = line + 1;
        if set[0] == mark {
            return true;
        }
        let place = set.iter().position(|known| *known == mark);
        let last = place.unwrap_or(self.ways - 1);
        set.copy_within(..last, 1);
        set[0] = mark;
        place.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_line_of_a_set_goes_first() {
        // Two sets of two ways: even lines in set 0, odd ones in set 1.
        let mut cache = Cache::new(2, 2);
        assert!(!cache.touch(0));
        assert!(!cache.touch(2));
        assert!(!cache.touch(1), "the other set");
        assert!(cache.touch(0), "now 2 is the older one");
        assert!(!cache.touch(4), "displaces 2");
        assert!(cache.touch(0));
        assert!(!cache.touch(2), "displaces 4");
        assert!(!cache.touch(4), "displaces 0");
        assert!(!cache.touch(0));
        assert!(cache.touch(1), "the other set was never full");
    }
}
