//! Outputs of one cycle.

use super::operation::RegResult;
use super::state::{Answer, Ear, State};

/// Outputs of one cycle, in the order of the RTL's ports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// A performance monitor interrupt is requested.
    pub irq: bool,
    /// Bit c: PMD\[4 + c\] overflowed in the last cycle, and PMC\[4 + c\].ev is 1.
    pub pin: u8,
    /// PSR.up.
    pub psr_up: bool,
    /// PSR.sp.
    pub psr_sp: bool,
    /// PSR.pp.
    pub psr_pp: bool,
    /// The instruction event address registers may capture events of the last cycle.
    pub iear_on: bool,
    /// The data event address registers may capture events of the last cycle.
    pub dear_on: bool,
    /// The branch trace buffer may record branches of the last cycle.
    pub btb_on: bool,
    /// The request of the last cycle is answered.
    pub reg_done: bool,
    /// Result of the request.
    pub reg_result: RegResult,
    /// What a mov from a register file reads. 0 unless such a request is done.
    pub reg_rdata: u64,
}

impl Outputs {
    /// Returns the outputs of a unit with these registers.
    #[must_use]
    #[inline]
    pub fn of(state: &State) -> Self {
        let Ear { iear_on, dear_on, btb_on } = state.ear;
        let Answer { reg_done, reg_result, reg_rdata } = state.answer;
        Self {
            irq: state.freeze.irq,
            pin: state.counter.iter().rev().fold(0, |pins, counter| pins << 1 | u8::from(counter.pin)),
            psr_up: state.status.up,
            psr_sp: state.status.sp,
            psr_pp: state.status.pp,
            iear_on,
            dear_on,
            btb_on,
            reg_done,
            reg_result,
            reg_rdata,
        }
    }
}
