//! The performance counters in [capsules](crate::capsule).

use crate::capsule::{AnyInputs, InputShape, capsule_unit};
use lwp_model::perf::Perf;

/// Ratio, clock, modes and control bits stay; what happens in a cycle ends.
const SHAPE: InputShape = InputShape {
    groups: &[],
    stays: &["core_ratio", "core_clock", "cpl", "op_mode", "pce", "freeze_on_pmi", "freeze_while_smm"],
    steers: &["reg.reg_wdata"],
};

capsule_unit! {
    /// The unit.
    perf: Perf<1, 2, 0, 4>, SHAPE, AnyInputs
}
