//! The unit in [`device`](crate::device).

use crate::device::{PackedRow, Shows};
use lwp_model::rdt::Rdt;

impl<
    const LP: usize,
    const L3_SETS: usize,
    const L3_WAYS: usize,
    const L2_SETS: usize,
    const L2_WAYS: usize,
    const RMIDS: usize,
    const CLASSES: usize,
> Shows for Rdt<LP, L3_SETS, L3_WAYS, L2_SETS, L2_WAYS, RMIDS, CLASSES>
{
    type Shown = PackedRow<Self>;
}
