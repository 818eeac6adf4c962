//! The unit in [`device`](crate::device).

use crate::device::{PackedRow, Shows};
use lwp_model::debug::DebugUnit;

impl<const LANES: usize, const ACCESSES: usize> Shows for DebugUnit<LANES, ACCESSES> {
    type Shown = PackedRow<Self>;
}
