//! The unit's ports and registers as rows of 32-bit words: the table of the book's page "The flat row".

use super::config::Config;
use super::inputs::Inputs;
use super::outputs::Outputs;
use super::state::State;
use crate::flat::{NoValue, Place, flat_table, place_registers};
use lwp_regs::debug::{BreakpointAddress, Slots};

place_registers!(BreakpointAddress);

impl Place for Slots {
    #[inline]
    fn bits(self) -> u64 {
        Self::bits(&self).into()
    }

    #[inline]
    fn from_bits(bits: u64) -> Option<Self> {
        Some(Self::from_bits_truncate(bits as u8))
    }
}

flat_table! {
    /// Straps.
    pub(super) StrapRow(straps: Config): unpack;
    {
        "rtm": 1 = straps.rtm,
        "long_mode": 1 = straps.long_mode,
        "io_gate": 1 = straps.io_gate,
        "exec_length": 1 = straps.exec_length,
        "merge_next": 1 = straps.merge_next,
        "ss_chain": 1 = straps.ss_chain,
        "ss_fetch": 1 = straps.ss_fetch,
        "string_group": 6 = straps.string_group,
        "status": 2 = straps.status,
        "status_off": 1 = straps.status_off,
        "fault_rf": 1 = straps.fault_rf,
        "int1_step": 1 = straps.int1_step,
        "rep_rf": 1 = straps.rep_rf,
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
        part accesses "accesses" = lane.accesses,
        part flags "flags." = lane.flags,
        part transaction "transaction." = lane.transaction,
        "debug.kind": 3 = lane.debug.kind,
        "debug.rf_image": 1 = lane.debug.rf_image,
        "debug.t_flag": 1 = lane.debug.t_flag,
    }
    {
        part io "io." = inputs.io,
        part mode "mode." = inputs.mode,
        "int.int_valid": 1 = inputs.int.valid,
        "int.int_kind": 3 = inputs.int.kind,
        "int.int_from": 64 = inputs.int.from,
        "int.int_trap": 1 = inputs.int.trap,
        "int.int_task": 1 = inputs.int.task,
        "int.int_rf": 1 = inputs.int.rf,
        "int.int_t": 1 = inputs.int.t,
        "de": 1 = inputs.de,
        "btf": 1 = inputs.btf,
        "rtm_debug": 1 = inputs.rtm_debug,
        "ask.ask_valid": 1 = inputs.ask.valid,
        "ask.ask_in_tx": 1 = inputs.ask.in_tx,
        "ask.ask_ip": 64 = inputs.ask.ip,
        "db_ack": 1 = inputs.db_ack,
        part reg_request "reg." = inputs.reg,
    }
}

flat_table! {
    /// Outputs, then probe.
    pub(super) ExpectedRow(outputs: Outputs, state: State): unpack, whole;
    {
        "db_valid": 1 = outputs.db_valid,
        "db_class": 2 = outputs.db_class,
        "db_b": 4 = outputs.db_b,
        "db_bd": 1 = outputs.db_bd,
        "db_bs": 1 = outputs.db_bs,
        "db_bt": 1 = outputs.db_bt,
        "cut_valid": 1 = outputs.cut_valid,
        "cut_before": 1 = outputs.cut_before,
        "cut_lane": 3 = outputs.cut_lane,
        "hold": 1 = outputs.hold,
        "ask_done": 1 = outputs.ask_done,
        "frame_valid": 1 = outputs.frame_valid,
        "frame_rf": 1 = outputs.frame_rf,
        "reg_ready": 1 = outputs.reg_ready,
        "reg_done": 1 = outputs.reg_done,
        "reg_result": 3 = outputs.reg_result,
        "reg_rdata": 64 = outputs.reg_rdata,
        "state.registers.address[0]": 64 = state.registers.address[0],
        "state.registers.address[1]": 64 = state.registers.address[1],
        "state.registers.address[2]": 64 = state.registers.address[2],
        "state.registers.address[3]": 64 = state.registers.address[3],
        "state.registers.dr6.b": 4 = state.registers.dr6.b,
        "state.registers.dr6.bd": 1 = state.registers.dr6.bd,
        "state.registers.dr6.bs": 1 = state.registers.dr6.bs,
        "state.registers.dr6.bt": 1 = state.registers.dr6.bt,
        "state.registers.dr6.in_tx": 1 = state.registers.dr6.in_tx,
        "state.registers.dr7.enable": 8 = state.registers.dr7.enable,
        "state.registers.dr7.le": 1 = state.registers.dr7.le,
        "state.registers.dr7.ge": 1 = state.registers.dr7.ge,
        "state.registers.dr7.rtm": 1 = state.registers.dr7.rtm,
        "state.registers.dr7.gd": 1 = state.registers.dr7.gd,
        "state.registers.dr7.kind": 16 = state.registers.dr7.kind,
        "state.registers.smm.dr6.b": 4 = state.registers.smm.dr6.b,
        "state.registers.smm.dr6.bd": 1 = state.registers.smm.dr6.bd,
        "state.registers.smm.dr6.bs": 1 = state.registers.smm.dr6.bs,
        "state.registers.smm.dr6.bt": 1 = state.registers.smm.dr6.bt,
        "state.registers.smm.dr6.in_tx": 1 = state.registers.smm.dr6.in_tx,
        "state.registers.smm.dr7.enable": 8 = state.registers.smm.dr7.enable,
        "state.registers.smm.dr7.le": 1 = state.registers.smm.dr7.le,
        "state.registers.smm.dr7.ge": 1 = state.registers.smm.dr7.ge,
        "state.registers.smm.dr7.rtm": 1 = state.registers.smm.dr7.rtm,
        "state.registers.smm.dr7.gd": 1 = state.registers.smm.dr7.gd,
        "state.registers.smm.dr7.kind": 16 = state.registers.smm.dr7.kind,
        "state.registers.smm.rf": 1 = state.registers.smm.rf,
        "state.flags.rf": 1 = state.flags.rf,
        "state.flags.shadow": 1 = state.flags.shadow,
        "state.flags.in_rep": 1 = state.flags.in_rep,
        "state.flags.passed": 1 = state.flags.passed,
        "state.flags.string_n": 6 = state.flags.string_n,
        "state.held.hit": 4 = state.held.hit,
        "state.held.off": 4 = state.held.off,
        "state.request.db_valid": 1 = state.request.db_valid,
        "state.request.db_class": 2 = state.request.db_class,
        "state.request.db_b": 4 = state.request.db_b,
        "state.request.db_bd": 1 = state.request.db_bd,
        "state.request.db_bs": 1 = state.request.db_bs,
        "state.request.db_bt": 1 = state.request.db_bt,
        "state.cut.cut_valid": 1 = state.cut.cut_valid,
        "state.cut.cut_before": 1 = state.cut.cut_before,
        "state.cut.cut_lane": 3 = state.cut.cut_lane,
        "state.ask.ask_done": 1 = state.ask.ask_done,
        "state.frame.frame_valid": 1 = state.frame.frame_valid,
        "state.frame.frame_rf": 1 = state.frame.frame_rf,
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
pub(super) fn unpack_shown(row: &[u32]) -> (Outputs, State) {
    let (mut outputs, mut state) = (Outputs::default(), State::default());
    let _ = ExpectedRow::unpack(&mut outputs, &mut state, row);
    (outputs, state)
}

/// Returns the straps of a row, or the name of the first one whose code is no choice.
pub(super) fn read_straps(row: &[u32]) -> Result<Config, &'static str> {
    let mut straps = Config::default();
    StrapRow::unpack(&mut straps, row).map_err(|NoValue(name)| name)?;
    Ok(straps)
}
