//! The unit in [`device`](crate::device).

use crate::device::{PackedRow, Shows};
use lwp_model::itanium::Itanium;

impl<const BUNDLES: usize, const ENTRIES: usize> Shows for Itanium<BUNDLES, ENTRIES> {
    type Shown = PackedRow<Self>;
}
