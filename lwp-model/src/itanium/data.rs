//! Stage data: DBRRangeTag of a memory record.

use super::inputs::Mem;
use super::state::{Dbr, PAIRS, Pmc11};
use lwp_regs::itanium::{Psr, Tag};

/// DBRRangeTag of the record.
#[inline]
pub(super) fn tag(dbr: &[Dbr; PAIRS], pmc11: &Pmc11, mem: &Mem, psr: Psr) -> Tag {
    pmc11.register().range_tag(dbr.iter().map(Dbr::pair), mem.addr, psr)
}
