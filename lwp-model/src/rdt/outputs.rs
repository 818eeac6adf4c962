//! Outputs of one cycle.

use super::config::Config;
use super::state::{Stage, State, Step};
use crate::retire::RegResult;

/// What a logical processor gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LpOutputs {
    /// Whether a request of the logical processor is accepted in this cycle.
    pub req_ready: bool,
    /// Whether the access is complete, in this one cycle.
    pub done: bool,
    /// Whether the access hit the L2 cache.
    pub l2_hit: bool,
    /// Whether the access missed the L2 cache, or there is none, and hit the L3 cache.
    pub l3_hit: bool,
}

/// Outputs of one cycle, in the order of the RTL's ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outputs<const LPS: usize> {
    /// What each logical processor gets.
    pub lp: [LpOutputs; LPS],
    /// Whether a line is to be read from memory or written to it. The next four fields are 0 otherwise.
    pub mem_req: bool,
    /// Whether the line is written.
    pub mem_write: bool,
    /// Physical address of the line, 52 bits.
    pub mem_addr: u64,
    /// RMID to which the transfer is charged.
    pub mem_rmid: u8,
    /// Class of service of the access; 0 for a line that is written back.
    pub mem_cos: u8,
    /// Ways of the L3 cache that have power.
    pub l3_on: u8,
    /// Ways of the L2 cache that have power.
    pub l2_on: u8,
    /// Whether a cache is being emptied for a change of power.
    pub walking: bool,
    /// Whether the register request of the last cycle is answered.
    pub reg_done: bool,
    /// Result of the request.
    pub reg_result: RegResult,
    /// Value of a RDMSR that is done; otherwise 0.
    pub reg_rdata: u64,
}

impl<const LPS: usize> Default for Outputs<LPS> {
    fn default() -> Self {
        Self {
            lp: [LpOutputs::default(); LPS],
            mem_req: false,
            mem_write: false,
            mem_addr: 0,
            mem_rmid: 0,
            mem_cos: 0,
            l3_on: 0,
            l2_on: 0,
            walking: false,
            reg_done: false,
            reg_result: RegResult::Done,
            reg_rdata: 0,
        }
    }
}

impl<const LPS: usize> Outputs<LPS> {
    /// Returns the outputs of a unit with these registers and straps.
    #[must_use]
    #[inline(always)]
    pub fn of<const L3_WAYS: usize, const L2_WAYS: usize, const RMIDS: usize, const CLASSES: usize>(
        state: &State<LPS, L3_WAYS, L2_WAYS, RMIDS, CLASSES>,
        straps: &Config,
    ) -> Self {
        let State { lp, job, power, answer, .. } = state;
        let clear = job.step == Step::Clear;
        let lp = lp.each_ref().map(|lp| LpOutputs {
            req_ready: lp.stage == Stage::None && !clear,
            done: lp.done,
            l2_hit: lp.l2_hit,
            l3_hit: lp.l3_hit,
        });
        let (mem_req, mem_write, line, mem_rmid, mem_cos) = match job.step {
            Step::WriteBack => (true, true, job.victim, job.victim_rmid, 0),
            Step::MemRequest => (true, job.bypasses(), job.line, job.rmid, job.cos),
            _ => (false, false, 0, 0, 0),
        };
        Self {
            lp,
            mem_req,
            mem_write,
            mem_addr: line << straps.line,
            mem_rmid,
            mem_cos,
            l3_on: power.l3_on,
            l2_on: power.l2_on,
            walking: job.walk,
            reg_done: answer.reg_done,
            reg_result: answer.reg_result,
            reg_rdata: answer.reg_rdata,
        }
    }
}
