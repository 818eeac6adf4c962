//! The unit's ports and registers as rows of 32-bit words: the table of the book's page "The flat row".

use super::config::Config;
use super::inputs::{Inputs, MEM_PORTS};
use super::outputs::Outputs;
use super::state::{COUNTERS, PAIRS, State};
use crate::flat::{NoValue, flat_table};

flat_table! {
    /// Straps.
    pub(super) StrapRow(straps: Config): unpack;
    {
        "ism_order": 1 = straps.ism_order,
        "up_on_interruption": 1 = straps.up_on_interruption,
        "freeze_always": 1 = straps.freeze_always,
    }
}

flat_table! {
    /// Inputs.
    pub(super) InputRow<const BUNDLES: usize>(rst_n: bool, inputs: Inputs<BUNDLES>): unpack;
    {
        "rst_n": 1 = *rst_n,
    }
    each "fetch" for BUNDLES (fetch in inputs.fetch) {
        "valid": 1 = fetch.valid,
        "id": 4 = fetch.id,
        "addr": 64 = fetch.addr,
        "cpl": 2 = fetch.cpl,
    }
    each "issue" for BUNDLES (issue in inputs.issue) {
        "valid": 1 = issue.valid,
        "id": 4 = issue.id,
        "template_code": 5 = issue.template_code,
        "slot0": 41 = issue.slot0,
        "slot1": 41 = issue.slot1,
        "slot2": 41 = issue.slot2,
    }
    each "retire" for BUNDLES (retire in inputs.retire) {
        "valid": 1 = retire.valid,
        "id": 4 = retire.id,
        "slots": 3 = retire.slots,
        "off": 3 = retire.off,
        "branch": 3 = retire.branch,
        "taken": 3 = retire.taken,
    }
    {
        "ia32": 2 = inputs.ia32,
    }
    each "mem" for MEM_PORTS (mem in inputs.mem) {
        "valid": 1 = mem.valid,
        "id": 4 = mem.id,
        "slot": 2 = mem.slot,
        "addr": 64 = mem.addr,
        "read": 1 = mem.read,
        "write": 1 = mem.write,
        "l1d_read": 1 = mem.l1d_read,
        "l1d_miss": 1 = mem.l1d_miss,
        "l2_read": 1 = mem.l2_read,
        "l2_write": 1 = mem.l2_write,
        "l2_miss": 1 = mem.l2_miss,
        "dtc_miss": 1 = mem.dtc_miss,
        "dtlb_miss": 1 = mem.dtlb_miss,
    }
    {
        "core_clock": 1 = inputs.core_clock,
        "cpl": 2 = inputs.cpl,
        "psr_is": 1 = inputs.psr_is,
        "int_valid": 1 = inputs.int_valid,
        "irq_ack": 1 = inputs.irq_ack,
        "reg.reg_valid": 1 = inputs.reg.valid,
        "reg.reg_op": 4 = inputs.reg.op,
        "reg.reg_lp": 3 = inputs.reg.lp,
        "reg.reg_number": 32 = inputs.reg.number,
        "reg.reg_wdata": 64 = inputs.reg.wdata,
    }
}

flat_table! {
    /// Outputs, then probe.
    pub(super) ExpectedRow<const ENTRIES: usize>(outputs: Outputs, state: State): unpack, whole;
    {
        "irq": 1 = outputs.irq,
        "pin": 4 = outputs.pin,
        "psr_up": 1 = outputs.psr_up,
        "psr_sp": 1 = outputs.psr_sp,
        "psr_pp": 1 = outputs.psr_pp,
        "iear_on": 1 = outputs.iear_on,
        "dear_on": 1 = outputs.dear_on,
        "btb_on": 1 = outputs.btb_on,
        "reg_done": 1 = outputs.reg_done,
        "reg_result": 3 = outputs.reg_result,
        "reg_rdata": 64 = outputs.reg_rdata,
        "state.status.up": 1 = state.status.up,
        "state.status.sp": 1 = state.status.sp,
        "state.status.pp": 1 = state.status.pp,
        "state.status.dcr_pp": 1 = state.status.dcr_pp,
        "state.freeze.fr": 1 = state.freeze.fr,
        "state.freeze.overflow": 4 = state.freeze.overflow,
        "state.freeze.irq": 1 = state.freeze.irq,
    }
    each "state.counter" for COUNTERS (counter in state.counter) {
        "plm": 4 = counter.plm,
        "ev": 1 = counter.ev,
        "oi": 1 = counter.oi,
        "pm": 1 = counter.pm,
        "es": 7 = counter.es,
        "umask": 4 = counter.umask,
        "threshold": 3 = counter.threshold,
        "ism": 2 = counter.ism,
        "count": 32 = counter.count,
        "pin": 1 = counter.pin,
    }
    each "state.matcher" for 2 (matcher in state.matcher) {
        "mask": 27 = matcher.mask,
        "match_value": 27 = matcher.match_value,
        "b": 1 = matcher.b,
        "f": 1 = matcher.f,
        "i": 1 = matcher.i,
        "m": 1 = matcher.m,
    }
    {
        "state.pmc10.plm": 4 = state.pmc10.plm,
        "state.pmc10.pm": 1 = state.pmc10.pm,
        "state.pmc10.tlb": 1 = state.pmc10.tlb,
        "state.pmc10.umask": 4 = state.pmc10.umask,
        "state.pmc10.ism": 2 = state.pmc10.ism,
        "state.pmc11.plm": 4 = state.pmc11.plm,
        "state.pmc11.pm": 1 = state.pmc11.pm,
        "state.pmc11.tlb": 1 = state.pmc11.tlb,
        "state.pmc11.umask": 4 = state.pmc11.umask,
        "state.pmc11.ism": 2 = state.pmc11.ism,
        "state.pmc11.pt": 1 = state.pmc11.pt,
        "state.pmc12.plm": 4 = state.pmc12.plm,
        "state.pmc12.pm": 1 = state.pmc12.pm,
        "state.pmc12.tar": 1 = state.pmc12.tar,
        "state.pmc12.tm": 2 = state.pmc12.tm,
        "state.pmc12.ptm": 2 = state.pmc12.ptm,
        "state.pmc12.ppm": 2 = state.pmc12.ppm,
        "state.pmc12.bpt": 1 = state.pmc12.bpt,
        "state.pmc12.bac": 1 = state.pmc12.bac,
        "state.pmc13.ta": 1 = state.pmc13.ta,
        "state.pmc13.rest": 63 = state.pmc13.rest,
    }
    each "state.ibr" for PAIRS (pair in state.ibr) {
        "addr": 64 = pair.addr,
        "mask": 56 = pair.mask,
        "plm": 4 = pair.plm,
        "x": 1 = pair.x,
    }
    each "state.dbr" for PAIRS (pair in state.dbr) {
        "addr": 64 = pair.addr,
        "mask": 56 = pair.mask,
        "plm": 4 = pair.plm,
        "w": 1 = pair.w,
        "r": 1 = pair.r,
    }
    many "state.tag" for ENTRIES (tag in state.tag[..ENTRIES]) {
        "range": 1 = tag.range,
        "pmc8": 3 = tag.pmc8,
        "pmc9": 3 = tag.pmc9,
    }
    {
        "state.ear.iear_on": 1 = state.ear.iear_on,
        "state.ear.dear_on": 1 = state.ear.dear_on,
        "state.ear.btb_on": 1 = state.ear.btb_on,
        "state.answer.reg_done": 1 = state.answer.reg_done,
        "state.answer.reg_result": 3 = state.answer.reg_result,
        "state.answer.reg_rdata": 64 = state.answer.reg_rdata,
    }
}

#[inline(always)]
pub(super) fn read_inputs<const BUNDLES: usize>(row: &[u32], inputs: &mut Inputs<BUNDLES>) -> bool {
    let mut rst_n = false;
    let read = InputRow::<BUNDLES>::unpack(&mut rst_n, inputs, row);
    debug_assert_eq!(read, Ok(()), "every code of an input has a value");
    rst_n
}

/// Returns the outputs and the registers of a row.
pub(super) fn unpack_shown<const ENTRIES: usize>(row: &[u32]) -> (Outputs, State) {
    let (mut outputs, mut state) = (Outputs::default(), State::default());
    let _ = ExpectedRow::<ENTRIES>::unpack(&mut outputs, &mut state, row);
    (outputs, state)
}

/// Returns the straps of a row, or the name of the first one whose code is no choice.
pub(super) fn read_straps(row: &[u32]) -> Result<Config, &'static str> {
    let mut straps = Config::default();
    StrapRow::unpack(&mut straps, row).map_err(|NoValue(name)| name)?;
    Ok(straps)
}
