//! Stage range: IBRRangeTag of a bundle that is fetched.

use super::inputs::Fetch;
use super::register::{agrees, plm};
use super::state::{Ibr, PAIRS};

/// Bits of an address below the bundle.
const IN_BUNDLE: u64 = 0xF;

impl Ibr {
    /// Whether the bundle lies in the range of the pair.
    #[inline]
    fn hits(&self, fetch: &Fetch) -> bool {
        !self.x && plm(self.plm).allows(fetch.cpl) && agrees(fetch.addr, self.addr, self.mask & !IN_BUNDLE)
    }
}

/// IBRRangeTag of the bundle. `ta` is PMC\[13\].ta.
#[inline]
pub(super) fn tag(ibr: &[Ibr; PAIRS], ta: bool, fetch: &Fetch) -> bool {
    ta || ibr.iter().any(|pair| pair.hits(fetch))
}
