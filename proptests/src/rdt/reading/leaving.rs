//! Lines that leave a cache because their ways lose power.
//!
//! The documents say that such lines are gone when the walk is over, and that memory sees each written one before. They say neither the
//! order of the lines nor whether accesses come in between. Until the walk is over a line may thus be there or not, and what the
//! unit shows decides.

use super::plain::{L2, L3, Straps, Transfer};
use super::world::{World, written_back};

/// Lines that may leave among those that matter to one access, at most.
const MOST: usize = 6;

impl World {
    /// Explains a transfer by a line that leaves, which is gone then.
    pub(super) fn leaves(&mut self, straps: &Straps, on: [u32; 2], transfer: &Transfer) -> bool {
        let number = transfer.addr >> straps.line;
        let leaving = self.caches[L3].find(number).copied();
        let Some(line) = leaving.filter(|line| line.way >= on[L3] && line.dirty) else { return false };
        if *transfer != written_back(straps, &line) {
            return false;
        }
        self.caches[L2].remove(number);
        self.caches[L3].remove(number);
        true
    }

    /// Explains open transfers by lines that leave, and returns how many were.
    fn leave_open(&mut self, straps: &Straps, on: [u32; 2]) -> usize {
        let open = std::mem::take(&mut self.open);
        let before = open.len();
        for transfer in open {
            if !self.leaves(straps, on, &transfer) {
                self.open.push(transfer);
            }
        }
        before - self.open.len()
    }

    /// Ends the walk: what has to leave has left.
    ///
    /// # Errors
    ///
    /// If a line that was written is not written back.
    pub(super) fn left(&mut self, straps: &Straps, on: [u32; 2]) -> Result<(), String> {
        self.leave_open(straps, on);
        for line in self.caches[L2].ways_from(on[L2]) {
            self.drop_l2(&line);
        }
        for line in self.caches[L3].ways_from(on[L3]) {
            if line.dirty {
                return Err(format!(
                    "the walk is over, but line {:#x} in way {} was not written back",
                    line.number, line.way
                ));
            }
            self.caches[L2].remove(line.number);
            self.caches[L3].remove(line.number);
        }
        Ok(())
    }

    /// Returns whether a line may be gone before the walk is over.
    pub(super) fn walked(&self, on: [u32; 2]) -> bool {
        (0..2).any(|level| self.caches[level].lines().any(|line| line.way >= on[level]))
    }

    /// Returns the states in which an access to a line may find the caches: lines that leave, and that matter to it, are there or not.
    pub(super) fn found(&self, straps: &Straps, on: [u32; 2], number: u64) -> Vec<Self> {
        let mut world = self.clone();
        world.leave_open(straps, on);
        let gone_l3 = |world: &Self, number: u64| world.caches[L3].find(number).is_some_and(|line| line.way >= on[L3]);
        let l2: Vec<_> = world.caches[L2].set(number).to_vec();
        let l2 = l2.into_iter().filter(|line| line.way >= on[L2] || gone_l3(&world, line.number));
        let l2: Vec<_> = l2.take(MOST).collect();
        let clean = |line: &&super::cache::Line| line.way >= on[L3] && !line.dirty;
        let l3 = world.caches[L3].find(number).filter(clean).copied();
        let mut found = Vec::new();
        for gone in 0..1_u32 << l2.len() {
            let mut world = world.clone();
            for (_, line) in l2.iter().enumerate().filter(|(at, _)| gone >> at & 1 != 0) {
                world.drop_l2(line);
            }
            if let Some(line) = l3.filter(|line| world.caches[L2].find(line.number).is_none()) {
                let mut without = world.clone();
                without.caches[L3].remove(line.number);
                found.push(without);
            }
            found.push(world);
        }
        found
    }

    /// Returns the least and the most lines that an RMID may have in the L3 cache while lines leave.
    pub(super) fn bounds(&self, on: [u32; 2], rmid: u64) -> [u64; 2] {
        let stays = |line: &&super::cache::Line| line.rmid == rmid && line.way < on[L3];
        [self.caches[L3].lines().filter(stays).count() as u64, self.occupancy(rmid)]
    }
}
