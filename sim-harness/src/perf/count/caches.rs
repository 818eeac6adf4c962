//! The caches and the instruction TLB of the front end: those of a Pentium III, with write-back data cache and L2.

use super::facts::{Fact, Facts};

/// Bytes of a line.
const LINE: u64 = 32;
/// Bytes of a fetch.
const FETCH: u64 = 16;
/// Bytes of a page.
const PAGE: u64 = 4096;

/// State of a line. One processor shares nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Exclusive,
    Modified,
}

/// Set-associative cache of tags with least-recently-used replacement.
#[derive(Clone, Debug)]
struct Tags {
    /// Each set with the most recently used line first.
    sets: Vec<Vec<(u64, State)>>,
    ways: usize,
}

impl Tags {
    fn new(entries: usize, ways: usize) -> Self {
        Self { sets: vec![Vec::with_capacity(ways); entries / ways], ways }
    }

    fn set(&mut self, line: u64) -> &mut Vec<(u64, State)> {
        let at = line as usize % self.sets.len();
        &mut self.sets[at]
    }

    /// Makes a line the most recently used one, and returns its state.
    #[inline]
    fn find(&mut self, line: u64) -> Option<&mut State> {
        let set = self.set(line);
        let at = set.iter().position(|(tag, _)| *tag == line)?;
        set[..=at].rotate_right(1);
        Some(&mut set[0].1)
    }

    /// Allocates a line that is absent, and returns the line that leaves.
    fn insert(&mut self, line: u64, state: State) -> Option<(u64, State)> {
        let ways = self.ways;
        let set = self.set(line);
        let leaves = if set.len() == ways { set.pop() } else { None };
        set.insert(0, (line, state));
        leaves
    }
}

/// Who asks the L2.
#[derive(Clone, Copy)]
enum Asks {
    Fetch,
    Load,
    Store,
}

/// Instruction cache, data cache, L2, instruction TLB.
#[derive(Clone, Debug)]
pub(super) struct Caches {
    code: Tags,
    data: Tags,
    second: Tags,
    pages: Tags,
    /// The block of code that was fetched last.
    block: Option<u64>,
}

impl Caches {
    /// Empty caches: 16 KiB of code and of data, 512 KiB of L2, all in four ways; 32 pages in four ways.
    pub(super) fn new() -> Self {
        let lines = |kilobytes: u64| Tags::new((kilobytes * 1024 / LINE) as usize, 4);
        Self { code: lines(16), data: lines(16), second: lines(512), pages: Tags::new(32, 4), block: None }
    }

    /// Fetches the blocks of an instruction, but for the block that was fetched last.
    pub(super) fn fetch(&mut self, ip: u64, length: u8, facts: &mut Facts) {
        let last = ip.saturating_add(u64::from(length.max(1)) - 1);
        for block in ip / FETCH..=last / FETCH {
            if self.block == Some(block) {
                continue;
            }
            self.block = Some(block);
            facts.add(Fact::Fetches, 1);
            let (page, line) = (block * FETCH / PAGE, block * FETCH / LINE);
            if self.pages.find(page).is_none() {
                facts.add(Fact::ItlbMisses, 1);
                self.pages.insert(page, State::Exclusive);
            }
            if self.code.find(line).is_none() {
                facts.add(Fact::FetchMisses, 1);
                self.ask(line, Asks::Fetch, facts);
                self.code.insert(line, State::Exclusive);
            }
        }
    }

    /// Loads or stores bytes; of an unknown size one.
    pub(super) fn access(&mut self, addr: u64, size: u16, store: bool, facts: &mut Facts) {
        let last = addr.saturating_add(u64::from(size.max(1)) - 1);
        for line in addr / LINE..=last / LINE {
            if let Some(state) = self.data.find(line) {
                if store {
                    *state = State::Modified;
                }
                continue;
            }
            self.ask(line, if store { Asks::Store } else { Asks::Load }, facts);
            facts.add(Fact::DataIn, 1);
            facts.add(Fact::DataModifiedIn, u32::from(store));
            let state = if store { State::Modified } else { State::Exclusive };
            if let Some((line, State::Modified)) = self.data.insert(line, state) {
                facts.add(Fact::DataModifiedOut, 1);
                self.write_back(line, facts);
            }
        }
    }

    /// Asks the L2 for a line, which it allocates if it lacks it.
    fn ask(&mut self, line: u64, who: Asks, facts: &mut Facts) {
        let (fetch, load, store, request) = match self.second.find(line) {
            None => (Fact::L2FetchI, Fact::L2LoadI, Fact::L2StoreI, Fact::L2RequestI),
            Some(State::Exclusive) => (Fact::L2FetchE, Fact::L2LoadE, Fact::L2StoreE, Fact::L2RequestE),
            Some(State::Modified) => (Fact::L2FetchM, Fact::L2LoadM, Fact::L2StoreM, Fact::L2RequestM),
        };
        let own = match who {
            Asks::Fetch => fetch,
            Asks::Load => load,
            Asks::Store => store,
        };
        facts.add(own, 1);
        facts.add(request, 1);
        facts.add(Fact::LastLevel, 1);
        if request == Fact::L2RequestI {
            facts.add(Fact::LastLevelMisses, 1);
            self.allocate(line, State::Exclusive, facts);
        }
    }

    /// Takes a modified line from the data cache.
    fn write_back(&mut self, line: u64, facts: &mut Facts) {
        match self.second.find(line) {
            Some(state) => *state = State::Modified,
            None => {
                facts.add(Fact::L2ModifiedIn, 1);
                self.allocate(line, State::Modified, facts);
            }
        }
    }

    fn allocate(&mut self, line: u64, state: State, facts: &mut Facts) {
        facts.add(Fact::L2In, 1);
        if let Some((_, state)) = self.second.insert(line, state) {
            facts.add(Fact::L2Out, 1);
            facts.add(Fact::L2ModifiedOut, u32::from(state == State::Modified));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Facts that are not 0.
    fn some(facts: &Facts) -> Vec<(Fact, u32)> {
        Fact::ALL.iter().map(|fact| (*fact, facts.of(*fact))).filter(|(_, number)| *number > 0).collect()
    }

    #[test]
    fn a_line_comes_from_memory_once() {
        let (mut caches, mut facts) = (Caches::new(), Facts::default());
        caches.access(0x1000, 8, false, &mut facts);
        caches.access(0x1018, 8, true, &mut facts);
        let expected = [
            (Fact::DataIn, 1),
            (Fact::L2LoadI, 1),
            (Fact::L2RequestI, 1),
            (Fact::L2In, 1),
            (Fact::LastLevel, 1),
            (Fact::LastLevelMisses, 1),
        ];
        assert_eq!(some(&facts), expected);
    }

    /// Five lines of one set of the data cache, which are 4 KiB apart.
    #[test]
    fn a_modified_line_leaves_and_is_found_modified() {
        let (mut caches, mut facts) = (Caches::new(), Facts::default());
        for line in 0..5 {
            caches.access(line * 4096, 4, true, &mut facts);
        }
        assert_eq!((facts.of(Fact::DataModifiedIn), facts.of(Fact::DataModifiedOut)), (5, 1));
        assert_eq!((facts.of(Fact::L2StoreI), facts.of(Fact::L2In), facts.of(Fact::L2ModifiedIn)), (5, 5, 0));
        caches.access(0, 4, false, &mut facts);
        assert_eq!((facts.of(Fact::L2LoadM), facts.of(Fact::DataModifiedOut)), (1, 2));
    }

    #[test]
    fn an_access_across_lines_asks_for_both() {
        let (mut caches, mut facts) = (Caches::new(), Facts::default());
        caches.access(0x101C, 8, false, &mut facts);
        assert_eq!((facts.of(Fact::DataIn), facts.of(Fact::L2LoadI)), (2, 2));
        caches.access(u64::MAX, 8, false, &mut facts);
        assert_eq!(facts.of(Fact::DataIn), 3);
    }

    /// 16 bytes are a fetch, 32 a line, 4096 a page.
    #[test]
    fn code_is_fetched_in_blocks() {
        let (mut caches, mut facts) = (Caches::new(), Facts::default());
        for (ip, length) in [(0x1000, 4), (0x1004, 4), (0x1008, 10), (0x1012, 2), (0x1000, 4), (0x1000, 4)] {
            caches.fetch(ip, length, &mut facts);
        }
        let (fetches, misses) = (facts.of(Fact::Fetches), facts.of(Fact::FetchMisses));
        assert_eq!((fetches, misses, facts.of(Fact::ItlbMisses)), (3, 1, 1));
        caches.fetch(0x2FFE, 4, &mut facts);
        assert_eq!((facts.of(Fact::Fetches), facts.of(Fact::ItlbMisses)), (5, 3));
    }

    /// 128 KiB lie between the lines of a set of the L2.
    #[test]
    fn the_l2_lets_its_oldest_line_go() {
        let (mut caches, mut facts) = (Caches::new(), Facts::default());
        for line in 0..5 {
            caches.access(line << 17, 4, true, &mut facts);
        }
        // The fifth line takes the place of the first, which the data cache then writes back: it takes that of the second.
        let of = |fact| facts.of(fact);
        assert_eq!((of(Fact::L2In), of(Fact::L2Out), of(Fact::L2ModifiedIn), of(Fact::L2ModifiedOut)), (6, 2, 1, 0));
    }
}
