//! A state in which the caches may be, and what an access does to it.

use super::cache::{Cache, Line};
use super::plain::{L2, L3, MOST, Straps, Transfer};

/// Choices that the documents leave open. A unit makes them once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Choices {
    /// A hit of the L2 cache uses the line of the L3 cache too.
    pub(super) hit_uses: bool,
    /// A written line that leaves the L2 cache uses the line of the L3 cache.
    pub(super) leaving_uses: bool,
    /// The L2 cache chooses its way before a line that leaves the L3 cache leaves it too.
    pub(super) early: bool,
    /// An access that missed the L2 cache, and may fill it, uses the line that another access has filled there since.
    pub(super) again_uses: bool,
}

impl Choices {
    /// All combinations, the plainest first.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let bit = |bits: u32, at: u32| bits >> at & 1 != 0;
        (0..16).map(move |bits| Self {
            hit_uses: bit(bits, 0),
            leaving_uses: bit(bits, 1),
            early: bit(bits, 2),
            again_uses: bit(bits, 3),
        })
    }
}

/// An accepted access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Access {
    pub(super) write: bool,
    pub(super) code: bool,
    /// Number of the line.
    pub(super) number: u64,
    /// RMID and class of the thread when the request was accepted.
    pub(super) rmid: u64,
    pub(super) class: u64,
    /// Cycle in which it was accepted.
    pub(super) accepted: u64,
}

/// What an access did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Effects {
    pub(super) l2_hit: bool,
    pub(super) l3_hit: bool,
    /// Transfers that memory sees, in any order.
    pub(super) transfers: Vec<Transfer>,
    /// RMID of the line that left the L3 cache.
    pub(super) left: Option<u64>,
    /// RMID of the line that was filled into the L3 cache.
    pub(super) filled: Option<u64>,
    /// Highest way that was filled, plus 1, of each cache.
    pub(super) above: [u32; 2],
    /// Nothing may be filled into the L3 cache.
    pub(super) passed: bool,
}

/// A state in which the caches may be.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct World {
    pub(super) choices: Choices,
    pub(super) caches: [Cache; 2],
    /// Transfers since the last completion that are not explained yet.
    pub(super) open: Vec<Transfer>,
    /// Occupancies that were read since the last completion, while an access was in progress: RMID and value.
    pub(super) reads: Vec<(u64, u64)>,
    /// Whether the L2 cache lacked the line of the access in progress of each logical processor since it was accepted.
    pub(super) lacked: [bool; MOST],
}

impl World {
    pub(super) fn new(straps: &Straps, choices: Choices) -> Self {
        let caches = straps.levels.map(|level| Cache::new(level.sets));
        Self { choices, caches, open: Vec::new(), reads: Vec::new(), lacked: [false; MOST] }
    }

    /// Returns the lines of an RMID in the L3 cache.
    // RDTM-02: the RMID that filled a line occupies it.
    pub(super) fn occupancy(&self, rmid: u64) -> u64 {
        self.caches[L3].lines().filter(|line| line.rmid == rmid).count() as u64
    }

    /// Notes which lines of accesses in progress the L2 cache lacks.
    pub(super) fn note_lacked(&mut self, accesses: &[Option<Access>; MOST]) {
        for (lacked, access) in self.lacked.iter_mut().zip(accesses) {
            *lacked = access.is_some_and(|access| *lacked || self.caches[L2].find(access.number).is_none());
        }
    }

    /// Does an access that may fill these ways of the caches, and that hits the L2 cache or does not.
    pub(super) fn access(&mut self, straps: &Straps, access: &Access, fill: [u64; 2], l2_hit: bool) -> Effects {
        let mut effects = Effects::default();
        let number = access.number;
        if l2_hit {
            effects.l2_hit = self.use_l2(access);
            if self.choices.hit_uses {
                self.caches[L3].touch(number);
            }
            self.written(access);
            return effects;
        }
        let early = self.caches[L2].place(number, fill[L2]).filter(|_| self.choices.early);
        effects.l3_hit = self.caches[L3].touch(number).is_some();
        if !effects.l3_hit && !self.fill_l3(straps, access, fill[L3], &mut effects) {
            return effects;
        }
        if self.caches[L2].find(number).is_some() {
            // Another access has filled it since. One that may fill no way of the L2 cache does not look there again (RDT-16).
            if self.choices.again_uses && fill[L2] != 0 {
                self.use_l2(access);
            }
        } else if let Some(way) = early.or_else(|| self.caches[L2].place(number, fill[L2])) {
            self.fill_l2(access, way);
            effects.above[L2] = way + 1;
        }
        self.written(access);
        effects
    }

    /// Uses a line of the L2 cache, and returns whether it is there.
    fn use_l2(&mut self, access: &Access) -> bool {
        let Some(line) = self.caches[L2].touch(access.number) else { return false };
        line.dirty |= access.write;
        true
    }

    /// Notes that memory does not have what was written to a line. Where in the package the written line is makes no difference.
    fn written(&mut self, access: &Access) {
        let Some(line) = self.caches[L3].get(access.number) else { return };
        line.dirty |= access.write;
    }

    /// Fills a line into the L3 cache, and returns whether there is a way for it.
    // RDT-04: what leaves the L3 cache leaves the L2 cache. RDT-12: without a way, memory alone is accessed.
    fn fill_l3(&mut self, straps: &Straps, access: &Access, allowed: u64, effects: &mut Effects) -> bool {
        let (number, rmid) = (access.number, access.rmid);
        let addr = number << straps.line;
        let Some(way) = self.caches[L3].place(number, allowed) else {
            effects.transfers.push(Transfer { write: access.write, addr, rmid, cos: access.class });
            effects.passed = true;
            return false;
        };
        if let Some(victim) = self.caches[L3].in_way(number, way) {
            self.caches[L3].remove(victim.number);
            self.caches[L2].remove(victim.number);
            effects.left = Some(victim.rmid);
            if victim.dirty {
                effects.transfers.push(written_back(straps, &victim));
            }
        }
        effects.transfers.push(Transfer { write: false, addr, rmid, cos: access.class });
        self.caches[L3].push(Line { number, way, rmid, dirty: false });
        effects.filled = Some(rmid);
        effects.above[L3] = way + 1;
        true
    }

    fn fill_l2(&mut self, access: &Access, way: u32) {
        if let Some(victim) = self.caches[L2].in_way(access.number, way) {
            self.drop_l2(&victim);
        }
        let Access { number, rmid, write, .. } = *access;
        self.caches[L2].push(Line { number, way, rmid, dirty: write });
    }

    /// Removes a line from the L2 cache; it stays in the L3 cache.
    pub(super) fn drop_l2(&mut self, line: &Line) {
        self.caches[L2].remove(line.number);
        if line.dirty && self.choices.leaving_uses {
            self.caches[L3].touch(line.number);
        }
    }
}

/// Returns the transfer that writes a line back, charged to the RMID of the line (RDT-05).
pub(super) const fn written_back(straps: &Straps, line: &Line) -> Transfer {
    Transfer { write: true, addr: line.number << straps.line, rmid: line.rmid, cos: 0 }
}
