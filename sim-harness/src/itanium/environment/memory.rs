//! Caches and TLBs of the core, from which the events of a memory record come.
//!
//! L1 data cache of 16 KiB, 4 ways, lines of 32 bytes, written through without allocation. L2 cache of 96 KiB, 6 ways, lines of 64 bytes.
//! First-level data TLB (DTC) of 32 pages, second-level data TLB of 96, both fully associative, pages of 4 KiB. Replacement is LRU. Sizes are
//! those of the first processor of the family as it is described in public; nothing in the contract depends on them.

use crate::frontend::Cache;
use lwp_model::itanium::Mem;

/// Caches and TLBs.
#[derive(Debug)]
pub(in crate::itanium) struct Hierarchy {
    l1d: Cache,
    l2: Cache,
    dtc: Cache,
    dtlb: Cache,
}

impl Hierarchy {
    pub(in crate::itanium) fn new() -> Self {
        Self { l1d: Cache::new(128, 4), l2: Cache::new(256, 6), dtc: Cache::new(1, 32), dtlb: Cache::new(1, 96) }
    }

    /// Returns the events of an access. An access that crosses a line is one access to the line of its lowest byte.
    #[inline]
    pub(in crate::itanium) fn access(&mut self, addr: u64, read: bool, write: bool) -> Mem {
        let page = addr >> 12;
        let dtc_miss = !self.dtc.touch(page);
        let dtlb_miss = dtc_miss && !self.dtlb.touch(page);
        let l1d_miss = read && !self.l1d.touch(addr >> 5);
        let (l2_read, l2_write) = (l1d_miss, write);
        let l2_miss = (l2_read || l2_write) && !self.l2.touch(addr >> 6);
        Mem {
            valid: true,
            id: 0,
            slot: 0,
            addr,
            read,
            write,
            l1d_read: read,
            l1d_miss,
            l2_read,
            l2_write,
            l2_miss,
            dtc_miss,
            dtlb_miss,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Hierarchy;

    #[test]
    fn the_first_access_misses_everywhere_and_the_second_nowhere() {
        let mut memory = Hierarchy::new();
        let first = memory.access(0x1000, true, false);
        assert!(
            first.l1d_read && first.l1d_miss && first.l2_read && first.l2_miss && first.dtc_miss && first.dtlb_miss
        );
        let second = memory.access(0x1008, true, false);
        assert!(second.l1d_read && !second.l1d_miss && !second.l2_read && !second.l2_miss && !second.dtc_miss);
        let store = memory.access(0x1008, false, true);
        assert!(store.l2_write && !store.l2_miss && !store.l1d_read && !store.read);
    }
}
