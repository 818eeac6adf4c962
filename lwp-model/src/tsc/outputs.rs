//! What the unit shows in one cycle.

use super::state::State;
use crate::retire::RegResult;

/// Outputs of one cycle, in the order of the RTL's `out_t`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// The request of the last cycle is answered.
    pub reg_done: bool,
    /// Its result.
    pub reg_result: RegResult,
    /// EDX:EAX of RDTSC, RDTSCP, RDMSR.
    pub reg_rdata: u64,
    /// ECX of RDTSCP.
    pub reg_aux: u32,
}

impl Outputs {
    /// Reads the outputs from the registers.
    #[must_use]
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
