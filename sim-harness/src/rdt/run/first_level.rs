//! First-level cache of a program: the lines that it holds, and which of them were written.

/// A set-associative cache with least-recently-used replacement that allocates for reads and writes and writes lines back. It holds
/// tags only and takes no time.
#[derive(Clone, Debug)]
pub(super) struct FirstLevel {
    /// For each set its lines, the most recently used first: `VALID`, `DIRTY` and the number of the line; 0 is an empty place.
    lines: Vec<u64>,
    ways: usize,
    set_mask: u64,
}

const VALID: u64 = 1 << 63;
const DIRTY: u64 = 1 << 62;

/// Result of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Looked {
    /// The line was there.
    Hit,
    /// The line was not there and is now. The line that it displaced is written back if it was written.
    Miss { written_back: Option<u64> },
}

/// Size of a first-level cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Size {
    /// Bytes.
    pub(super) bytes: u64,
    /// Lines of a set.
    pub(super) ways: u64,
}

impl Size {
    /// Returns the sets with lines of 2^`line` bytes; `None` unless they are a power of two.
    pub(super) fn sets(self, line: u8) -> Option<usize> {
        let of_a_set = self.ways.checked_shl(u32::from(line)).filter(|bytes| *bytes > 0)?;
        let sets = self.bytes / of_a_set;
        (sets.is_power_of_two() && sets * of_a_set == self.bytes).then_some(sets as usize)
    }
}

impl FirstLevel {
    /// An empty cache of so many sets, a power of two, with so many lines each.
    pub(super) fn new(sets: usize, ways: usize) -> Self {
        Self { lines: vec![0; sets * ways], ways, set_mask: sets as u64 - 1 }
    }

    /// Reads or writes a line, by its number below 2^62.
    #[inline]
    pub(super) fn access(&mut self, line: u64, write: bool) -> Looked {
        let first = (line & self.set_mask) as usize * self.ways;
        let set = &mut self.lines[first..first + self.ways];
        let dirty = if write { DIRTY } else { 0 };
        let found = set.iter().position(|known| known & !DIRTY == line | VALID);
        let last = found.unwrap_or(self.ways - 1);
        let old = set[last];
        set.copy_within(..last, 1);
        if found.is_some() {
            set[0] = old | dirty;
            return Looked::Hit;
        }
        set[0] = line | VALID | dirty;
        let written_back = (old & DIRTY != 0).then_some(old & !(VALID | DIRTY));
        Looked::Miss { written_back }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MISS: Looked = Looked::Miss { written_back: None };

    /// Two sets of two ways: even lines in set 0, odd ones in set 1.
    #[test]
    fn the_least_recently_used_line_of_a_set_goes_first() {
        let mut cache = FirstLevel::new(2, 2);
        assert_eq!(cache.access(0, false), MISS);
        assert_eq!(cache.access(2, false), MISS);
        assert_eq!(cache.access(1, false), MISS, "the other set");
        assert_eq!(cache.access(0, false), Looked::Hit, "now 2 is the older one");
        assert_eq!(cache.access(4, false), MISS, "displaces 2");
        assert_eq!(cache.access(0, false), Looked::Hit);
        assert_eq!(cache.access(2, false), MISS, "displaces 4");
        assert_eq!(cache.access(1, false), Looked::Hit, "the other set was never full");
    }

    #[test]
    fn what_was_written_is_written_back_once() {
        let mut cache = FirstLevel::new(1, 2);
        assert_eq!(cache.access(0, true), MISS);
        assert_eq!(cache.access(1, false), MISS);
        assert_eq!(cache.access(2, false), Looked::Miss { written_back: Some(0) });
        assert_eq!(cache.access(2, true), Looked::Hit, "a hit that writes makes the line dirty");
        assert_eq!(cache.access(2, false), Looked::Hit, "and a read leaves it dirty");
        assert_eq!(cache.access(0, false), MISS, "1 was not written");
        assert_eq!(cache.access(3, false), Looked::Miss { written_back: Some(2) });
        assert_eq!(cache.access(4, false), MISS, "0 came back clean");
    }

    #[test]
    fn sizes_are_whole_sets() {
        assert_eq!(Size { bytes: 32 << 10, ways: 8 }.sets(6), Some(64));
        assert_eq!(Size { bytes: 64, ways: 1 }.sets(6), Some(1));
        assert_eq!(Size { bytes: 48 << 10, ways: 8 }.sets(6), None, "96 sets");
        assert_eq!(Size { bytes: 100, ways: 1 }.sets(6), None);
        assert_eq!(Size { bytes: 0, ways: 8 }.sets(6), None);
        assert_eq!(Size { bytes: 64, ways: 0 }.sets(6), None);
    }
}
