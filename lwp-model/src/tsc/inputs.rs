//! Inputs of one cycle.

use crate::retire::{OpMode, Processor, RegRequest};

/// Inputs of one cycle, in the order of the RTL's ports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// Pins, states and clock ticks of the processor.
    pub processor: Processor,
    /// Current privilege level of the logical processor that makes the request, 0 to 3.
    pub cpl: u8,
    /// Operating mode of the logical processor that makes the request.
    pub op_mode: OpMode,
    /// CR4.TSD of the logical processor that makes the request.
    pub tsd: bool,
    /// Register request.
    pub reg: RegRequest,
}
