//! The unit's ports and registers as rows of 32-bit words: the table of the book's page "The flat row".

use super::config::Config;
use super::inputs::Inputs;
use super::outputs::Outputs;
use super::state::State;
use crate::flat::{NoValue, flat_table};

flat_table! {
    /// Straps.
    pub(super) StrapRow(straps: Config): unpack;
    {
        "lbr_depth": 2 = straps.lbr_depth,
        "lbr_format": 3 = straps.lbr_format,
        "lbr_numbers": 1 = straps.lbr_numbers,
        "lbr_tr": 1 = straps.lbr_tr,
        "ds": 1 = straps.ds,
        "ds_cpl": 1 = straps.ds_cpl,
        "dtes64": 1 = straps.dtes64,
        "pmi_freeze": 1 = straps.pmi_freeze,
        "smm_freeze": 1 = straps.smm_freeze,
        "rtm": 1 = straps.rtm,
        "pebs_counters": 3 = straps.pebs_counters,
        "pebs_format": 2 = straps.pebs_format,
        "linear": 2 = straps.linear,
        "db_message": 1 = straps.db_message,
    }
}

flat_table! {
    /// Inputs.
    pub(super) InputRow<const LANES: usize>(rst_n: bool, inputs: Inputs<LANES>): unpack;
    {
        "rst_n": 1 = *rst_n,
        part partial "" = inputs.partial,
    }
    each "lanes" (lane in inputs.lanes) {
        part retired "retired." = lane.retired,
        part branch "branch." = lane.branch,
        part transaction "transaction." = lane.transaction,
    }
    {
        part mode "mode." = inputs.mode,
        part cs_base "" = inputs.cs_base,
        "far_base": 64 = inputs.far_base,
        "far_long": 1 = inputs.far_long,
        part interruption "int." = inputs.int,
        "core_clock": 1 = inputs.core_clock,
        "pmi": 1 = inputs.pmi,
        "pebs.pebs_overflow": 4 = inputs.pebs.overflow,
        "pebs.pebs_event": 4 = inputs.pebs.event,
        "pebs.state_value": 64 = inputs.pebs.state_value,
        "btm_ready": 1 = inputs.btm_ready,
        part mem_answer "mem." = inputs.mem,
        part reg_request "reg." = inputs.reg,
    }
}

flat_table! {
    /// Outputs, then probe.
    pub(super) ExpectedRow<const LANES: usize, const ENTRIES: usize>(
        outputs: Outputs,
        state: State<ENTRIES>,
    ): unpack, whole;
    {
        "stall": 1 = outputs.stall,
        "btm_valid": 1 = outputs.btm_valid,
        "btm_from": 64 = outputs.btm_from,
        "btm_to": 64 = outputs.btm_to,
        "btm_predicted": 1 = outputs.btm_predicted,
        part mem_request "" = outputs.mem,
        "ds_pmi": 1 = outputs.ds_pmi,
        "stored": 1 = outputs.stored,
        "lost": 1 = outputs.lost,
        "pebs_armed": 4 = outputs.pebs_armed,
        "state_index": 5 = outputs.state_index,
        "reload_valid": 1 = outputs.reload_valid,
        "reload_counter": 2 = outputs.reload_counter,
        "reload_value": 64 = outputs.reload_value,
        "btf": 1 = outputs.btf,
        "freeze_on_pmi": 1 = outputs.freeze_on_pmi,
        "freeze_while_smm": 1 = outputs.freeze_while_smm,
        "rtm_debug": 1 = outputs.rtm_debug,
        "reg_ready": 1 = outputs.reg_ready,
        "reg_done": 1 = outputs.reg_done,
        "reg_result": 3 = outputs.reg_result,
        "reg_rdata": 64 = outputs.reg_rdata,
        "state.control.debugctl": 16 = state.control.debugctl,
        "state.control.smm_frozen": 1 = state.control.smm_frozen,
        "state.control.smm_debugctl": 16 = state.control.smm_debugctl,
        "state.control.lbr_frozen": 1 = state.control.lbr_frozen,
        "state.control.ds_area": 64 = state.control.ds_area,
        "state.control.pebs_enable": 4 = state.control.pebs_enable,
        "state.lbr.tos": 5 = state.lbr.tos,
        "state.lbr.elapsed": 16 = state.lbr.elapsed,
        "state.lbr.ler_from": 64 = state.lbr.ler_from,
        "state.lbr.ler_to": 64 = state.lbr.ler_to,
    }
    many "state.lbr.entry" for ENTRIES (entry in state.lbr.entry) {
        "from": 64 = entry.from,
        "to": 64 = entry.to,
        "cycles": 16 = entry.cycles,
        "tsx_abort": 1 = entry.tsx_abort,
        "in_tx": 1 = entry.in_tx,
        "mispredicted": 1 = entry.mispredicted,
    }
    {
        "state.queue.count": 5 = state.queue.count,
    }
    many "state.queue.record" for (2 * LANES) (record in state.queue.record[..2 * LANES]) {
        "store": 1 = record.store,
        "wide": 1 = record.wide,
        "circular": 1 = record.circular,
        "predicted": 1 = record.predicted,
        "from": 64 = record.from,
        "to": 64 = record.to,
    }
    {
        "state.store.step": 4 = state.store.step,
        "state.store.pebs": 1 = state.store.pebs,
        "state.store.wide": 1 = state.store.wide,
        "state.store.circular": 1 = state.store.circular,
        "state.store.counter": 2 = state.store.counter,
        "state.store.field": 5 = state.store.field,
        "state.store.base": 64 = state.store.base,
        "state.store.index": 64 = state.store.index,
        "state.store.maximum": 64 = state.store.maximum,
        "state.store.threshold": 64 = state.store.threshold,
        "state.port.mem_req": 1 = state.port.mem_req,
        "state.port.mem_cmd": 2 = state.port.mem_cmd,
        "state.port.mem_be": 8 = state.port.mem_be,
        "state.port.mem_addr": 64 = state.port.mem_addr,
        "state.port.mem_wdata": 64 = state.port.mem_wdata,
        "state.port.mem_wait": 1 = state.port.mem_wait,
        "state.pebs.armed": 4 = state.pebs.armed,
        "state.pebs.pending": 4 = state.pebs.pending,
        "state.pebs.pending_wide": 1 = state.pebs.pending_wide,
        "state.notice.ds_pmi": 1 = state.notice.ds_pmi,
        "state.notice.stored": 1 = state.notice.stored,
        "state.notice.lost": 1 = state.notice.lost,
        "state.reload.reload_valid": 1 = state.reload.reload_valid,
        "state.reload.reload_counter": 2 = state.reload.reload_counter,
        "state.reload.reload_value": 64 = state.reload.reload_value,
        "state.answer.reg_done": 1 = state.answer.reg_done,
        "state.answer.reg_result": 3 = state.answer.reg_result,
        "state.answer.reg_rdata": 64 = state.answer.reg_rdata,
    }
}

#[inline(always)]
pub(super) fn read_inputs<const LANES: usize>(row: &[u32], inputs: &mut Inputs<LANES>) -> bool {
    let mut rst_n = false;
    let read = InputRow::<LANES>::unpack(&mut rst_n, inputs, row);
    debug_assert_eq!(read, Ok(()), "every code of an input has a value");
    rst_n
}

/// Returns the outputs and the registers of a row. A code that has no meaning reads as the value after reset.
pub(super) fn unpack_shown<const LANES: usize, const ENTRIES: usize>(row: &[u32]) -> (Outputs, State<ENTRIES>) {
    let (mut outputs, mut state) = (Outputs::default(), State::default());
    let _ = ExpectedRow::<LANES, ENTRIES>::unpack(&mut outputs, &mut state, row);
    (outputs, state)
}

/// Returns the straps of a row, or the name of the first one whose code is no choice.
pub(super) fn read_straps(row: &[u32]) -> Result<Config, &'static str> {
    let mut straps = Config::default();
    StrapRow::unpack(&mut straps, row).map_err(|NoValue(name)| name)?;
    Ok(straps)
}
