//! What an access hits, by the contract, and as QEMU finds it.

use super::differences::{Difference, Differences};
use lwp_model::retire::Access;
use lwp_regs::debug::{Condition, Dr7, Slot};

const PAGE: u64 = 0x1000;

/// A range of bytes that is compared, as the first and the last of them.
type Range = (u64, u64);

/// The breakpoints on data.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watchpoints {
    differences: Differences,
    /// QEMU's mark of a breakpoint that was hit. It stays until an access is compared that does not hit it.
    marked: u8,
}

/// Range of a breakpoint.
pub(super) fn range(differences: Differences, dr7: Dr7, slot: Slot, address: u64) -> Range {
    let bytes = dr7.length(slot).bytes();
    let base = if differences.has(Difference::Alignment) { address } else { address & !(bytes - 1) };
    (base, base.wrapping_add(bytes - 1))
}

pub(super) const fn overlap(one: Range, other: Range) -> bool {
    one.0 <= other.1 && other.0 <= one.1
}

impl Watchpoints {
    pub(super) const fn new(differences: Differences) -> Self {
        Self { differences, marked: 0 }
    }

    pub(super) const fn marked(self) -> u8 {
        self.marked
    }

    /// A breakpoint is set anew.
    pub(super) fn forget(&mut self, slots: u8) {
        self.marked &= !slots;
    }

    /// The breakpoints that the accesses of an instruction hit.
    pub(super) fn hits(&mut self, accesses: &[Access], dr7: Dr7, addresses: [u64; 4]) -> u8 {
        let on = dr7.enabled();
        let data = Slot::ALL
            .into_iter()
            .filter(|slot| on.has(*slot) && matches!(dr7.condition(*slot), Condition::Write | Condition::ReadWrite));
        let watched: Vec<_> = data
            .map(|slot| {
                let writes = dr7.condition(slot) == Condition::Write;
                (1 << slot.number(), writes, range(self.differences, dr7, slot, addresses[slot.number()]))
            })
            .collect();
        let mut hits = 0;
        for access in accesses {
            for write in [false, true] {
                if if write { access.write } else { access.read } {
                    hits |= self.compare(access, write, &watched);
                    if hits != 0 && self.differences.has(Difference::First) {
                        return hits;
                    }
                }
            }
        }
        hits
    }

    fn compare(&mut self, access: &Access, write: bool, watched: &[(u8, bool, Range)]) -> u8 {
        let mut hits = 0;
        let page = |address| (address & !(PAGE - 1), address | (PAGE - 1));
        let matters = |writes: bool| write || !writes;
        let compared =
            |address| watched.iter().any(|(_, writes, range)| matters(*writes) && overlap(*range, page(address)));
        for part in self.parts(access, write, compared) {
            if !compared(part.0) && !compared(part.1) {
                continue;
            }
            for (slot, writes, range) in watched {
                if matters(*writes) && overlap(*range, part) {
                    hits |= slot;
                    self.marked |= slot;
                    if self.differences.has(Difference::First) {
                        return hits;
                    }
                } else {
                    self.marked &= !slot;
                }
            }
        }
        hits
    }

    /// The ranges that are compared for an access. QEMU takes misaligned ones apart if there is a breakpoint in their page, or two pages: a load into
    /// two aligned words, a store into what is before the page of its end, and all from the beginning of that page on.
    fn parts(&self, access: &Access, write: bool, compared: impl Fn(u64) -> bool) -> Vec<Range> {
        let (start, size) = (access.addr, u64::from(access.bytes()));
        let end = start + size - 1;
        let crosses = start / PAGE != end / PAGE;
        let misaligned = start % size != 0 && (compared(start) || crosses);
        if !misaligned || !self.differences.has(Difference::WholeWords) {
            return vec![(start, end)];
        }
        if !write {
            let word = start & !(size - 1);
            return vec![(word, word + size - 1), (word + size, word + 2 * size - 1)];
        }
        let second = (end + 1) & !(PAGE - 1);
        vec![(start, second - 1), (second, end)]
    }
}
