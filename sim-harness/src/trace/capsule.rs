//! The unit in [capsules](crate::capsule).

use crate::capsule::{AnyInputs, InputShape, capsule_unit};
use lwp_model::trace::TraceUnit;

/// Mode and segments stay; what happens in a cycle ends.
const SHAPE: InputShape = InputShape {
    groups: &[],
    stays: &["mode.cpl", "mode.smm", "mode.op_mode", "cs_base", "far_base", "far_long", "core_clock"],
    steers: &["reg.reg_wdata"],
};

capsule_unit! {
    /// The unit.
    trace: TraceUnit<1, 4>, SHAPE, AnyInputs
}
