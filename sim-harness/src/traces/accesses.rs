//! The accesses of an instruction, formed from its loads and stores.

use super::{Retired, Store};
use lwp_model::retire::{ACCESS_BYTES, Access};

/// The number of stores that can form one access with a load. An instruction that loads and stores the same bytes makes
/// one access.
const PAIRED: usize = 64;

/// A position in the accesses of an instruction: first the loads in their order, then the stores that form no access
/// with a load.
///
/// A load without address or size is not an access; nor is a store without size. A load and a store with the same
/// address and size are one access, among the first 64 stores. A load or store larger than 64 bytes is several
/// accesses.
///
/// Each call takes the instruction, which must be the same until the end.
#[derive(Clone, Copy, Debug, Default)]
pub struct AccessCursor {
    /// The index of the next load; `store` is the index of the next store, after all loads.
    load: usize,
    store: usize,
    /// The stores that formed an access with a load, one bit each.
    taken: u64,
    /// The rest of a large access.
    rest: Piece,
}

#[derive(Clone, Copy, Debug, Default)]
struct Piece {
    read: bool,
    write: bool,
    addr: u64,
    size: u16,
}

impl AccessCursor {
    /// Returns the next access of `retired`.
    #[inline]
    pub fn next(&mut self, retired: &Retired) -> Option<Access> {
        if self.rest.size == 0 {
            self.rest = self.next_whole(retired)?;
        }
        let Piece { read, write, addr, size } = self.rest;
        let piece = size.min(u16::from(ACCESS_BYTES));
        self.rest.addr = addr.wrapping_add(u64::from(piece));
        self.rest.size = size - piece;
        Some(Access { read, write, addr, size: piece as u8 })
    }

    /// Returns the next access, of any size.
    fn next_whole(&mut self, retired: &Retired) -> Option<Piece> {
        while let Some(load) = retired.loads.get(self.load) {
            self.load += 1;
            if let Some(addr) = load.addr.filter(|_| load.size > 0) {
                let write = self.take(&retired.stores, Store { addr, size: load.size });
                return Some(Piece { read: true, write, addr, size: load.size });
            }
        }
        while let Some(&Store { addr, size }) = retired.stores.get(self.store) {
            let taken = self.store < PAIRED && self.taken >> self.store & 1 == 1;
            self.store += 1;
            if size > 0 && !taken {
                return Some(Piece { read: false, write: true, addr, size });
            }
        }
        None
    }

    /// Marks the first store that equals `wanted` as taken, and returns whether there is one.
    fn take(&mut self, stores: &[Store], wanted: Store) -> bool {
        let mut free = stores.iter().take(PAIRED).enumerate().filter(|(at, _)| self.taken >> at & 1 == 0);
        let found = free.find(|(_, store)| **store == wanted).map(|(at, _)| at);
        self.taken |= found.map_or(0, |at| 1 << at);
        found.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Load;
    use super::*;

    fn accesses(loads: &[(Option<u64>, u16)], stores: &[(u64, u16)]) -> Vec<(&'static str, u64, u8)> {
        let retired = Retired {
            loads: loads.iter().map(|&(addr, size)| Load { addr, size, ..Load::default() }).collect(),
            stores: stores.iter().map(|&(addr, size)| Store { addr, size }).collect(),
            ..Retired::default()
        };
        let mut cursor = AccessCursor::default();
        let all = std::iter::from_fn(|| cursor.next(&retired)).map(|access| {
            let what = match (access.read, access.write) {
                (true, false) => "load",
                (false, true) => "store",
                (true, true) => "both",
                (false, false) => "none",
            };
            (what, access.addr, access.size)
        });
        all.collect()
    }

    // Source: the contract, "Accesses" and "The retire log".
    #[test]
    fn loads_come_first_and_then_stores() {
        assert_eq!(accesses(&[], &[]), []);
        assert_eq!(accesses(&[(Some(8), 4)], &[(0, 8)]), [("load", 8, 4), ("store", 0, 8)]);
        let two = accesses(&[(Some(1), 1), (Some(2), 1)], &[(3, 1), (4, 1)]);
        assert_eq!(two, [("load", 1, 1), ("load", 2, 1), ("store", 3, 1), ("store", 4, 1)]);
    }

    #[test]
    fn the_same_bytes_are_one_access() {
        assert_eq!(accesses(&[(Some(8), 4)], &[(8, 4)]), [("both", 8, 4)]);
        assert_eq!(accesses(&[(Some(8), 4)], &[(8, 8)]), [("load", 8, 4), ("store", 8, 8)], "another size");
        let twice = accesses(&[(Some(8), 4), (Some(8), 4)], &[(0, 4), (8, 4)]);
        assert_eq!(twice, [("both", 8, 4), ("load", 8, 4), ("store", 0, 4)], "each store goes once");
    }

    #[test]
    fn what_is_not_known_is_no_access() {
        assert_eq!(accesses(&[(None, 4), (Some(8), 0)], &[(8, 0)]), []);
    }

    #[test]
    fn large_ones_are_several() {
        let split = [("load", u64::MAX - 63, 64), ("load", 0, 64), ("load", 64, 2)];
        assert_eq!(accesses(&[(Some(u64::MAX - 63), 130)], &[]), split);
        assert_eq!(accesses(&[(Some(0), 65)], &[(0, 65)]), [("both", 0, 64), ("both", 64, 1)]);
        assert_eq!(accesses(&[], &[(0, 64)]), [("store", 0, 64)]);
    }

    #[test]
    fn many_are_all_there() {
        let loads: Vec<_> = (0..100).map(|at| (Some(at), 1)).collect();
        let stores: Vec<_> = (0..100).map(|at| (at, 1)).collect();
        let all = accesses(&loads, &stores);
        assert_eq!(all.iter().filter(|(what, ..)| *what == "both").count(), PAIRED);
        assert_eq!(all.len(), 200 - PAIRED);
    }
}
