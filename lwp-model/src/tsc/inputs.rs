//! What the unit sees in one cycle.

use crate::retire::{OpMode, Processor, RegRequest};

/// Inputs of one cycle, in the order of the RTL's `in_t`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// Pins, ticks and the present ratio.
    pub processor: Processor,
    /// Current privilege level of the logical processor that asks, 0 to 3.
    pub cpl: u8,
    /// Operating mode of the logical processor that asks.
    pub op_mode: OpMode,
    /// CR4.TSD of the logical processor that asks.
    pub tsd: bool,
    /// A register request.
    pub reg: RegRequest,
}
