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
        "line": 4 = straps.line,
        "l3_sets": 4 = straps.l3_sets,
        "l3_ways": 5 = straps.l3_ways,
        "l2": 1 = straps.l2,
        "l2_sets": 4 = straps.l2_sets,
        "l2_ways": 4 = straps.l2_ways,
        "vendor": 1 = straps.vendor,
        "sparse": 1 = straps.sparse,
        "events": 3 = straps.events,
        "max_rmid": 5 = straps.max_rmid,
        "l3_max_rmid": 5 = straps.l3_max_rmid,
        "width": 6 = straps.width,
        "scale": 4 = straps.scale,
        "start": 62 = straps.start,
        "write_backs": 1 = straps.write_backs,
        "select": 1 = straps.select,
        "settle": 8 = straps.settle,
        "l3_cat": 1 = straps.l3_cat,
        "l3_cdp": 1 = straps.l3_cdp,
        "l3_cos": 4 = straps.l3_cos,
        "l2_cat": 1 = straps.l2_cat,
        "l2_cdp": 1 = straps.l2_cdp,
        "l2_cos": 4 = straps.l2_cos,
        "mba": 1 = straps.mba,
        "mba_cos": 4 = straps.mba_cos,
        "mba_max": 12 = straps.mba_max,
        "mba_linear": 1 = straps.mba_linear,
        "mba_scope": 1 = straps.mba_scope,
        "mba_period": 8 = straps.mba_period,
    }
}

flat_table! {
    /// Inputs.
    pub(super) InputRow<const LPS: usize>(rst_n: bool, inputs: Inputs<LPS>): unpack;
    {
        "rst_n": 1 = *rst_n,
    }
    each "lp" (lp in inputs.lp) {
        "req_valid": 1 = lp.req_valid,
        "req_write": 1 = lp.req_write,
        "req_code": 1 = lp.req_code,
        "req_addr": 52 = lp.req_addr,
        "int_valid": 1 = lp.int_valid,
        "int_kind": 3 = lp.int_kind,
    }
    {
        "mem.mem_gnt": 1 = inputs.mem.mem_gnt,
        "mem.mem_local": 1 = inputs.mem.mem_local,
        "mem.mem_rvalid": 1 = inputs.mem.mem_rvalid,
        "power.l3_power": 5 = inputs.power.l3_power,
        "power.l2_power": 4 = inputs.power.l2_power,
        "qm_unavailable": 1 = inputs.qm_unavailable,
        "show": 12 = inputs.show,
        "mode.cpl": 2 = inputs.mode.cpl,
        "mode.op_mode": 3 = inputs.mode.op_mode,
        part reg_request "reg." = inputs.reg,
    }
}

flat_table! {
    /// Outputs, then probe.
    pub(super) ExpectedRow<
        const LPS: usize,
        const L3_WAYS: usize,
        const L2_WAYS: usize,
        const RMIDS: usize,
        const CLASSES: usize
    >(
        outputs: Outputs<LPS>,
        state: State<LPS, L3_WAYS, L2_WAYS, RMIDS, CLASSES>,
    ): unpack, whole;
    each "lp" for LPS (out in outputs.lp) {
        "req_ready": 1 = out.req_ready,
        "done": 1 = out.done,
        "l2_hit": 1 = out.l2_hit,
        "l3_hit": 1 = out.l3_hit,
    }
    {
        "mem_req": 1 = outputs.mem_req,
        "mem_write": 1 = outputs.mem_write,
        "mem_addr": 52 = outputs.mem_addr,
        "mem_rmid": 5 = outputs.mem_rmid,
        "mem_cos": 4 = outputs.mem_cos,
        "l3_on": 5 = outputs.l3_on,
        "l2_on": 4 = outputs.l2_on,
        "walking": 1 = outputs.walking,
        "reg_done": 1 = outputs.reg_done,
        "reg_result": 3 = outputs.reg_result,
        "reg_rdata": 64 = outputs.reg_rdata,
        "state.cdp.l3": 1 = state.cdp.l3,
        "state.cdp.l2": 1 = state.cdp.l2,
    }
    each "state.lp" for LPS (lp in state.lp) {
        "rmid": 5 = lp.rmid,
        "cos": 4 = lp.cos,
        "event": 8 = lp.event,
        "event_rmid": 12 = lp.event_rmid,
        "settle": 8 = lp.settle,
        "stage": 2 = lp.stage,
        "write": 1 = lp.write,
        "code": 1 = lp.code,
        "line": 48 = lp.line,
        "access_rmid": 5 = lp.access_rmid,
        "access_cos": 4 = lp.access_cos,
        "credit": 15 = lp.credit,
        "done": 1 = lp.done,
        "l2_hit": 1 = lp.l2_hit,
        "l3_hit": 1 = lp.l3_hit,
    }
    many "state.class" for CLASSES (class in state.class) {
        "l3_mask": 16 = class.l3_mask,
        "l2_mask": 8 = class.l2_mask,
        "delay": 12 = class.delay,
    }
    many "state.rmid" for RMIDS (rmid in state.rmid) {
        "occupancy": 17 = rmid.occupancy,
        "total": 62 = rmid.total,
        "local": 62 = rmid.local,
    }
    {
        "state.job.step": 5 = state.job.step,
        "state.job.turn": 3 = state.job.turn,
        "state.job.rmid": 5 = state.job.rmid,
        "state.job.cos": 4 = state.job.cos,
        "state.job.write": 1 = state.job.write,
        "state.job.code": 1 = state.job.code,
        "state.job.line": 48 = state.job.line,
        "state.job.l3_allowed": 16 = state.job.l3_allowed,
        "state.job.l2_allowed": 8 = state.job.l2_allowed,
        "state.job.fills": 1 = state.job.fills,
        "state.job.hit": 1 = state.job.hit,
        "state.job.way": 4 = state.job.way,
        "state.job.victim": 48 = state.job.victim,
        "state.job.victim_rmid": 5 = state.job.victim_rmid,
        "state.job.victim_dirty": 1 = state.job.victim_dirty,
        "state.job.walk": 1 = state.job.walk,
        "state.job.set": 12 = state.job.set,
        "state.power.l3_on": 5 = state.power.l3_on,
        "state.power.l2_on": 4 = state.power.l2_on,
        "state.l3.index": 12 = state.l3.index,
        "state.l3.written": 1 = state.l3.written,
    }
    many "state.l3.word.line" for L3_WAYS (way in state.l3.word.line) {
        "valid": 1 = way.valid,
        "dirty": 1 = way.dirty,
        "code": 1 = way.code,
        "rmid": 5 = way.rmid,
        "line": 48 = way.line,
        "age": 4 = way.age,
    }
    {
        "state.l2.index": 10 = state.l2.index,
        "state.l2.written": 1 = state.l2.written,
    }
    each "state.l2.word.line" for L2_WAYS (way in state.l2.word.line) {
        "valid": 1 = way.valid,
        "dirty": 1 = way.dirty,
        "line": 48 = way.line,
        "age": 3 = way.age,
    }
    {
        "state.show.index": 12 = state.show.index,
        "state.answer.reg_done": 1 = state.answer.reg_done,
        "state.answer.reg_result": 3 = state.answer.reg_result,
        "state.answer.reg_rdata": 64 = state.answer.reg_rdata,
    }
    many "state.show.l3.line" for L3_WAYS (way in state.show.l3.line) {
        "valid": 1 = way.valid,
        "dirty": 1 = way.dirty,
        "code": 1 = way.code,
        "rmid": 5 = way.rmid,
        "line": 48 = way.line,
        "age": 4 = way.age,
    }
    each "state.show.l2.line" for L2_WAYS (way in state.show.l2.line) {
        "valid": 1 = way.valid,
        "dirty": 1 = way.dirty,
        "line": 48 = way.line,
        "age": 3 = way.age,
    }
}

#[inline(always)]
pub(super) fn read_inputs<const LPS: usize>(row: &[u32], inputs: &mut Inputs<LPS>) -> bool {
    let mut rst_n = false;
    let read = InputRow::<LPS>::unpack(&mut rst_n, inputs, row);
    debug_assert_eq!(read, Ok(()), "every code of an input has a value");
    rst_n
}

/// Returns the outputs and the registers of a row. A code that has no meaning reads as the value after reset.
pub(super) fn unpack_shown<
    const LPS: usize,
    const L3_WAYS: usize,
    const L2_WAYS: usize,
    const RMIDS: usize,
    const CLASSES: usize,
>(
    row: &[u32],
) -> (Outputs<LPS>, State<LPS, L3_WAYS, L2_WAYS, RMIDS, CLASSES>) {
    let (mut outputs, mut state) = (Outputs::default(), State::default());
    let _ = ExpectedRow::<LPS, L3_WAYS, L2_WAYS, RMIDS, CLASSES>::unpack(&mut outputs, &mut state, row);
    (outputs, state)
}

/// Returns the straps of a row, or the name of the first one whose code is no choice.
pub(super) fn read_straps(row: &[u32]) -> Result<Config, &'static str> {
    let mut straps = Config::default();
    StrapRow::unpack(&mut straps, row).map_err(|NoValue(name)| name)?;
    Ok(straps)
}
