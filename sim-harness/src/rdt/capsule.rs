//! The unit in [capsules](crate::capsule).

use crate::capsule::{AnyInputs, InputShape, capsule_unit};
use lwp_model::rdt::Rdt;

/// Mode and power stay; what happens in a cycle ends.
const SHAPE: InputShape = InputShape {
    groups: &[],
    stays: &["mode.cpl", "mode.op_mode", "power.l3_power", "power.l2_power"],
    steers: &["reg.reg_wdata"],
};

capsule_unit! {
    /// The unit.
    rdt: Rdt<2, 8, 4, 4, 2, 4, 4>, SHAPE, AnyInputs
}
