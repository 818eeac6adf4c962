//! Outputs of one cycle.

use super::state::State;
use crate::retire::RegResult;

/// Outputs of one cycle, in the order of the RTL's ports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// Whether the result of the last cycle's request is valid, in this one cycle.
    pub reg_done: bool,
    /// Result of the request. Valid with `reg_done`.
    pub reg_result: RegResult,
    /// EDX:EAX of RDTSC, RDTSCP or RDMSR; 0 unless such a request is done.
    pub reg_rdata: u64,
    /// ECX of RDTSCP; 0 unless RDTSCP is done.
    pub reg_aux: u32,
}

impl Outputs {
    /// Returns the outputs of a unit with these registers.
    #[must_use]
    #[inline(always)]
    pub const fn of<const LP: usize>(state: &State<LP>) -> Self {
        let answer = &state.answer;
        Self {
            reg_done: answer.reg_done,
            reg_result: answer.reg_result,
            reg_rdata: answer.reg_rdata,
            reg_aux: answer.reg_aux,
        }
    }
}
