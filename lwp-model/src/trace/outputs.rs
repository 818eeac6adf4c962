//! Outputs of one cycle.

use super::state::State;
use crate::retire::{MemRequest, RegResult};

/// Outputs of one cycle, in the order of the RTL's ports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// Nothing retires and nothing is delivered.
    pub stall: bool,
    /// A branch trace message is pending.
    pub btm_valid: bool,
    /// Source of the branch.
    pub btm_from: u64,
    /// Destination of the branch.
    pub btm_to: u64,
    /// The branch was predicted correctly.
    pub btm_predicted: bool,
    /// A memory request.
    pub mem: MemRequest,
    /// A buffer of the debug store has reached its threshold.
    pub ds_pmi: bool,
    /// A record is in memory and its index is written.
    pub stored: bool,
    /// A record for the debug store was dropped.
    pub lost: bool,
    /// Counters whose next event stores a record, 4 bits: bit n is counter n.
    pub pebs_armed: u8,
    /// Number of the processor's register whose value is asked for.
    pub state_index: u8,
    /// Counter `reload_counter` is to be set to `reload_value`.
    pub reload_valid: bool,
    /// The counter.
    pub reload_counter: u8,
    /// Its new value.
    pub reload_value: u64,
    /// IA32_DEBUGCTL.BTF.
    pub btf: bool,
    /// IA32_DEBUGCTL.FREEZE_PERFMON_ON_PMI.
    pub freeze_on_pmi: bool,
    /// IA32_DEBUGCTL.FREEZE_WHILE_SMM.
    pub freeze_while_smm: bool,
    /// IA32_DEBUGCTL.RTM.
    pub rtm_debug: bool,
    /// A register request can be accepted.
    pub reg_ready: bool,
    /// The result of the last cycle's request is valid.
    pub reg_done: bool,
    /// Result of the request.
    pub reg_result: RegResult,
    /// Value of a RDMSR that is done; otherwise 0.
    pub reg_rdata: u64,
}

impl Outputs {
    /// Returns the outputs of a unit of `lanes` lanes with these registers.
    #[must_use]
    #[inline(always)]
    pub fn of<const ENTRIES: usize>(state: &State<ENTRIES>, lanes: usize) -> Self {
        let State { control, queue, store, port, pebs, notice, reload, answer, .. } = state;
        let message = queue.message();
        let debugctl = control.debugctl();
        Self {
            stall: state.stalls(lanes),
            btm_valid: message.is_some(),
            btm_from: message.map_or(0, |record| record.from),
            btm_to: message.map_or(0, |record| record.to),
            btm_predicted: message.is_some_and(|record| record.predicted),
            mem: port.request(),
            ds_pmi: notice.ds_pmi,
            stored: notice.stored,
            lost: notice.lost,
            pebs_armed: pebs.armed,
            state_index: if store.pebs { store.field } else { 0 },
            reload_valid: reload.reload_valid,
            reload_counter: reload.reload_counter,
            reload_value: reload.reload_value,
            btf: debugctl.btf(),
            freeze_on_pmi: debugctl.freeze_perfmon_on_pmi(),
            freeze_while_smm: debugctl.freeze_while_smm(),
            rtm_debug: debugctl.rtm(),
            reg_ready: state.is_at_rest(),
            reg_done: answer.reg_done,
            reg_result: answer.reg_result,
            reg_rdata: answer.reg_rdata,
        }
    }
}
