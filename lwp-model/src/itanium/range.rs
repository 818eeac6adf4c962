//! Stage range: IBRRangeTag of a bundle that is fetched.

use super::inputs::Fetch;
use super::state::{Ibr, PAIRS, Pmc13};

/// IBRRangeTag of the bundle.
#[inline]
pub(super) fn tag(ibr: &[Ibr; PAIRS], pmc13: &Pmc13, fetch: &Fetch) -> bool {
    pmc13.register().range_tag(ibr.iter().map(Ibr::pair), fetch.addr, fetch.cpl)
}
