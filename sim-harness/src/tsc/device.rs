//! The unit in [`device`](crate::device).

use crate::device::{PackedRow, Shows};
use lwp_model::tsc::Tsc;

impl<const LP: usize> Shows for Tsc<LP> {
    type Shown = PackedRow<Self>;
}
