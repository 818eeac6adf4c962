//! The unit in [capsules](crate::capsule).

use crate::capsule::{AnyInputs, InputShape, capsule_unit};
use lwp_model::itanium::Itanium;

/// Level and instruction set stay; what happens in a cycle ends.
const SHAPE: InputShape = InputShape { groups: &[], stays: &["cpl", "psr_is"], steers: &["reg.reg_wdata"] };

capsule_unit! {
    /// The unit.
    itanium: Itanium<1, 4>, SHAPE, AnyInputs
}
