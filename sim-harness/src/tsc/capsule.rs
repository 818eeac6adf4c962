//! The time-stamp counter in [capsules](crate::capsule).

use crate::capsule::{AnyInputs, InputShape, capsule_unit};
use lwp_model::tsc::Tsc;

/// Ratio and mode stay; ticks and pins end.
const SHAPE: InputShape =
    InputShape { groups: &[], stays: &["processor.core_ratio", "cpl", "op_mode"], steers: &["reg.reg_wdata"] };

capsule_unit! {
    /// The unit.
    tsc: Tsc<1>, SHAPE, AnyInputs
}
