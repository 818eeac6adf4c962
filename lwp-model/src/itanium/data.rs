//! Stage data: DBRRangeTag of a memory record.

use super::inputs::Mem;
use super::register::{agrees, plm};
use super::state::{Dbr, PAIRS};
use lwp_regs::itanium::{Pmc11, Tag};

impl Dbr {
    /// Whether the address lies in the range of the pair, at this level.
    #[inline]
    fn hits(&self, addr: u64, cpl: u8) -> bool {
        plm(self.plm).allows(cpl) && agrees(addr, self.addr, self.mask)
    }
}

/// DBRRangeTag of the record.
#[inline]
pub(super) fn tag(dbr: &[Dbr; PAIRS], pmc11: Pmc11, mem: &Mem, cpl: u8, psr_is: bool) -> Tag {
    if psr_is {
        Tag::Off
    } else if pmc11.pt() || dbr.iter().any(|pair| pair.hits(mem.addr, cpl)) {
        Tag::Hit
    } else {
        Tag::Miss
    }
}
