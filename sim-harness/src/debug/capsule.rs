//! The debug unit in [capsules](crate::capsule).

use crate::capsule::{AnyInputs, InputShape, capsule_unit};
use lwp_model::debug::DebugUnit;

/// Mode and control bits stay; what happens in a cycle ends.
const SHAPE: InputShape = InputShape {
    groups: &[],
    stays: &["mode.cpl", "mode.smm", "mode.op_mode", "de", "btf", "rtm_debug"],
    steers: &["reg.reg_wdata"],
};

capsule_unit! {
    /// The unit.
    debug: DebugUnit<1, 1>, SHAPE, AnyInputs
}
