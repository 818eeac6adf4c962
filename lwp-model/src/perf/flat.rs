//! The unit's ports and registers as rows of 32-bit words: the table of the book's page "The flat row".

use super::config::Config;
use super::inputs::Inputs;
use super::outputs::Outputs;
use super::state::State;
use crate::flat::{NoValue, Place, flat_table, place_registers};
use lwp_regs::perf::architectural::{FixedControl, Ia32PerfCapabilities};

place_registers!(Ia32PerfCapabilities);

impl Place for FixedControl {
    #[inline]
    fn bits(self) -> u64 {
        self.into_bits().into()
    }

    #[inline]
    fn from_bits(bits: u64) -> Option<Self> {
        Some(Self::from_bits(bits as u8))
    }
}

flat_table! {
    /// Straps.
    pub(super) StrapRow(straps: Config): unpack;
    {
        "personality": 2 = straps.personality,
        "p6_model": 2 = straps.p6_model,
        "counters": 4 = straps.counters,
        "width": 6 = straps.width,
        "fixed": 2 = straps.fixed,
        "fixed_width": 6 = straps.fixed_width,
        "events": 7 = straps.events,
        "any_thread": 1 = straps.any_thread,
        "pdcm": 1 = straps.pdcm,
        "capabilities": 17 = straps.capabilities,
        "inv_zero": 1 = straps.inv_zero,
        "sel1_en": 1 = straps.sel1_en,
        "fast_read": 1 = straps.fast_read,
        "x2apic": 1 = straps.x2apic,
        "mask_on_delivery": 1 = straps.mask_on_delivery,
    }
}

flat_table! {
    /// Inputs.
    pub(super) InputRow<const LP: usize, const LANES: usize>(rst_n: bool, inputs: Inputs<LP, LANES>): unpack;
    {
        "rst_n": 1 = *rst_n,
        "bus_tick": 1 = inputs.bus_tick,
        "core_ratio": 8 = inputs.core_ratio,
        "core_clock": 1 = inputs.core_clock,
    }
    each "lanes" for LP, LANES (lane in inputs.lanes) {
        "valid": 1 = lane.valid,
        "counts": 1 = lane.counts,
        "branch_kind": 4 = lane.branch_kind,
        "branch_taken": 1 = lane.branch_taken,
        "branch_pred_valid": 1 = lane.branch_pred_valid,
        "branch_pred_ok": 1 = lane.branch_pred_ok,
    }
    each "lp" for LP (lp in inputs.lp) {
        "partial": 1 = lp.partial,
        "cpl": 2 = lp.cpl,
        "op_mode": 3 = lp.op_mode,
        "int_valid": 1 = lp.int_valid,
        "int_kind": 3 = lp.int_kind,
        "halted": 1 = lp.halted,
        "pce": 1 = lp.pce,
        "freeze": 1 = lp.freeze,
        "freeze_on_pmi": 1 = lp.freeze_on_pmi,
        "freeze_while_smm": 1 = lp.freeze_while_smm,
        "ds_pmi": 1 = lp.ds_pmi,
        "irq_ack": 1 = lp.irq_ack;
        packed {
            "events.data_mem_refs": 4,
            "events.dcu_lines_in": 4,
            "events.dcu_m_lines_in": 4,
            "events.dcu_m_lines_out": 4,
            "events.dcu_miss_outstanding": 4,
            "events.ifu_ifetch": 4,
            "events.ifu_ifetch_miss": 4,
            "events.itlb_miss": 4,
            "events.l2_ifetch_i": 4,
            "events.l2_ifetch_s": 4,
            "events.l2_ifetch_e": 4,
            "events.l2_ifetch_m": 4,
            "events.l2_ld_i": 4,
            "events.l2_ld_s": 4,
            "events.l2_ld_e": 4,
            "events.l2_ld_m": 4,
            "events.l2_st_i": 4,
            "events.l2_st_s": 4,
            "events.l2_st_e": 4,
            "events.l2_st_m": 4,
            "events.l2_rqsts_i": 4,
            "events.l2_rqsts_s": 4,
            "events.l2_rqsts_e": 4,
            "events.l2_rqsts_m": 4,
            "events.l2_lines_in": 4,
            "events.l2_lines_out": 4,
            "events.l2_m_lines_inm": 4,
            "events.l2_m_lines_outm": 4,
            "events.l2_ads": 4,
            "events.bus_req_outstanding": 4,
            "events.bus_brd_self": 4,
            "events.bus_brd_any": 4,
            "events.bus_rfo_self": 4,
            "events.bus_rfo_any": 4,
            "events.bus_wb_self": 4,
            "events.bus_wb_any": 4,
            "events.bus_ifetch_self": 4,
            "events.bus_ifetch_any": 4,
            "events.bus_inval_self": 4,
            "events.bus_inval_any": 4,
            "events.bus_pwr_self": 4,
            "events.bus_pwr_any": 4,
            "events.bus_p_self": 4,
            "events.bus_p_any": 4,
            "events.bus_io_self": 4,
            "events.bus_io_any": 4,
            "events.bus_def_self": 4,
            "events.bus_def_any": 4,
            "events.bus_burst_self": 4,
            "events.bus_burst_any": 4,
            "events.bus_all_self": 4,
            "events.bus_all_any": 4,
            "events.bus_mem_self": 4,
            "events.bus_mem_any": 4,
            "events.flops": 4,
            "events.fp_comp_ops_exe": 4,
            "events.fp_assist": 4,
            "events.mul": 4,
            "events.div": 4,
            "events.ld_blocks": 4,
            "events.kni_pref_dispatched_nta": 4,
            "events.kni_pref_dispatched_t1": 4,
            "events.kni_pref_dispatched_t2": 4,
            "events.kni_pref_dispatched_weak": 4,
            "events.kni_pref_miss_nta": 4,
            "events.kni_pref_miss_t1": 4,
            "events.kni_pref_miss_t2": 4,
            "events.kni_pref_miss_weak": 4,
            "events.uops_retired": 4,
            "events.inst_decoded": 4,
            "events.kni_retired": 4,
            "events.kni_retired_scalar": 4,
            "events.kni_comp_retired": 4,
            "events.kni_comp_retired_scalar": 4,
            "events.br_decoded": 4,
            "events.btb_misses": 4,
            "events.br_bogus": 4,
            "events.baclears": 4,
            "events.partial_rat_stalls": 4,
            "events.segment_reg_loads": 4,
            "events.mmx_exec": 4,
            "events.mmx_sat_exec": 4,
            "events.mmx_uops_exec": 4,
            "events.mmx_type_mul": 4,
            "events.mmx_type_shift": 4,
            "events.mmx_type_pack": 4,
            "events.mmx_type_unpack": 4,
            "events.mmx_type_logical": 4,
            "events.mmx_type_arith": 4,
            "events.mmx_to_fp": 4,
            "events.fp_to_mmx": 4,
            "events.mmx_assist": 4,
            "events.mmx_retired": 4,
            "events.seg_rename_stalls_es": 4,
            "events.seg_rename_stalls_ds": 4,
            "events.seg_rename_stalls_fs": 4,
            "events.seg_rename_stalls_gs": 4,
            "events.seg_renames_es": 4,
            "events.seg_renames_ds": 4,
            "events.seg_renames_fs": 4,
            "events.seg_renames_gs": 4,
            "events.ret_seg_renames": 4,
            "events.llc_references": 4,
            "events.llc_misses": 4,
            "events.ifu_mem_stall": 1,
            "events.ild_stall": 1,
            "events.l2_dbus_busy": 1,
            "events.l2_dbus_busy_rd": 1,
            "events.bus_drdy_self": 1,
            "events.bus_drdy_any": 1,
            "events.bus_lock_self": 1,
            "events.bus_lock_any": 1,
            "events.bus_data_rcv": 1,
            "events.bus_bnr_drv": 1,
            "events.bus_hit_drv": 1,
            "events.bus_hitm_drv": 1,
            "events.bus_snoop_stall": 1,
            "events.div_busy": 1,
            "events.sb_drains": 1,
            "events.misalign_mem_ref": 1,
            "events.resource_stalls": 1,
            "events.int_masked": 1,
            "events.int_pending_and_masked": 1,
        } = lp.events.words
    }
    {
        part reg_request "reg." = inputs.reg,
        "apic.apic_write": 1 = inputs.apic.write,
        "apic.apic_lp": 3 = inputs.apic.lp,
        "apic.apic_wdata": 32 = inputs.apic.wdata,
    }
}

flat_table! {
    /// Outputs, then probe.
    pub(super) ExpectedRow<const LP: usize, const GENERAL: usize, const FIXED: usize>(
        outputs: Outputs<LP, GENERAL, FIXED>,
        state: State<LP, GENERAL, FIXED>,
    ): unpack, whole;
    {
        "reg_done": 1 = outputs.reg_done,
        "reg_result": 3 = outputs.reg_result,
        "reg_rdata": 64 = outputs.reg_rdata,
    }
    each "lp" for LP (lp in outputs.lp) {
        "irq": 1 = lp.irq,
        "irq_mode": 3 = lp.irq_mode,
        "irq_vector": 8 = lp.irq_vector,
        "lvt_vector": 8 = lp.lvt_vector,
        "lvt_mode": 3 = lp.lvt_mode,
        "lvt_mask": 1 = lp.lvt_mask,
        "pmi": 1 = lp.pmi,
    }
    each "general" for LP, GENERAL (general in outputs.general) {
        "overflow": 1 = general.overflow,
        "pin": 1 = general.pin,
    }
    each "fixed" for LP, FIXED (fixed in outputs.fixed) {
        "overflow": 1 = fixed.overflow,
    }
    {
        "state.ratio_fits": 1 = state.ratio_fits,
    }
    each "state.general" for LP, GENERAL (general in state.general) {
        "select": 32 = general.select,
        "counter": 48 = general.counter,
        "held": 1 = general.held,
        "on": 1 = general.on,
        "status": 1 = general.status,
        "overflow": 1 = general.overflow,
        "due": 1 = general.due,
        "pin": 1 = general.pin,
    }
    each "state.fixed" for LP, FIXED (fixed in state.fixed) {
        "control": 4 = fixed.control,
        "counter": 48 = fixed.counter,
        "on": 1 = fixed.on,
        "status": 1 = fixed.status,
        "overflow": 1 = fixed.overflow,
    }
    each "state.lp" for LP (lp in state.lp) {
        "ds_status": 1 = lp.ds_status,
        "smm_frozen": 1 = lp.smm_frozen,
        "lvt_vector": 8 = lp.lvt_vector,
        "lvt_mode": 3 = lp.lvt_mode,
        "lvt_mask": 1 = lp.lvt_mask,
        "irq": 1 = lp.irq,
        "irq_mode": 3 = lp.irq_mode,
        "irq_vector": 8 = lp.irq_vector,
        "pmi": 1 = lp.pmi,
    }
    {
        "state.answer.reg_done": 1 = state.answer.reg_done,
        "state.answer.reg_result": 3 = state.answer.reg_result,
        "state.answer.reg_rdata": 64 = state.answer.reg_rdata,
    }
}

#[inline(always)]
pub(super) fn read_inputs<const LP: usize, const LANES: usize>(row: &[u32], inputs: &mut Inputs<LP, LANES>) -> bool {
    let mut rst_n = false;
    let read = InputRow::<LP, LANES>::unpack(&mut rst_n, inputs, row);
    debug_assert_eq!(read, Ok(()), "every code of an input has a value");
    rst_n
}

/// A code that has no meaning reads as the value after reset.
pub(super) fn unpack_shown<const LP: usize, const GENERAL: usize, const FIXED: usize>(
    row: &[u32],
) -> (Outputs<LP, GENERAL, FIXED>, State<LP, GENERAL, FIXED>) {
    let mut state = State::default();
    let mut outputs = Outputs::of(&state);
    let _ = ExpectedRow::<LP, GENERAL, FIXED>::unpack(&mut outputs, &mut state, row);
    (outputs, state)
}

/// Returns the straps of a row, or the name of the first one whose code is no choice.
pub(super) fn read_straps(row: &[u32]) -> Result<Config, &'static str> {
    let mut straps = Config::default();
    StrapRow::unpack(&mut straps, row).map_err(|NoValue(name)| name)?;
    Ok(straps)
}
