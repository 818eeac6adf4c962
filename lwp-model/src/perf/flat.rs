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
        "irq_ack": 1 = lp.irq_ack,
        "events.data_mem_refs": 4 = lp.events.data_mem_refs,
        "events.dcu_lines_in": 4 = lp.events.dcu_lines_in,
        "events.dcu_m_lines_in": 4 = lp.events.dcu_m_lines_in,
        "events.dcu_m_lines_out": 4 = lp.events.dcu_m_lines_out,
        "events.dcu_miss_outstanding": 4 = lp.events.dcu_miss_outstanding,
        "events.ifu_ifetch": 4 = lp.events.ifu_ifetch,
        "events.ifu_ifetch_miss": 4 = lp.events.ifu_ifetch_miss,
        "events.itlb_miss": 4 = lp.events.itlb_miss,
        "events.l2_ifetch_i": 4 = lp.events.l2_ifetch_i,
        "events.l2_ifetch_s": 4 = lp.events.l2_ifetch_s,
        "events.l2_ifetch_e": 4 = lp.events.l2_ifetch_e,
        "events.l2_ifetch_m": 4 = lp.events.l2_ifetch_m,
        "events.l2_ld_i": 4 = lp.events.l2_ld_i,
        "events.l2_ld_s": 4 = lp.events.l2_ld_s,
        "events.l2_ld_e": 4 = lp.events.l2_ld_e,
        "events.l2_ld_m": 4 = lp.events.l2_ld_m,
        "events.l2_st_i": 4 = lp.events.l2_st_i,
        "events.l2_st_s": 4 = lp.events.l2_st_s,
        "events.l2_st_e": 4 = lp.events.l2_st_e,
        "events.l2_st_m": 4 = lp.events.l2_st_m,
        "events.l2_rqsts_i": 4 = lp.events.l2_rqsts_i,
        "events.l2_rqsts_s": 4 = lp.events.l2_rqsts_s,
        "events.l2_rqsts_e": 4 = lp.events.l2_rqsts_e,
        "events.l2_rqsts_m": 4 = lp.events.l2_rqsts_m,
        "events.l2_lines_in": 4 = lp.events.l2_lines_in,
        "events.l2_lines_out": 4 = lp.events.l2_lines_out,
        "events.l2_m_lines_inm": 4 = lp.events.l2_m_lines_inm,
        "events.l2_m_lines_outm": 4 = lp.events.l2_m_lines_outm,
        "events.l2_ads": 4 = lp.events.l2_ads,
        "events.bus_req_outstanding": 4 = lp.events.bus_req_outstanding,
        "events.bus_brd_self": 4 = lp.events.bus_brd_self,
        "events.bus_brd_any": 4 = lp.events.bus_brd_any,
        "events.bus_rfo_self": 4 = lp.events.bus_rfo_self,
        "events.bus_rfo_any": 4 = lp.events.bus_rfo_any,
        "events.bus_wb_self": 4 = lp.events.bus_wb_self,
        "events.bus_wb_any": 4 = lp.events.bus_wb_any,
        "events.bus_ifetch_self": 4 = lp.events.bus_ifetch_self,
        "events.bus_ifetch_any": 4 = lp.events.bus_ifetch_any,
        "events.bus_inval_self": 4 = lp.events.bus_inval_self,
        "events.bus_inval_any": 4 = lp.events.bus_inval_any,
        "events.bus_pwr_self": 4 = lp.events.bus_pwr_self,
        "events.bus_pwr_any": 4 = lp.events.bus_pwr_any,
        "events.bus_p_self": 4 = lp.events.bus_p_self,
        "events.bus_p_any": 4 = lp.events.bus_p_any,
        "events.bus_io_self": 4 = lp.events.bus_io_self,
        "events.bus_io_any": 4 = lp.events.bus_io_any,
        "events.bus_def_self": 4 = lp.events.bus_def_self,
        "events.bus_def_any": 4 = lp.events.bus_def_any,
        "events.bus_burst_self": 4 = lp.events.bus_burst_self,
        "events.bus_burst_any": 4 = lp.events.bus_burst_any,
        "events.bus_all_self": 4 = lp.events.bus_all_self,
        "events.bus_all_any": 4 = lp.events.bus_all_any,
        "events.bus_mem_self": 4 = lp.events.bus_mem_self,
        "events.bus_mem_any": 4 = lp.events.bus_mem_any,
        "events.flops": 4 = lp.events.flops,
        "events.fp_comp_ops_exe": 4 = lp.events.fp_comp_ops_exe,
        "events.fp_assist": 4 = lp.events.fp_assist,
        "events.mul": 4 = lp.events.mul,
        "events.div": 4 = lp.events.div,
        "events.ld_blocks": 4 = lp.events.ld_blocks,
        "events.kni_pref_dispatched_nta": 4 = lp.events.kni_pref_dispatched_nta,
        "events.kni_pref_dispatched_t1": 4 = lp.events.kni_pref_dispatched_t1,
        "events.kni_pref_dispatched_t2": 4 = lp.events.kni_pref_dispatched_t2,
        "events.kni_pref_dispatched_weak": 4 = lp.events.kni_pref_dispatched_weak,
        "events.kni_pref_miss_nta": 4 = lp.events.kni_pref_miss_nta,
        "events.kni_pref_miss_t1": 4 = lp.events.kni_pref_miss_t1,
        "events.kni_pref_miss_t2": 4 = lp.events.kni_pref_miss_t2,
        "events.kni_pref_miss_weak": 4 = lp.events.kni_pref_miss_weak,
        "events.uops_retired": 4 = lp.events.uops_retired,
        "events.inst_decoded": 4 = lp.events.inst_decoded,
        "events.kni_retired": 4 = lp.events.kni_retired,
        "events.kni_retired_scalar": 4 = lp.events.kni_retired_scalar,
        "events.kni_comp_retired": 4 = lp.events.kni_comp_retired,
        "events.kni_comp_retired_scalar": 4 = lp.events.kni_comp_retired_scalar,
        "events.br_decoded": 4 = lp.events.br_decoded,
        "events.btb_misses": 4 = lp.events.btb_misses,
        "events.br_bogus": 4 = lp.events.br_bogus,
        "events.baclears": 4 = lp.events.baclears,
        "events.partial_rat_stalls": 4 = lp.events.partial_rat_stalls,
        "events.segment_reg_loads": 4 = lp.events.segment_reg_loads,
        "events.mmx_exec": 4 = lp.events.mmx_exec,
        "events.mmx_sat_exec": 4 = lp.events.mmx_sat_exec,
        "events.mmx_uops_exec": 4 = lp.events.mmx_uops_exec,
        "events.mmx_type_mul": 4 = lp.events.mmx_type_mul,
        "events.mmx_type_shift": 4 = lp.events.mmx_type_shift,
        "events.mmx_type_pack": 4 = lp.events.mmx_type_pack,
        "events.mmx_type_unpack": 4 = lp.events.mmx_type_unpack,
        "events.mmx_type_logical": 4 = lp.events.mmx_type_logical,
        "events.mmx_type_arith": 4 = lp.events.mmx_type_arith,
        "events.mmx_to_fp": 4 = lp.events.mmx_to_fp,
        "events.fp_to_mmx": 4 = lp.events.fp_to_mmx,
        "events.mmx_assist": 4 = lp.events.mmx_assist,
        "events.mmx_retired": 4 = lp.events.mmx_retired,
        "events.seg_rename_stalls_es": 4 = lp.events.seg_rename_stalls_es,
        "events.seg_rename_stalls_ds": 4 = lp.events.seg_rename_stalls_ds,
        "events.seg_rename_stalls_fs": 4 = lp.events.seg_rename_stalls_fs,
        "events.seg_rename_stalls_gs": 4 = lp.events.seg_rename_stalls_gs,
        "events.seg_renames_es": 4 = lp.events.seg_renames_es,
        "events.seg_renames_ds": 4 = lp.events.seg_renames_ds,
        "events.seg_renames_fs": 4 = lp.events.seg_renames_fs,
        "events.seg_renames_gs": 4 = lp.events.seg_renames_gs,
        "events.ret_seg_renames": 4 = lp.events.ret_seg_renames,
        "events.llc_references": 4 = lp.events.llc_references,
        "events.llc_misses": 4 = lp.events.llc_misses,
        "events.ifu_mem_stall": 1 = lp.events.ifu_mem_stall,
        "events.ild_stall": 1 = lp.events.ild_stall,
        "events.l2_dbus_busy": 1 = lp.events.l2_dbus_busy,
        "events.l2_dbus_busy_rd": 1 = lp.events.l2_dbus_busy_rd,
        "events.bus_drdy_self": 1 = lp.events.bus_drdy_self,
        "events.bus_drdy_any": 1 = lp.events.bus_drdy_any,
        "events.bus_lock_self": 1 = lp.events.bus_lock_self,
        "events.bus_lock_any": 1 = lp.events.bus_lock_any,
        "events.bus_data_rcv": 1 = lp.events.bus_data_rcv,
        "events.bus_bnr_drv": 1 = lp.events.bus_bnr_drv,
        "events.bus_hit_drv": 1 = lp.events.bus_hit_drv,
        "events.bus_hitm_drv": 1 = lp.events.bus_hitm_drv,
        "events.bus_snoop_stall": 1 = lp.events.bus_snoop_stall,
        "events.div_busy": 1 = lp.events.div_busy,
        "events.sb_drains": 1 = lp.events.sb_drains,
        "events.misalign_mem_ref": 1 = lp.events.misalign_mem_ref,
        "events.resource_stalls": 1 = lp.events.resource_stalls,
        "events.int_masked": 1 = lp.events.int_masked,
        "events.int_pending_and_masked": 1 = lp.events.int_pending_and_masked,
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
    ): unpack;
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
