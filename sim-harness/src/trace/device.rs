//! The unit in [`device`](crate::device).

use crate::device::{PackedRow, Shows};
use lwp_model::trace::TraceUnit;

impl<const LANES: usize, const ENTRIES: usize> Shows for TraceUnit<LANES, ENTRIES> {
    type Shown = PackedRow<Self>;
}
