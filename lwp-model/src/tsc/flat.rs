//! The unit's ports and registers as rows of 32-bit words: the table of the book's page "The flat row".

use super::config::Config;
use super::inputs::Inputs;
use super::outputs::Outputs;
use super::state::State;
use crate::flat::{NoValue, flat_table, place_registers};
use lwp_regs::tsc::{TimeStampCounter, TscAdjust, TscAux};

place_registers!(TimeStampCounter TscAdjust TscAux);

flat_table! {
    /// Straps.
    pub(super) StrapRow(straps: Config): unpack;
    {
        "present": 1 = straps.present,
        "adjust": 1 = straps.adjust,
        "aux": 1 = straps.aux,
        "rate": 2 = straps.rate,
        "write_width": 1 = straps.write_width,
        "deep_sleep": 1 = straps.deep_sleep,
        "max_ratio": 8 = straps.max_ratio,
        "art_whole": 16 = straps.art_whole,
        "art_rest": 16 = straps.art_rest,
        "art_denominator": 16 = straps.art_denominator,
    }
}

flat_table! {
    /// Inputs.
    pub(super) InputRow(rst_n: bool, inputs: Inputs): unpack;
    {
        "rst_n": 1 = *rst_n,
        part processor "processor." = inputs.processor,
        "cpl": 2 = inputs.cpl,
        "op_mode": 3 = inputs.op_mode,
        "tsd": 1 = inputs.tsd,
        part reg_request "reg." = inputs.reg,
    }
}

flat_table! {
    /// Outputs, then probe.
    pub(super) ExpectedRow<const LP: usize>(outputs: Outputs, state: State<LP>): unpack, whole;
    {
        "reg_done": 1 = outputs.reg_done,
        "reg_result": 3 = outputs.reg_result,
        "reg_rdata": 64 = outputs.reg_rdata,
        "reg_aux": 32 = outputs.reg_aux,
        "state.rate.booted": 1 = state.rate.booted,
        "state.rate.boot_ratio": 8 = state.rate.boot_ratio,
        "state.rate.fraction": 16 = state.rate.fraction,
    }
    each "state.processors" (processor in state.processors) {
        "counter": 64 = processor.counter,
        "adjust": 64 = processor.adjust,
        "aux": 32 = processor.aux,
    }
    {
        "state.answer.reg_done": 1 = state.answer.reg_done,
        "state.answer.reg_result": 3 = state.answer.reg_result,
        "state.answer.reg_rdata": 64 = state.answer.reg_rdata,
        "state.answer.reg_aux": 32 = state.answer.reg_aux,
    }
}

#[inline(always)]
pub(super) fn read_inputs(row: &[u32], inputs: &mut Inputs) -> bool {
    let mut rst_n = false;
    let read = InputRow::unpack(&mut rst_n, inputs, row);
    debug_assert_eq!(read, Ok(()), "every code of an input has a value");
    rst_n
}

/// Returns the outputs and the registers of a row. A code that has no meaning reads as the value after reset.
pub(super) fn unpack_shown<const LP: usize>(row: &[u32]) -> (Outputs, State<LP>) {
    let (mut outputs, mut state) = (Outputs::default(), State::default());
    let _ = ExpectedRow::<LP>::unpack(&mut outputs, &mut state, row);
    (outputs, state)
}

/// Returns the straps of a row, or the name of the first one whose code is no choice.
pub(super) fn read_straps(row: &[u32]) -> Result<Config, &'static str> {
    let mut straps = Config::default();
    StrapRow::unpack(&mut straps, row).map_err(|NoValue(name)| name)?;
    Ok(straps)
}
