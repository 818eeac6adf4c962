//! The unit in [`device`](crate::device).

use crate::device::{PackedRow, Shows};
use lwp_model::perf::Perf;

impl<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize> Shows
    for Perf<LP, GENERAL, FIXED, LANES>
{
    type Shown = PackedRow<Self>;
}
