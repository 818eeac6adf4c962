//! The bins that a cycle meets.

use super::crosses::Cover;
use crate::coverage::Bins;
use crate::itanium::straps::FACTORS;
use lwp_model::itanium::{Config, Inputs, Outputs, RegResult, State};
use recording::Recording;

/// Counts what a run of a unit with these straps meets, from power-up on.
pub fn sample<const BUNDLES: usize>(
    straps: &Config,
    recording: &Recording<Inputs<BUNDLES>, Outputs, State>,
    bins: &mut Bins,
) {
    let mut first = 0;
    for factor in FACTORS.iter() {
        bins.hit(Cover::StrapValue, [first + factor.level(straps)]);
        first += factor.levels;
    }
    for pair in recording.cycles.windows(2) {
        let [cycle, after] = pair else { continue };
        if cycle.rst_n && after.rst_n && cycle.inputs.reg.valid && !cycle.inputs.int_valid {
            let operation = (cycle.inputs.reg.op as usize).saturating_sub(6);
            let result = match after.state.answer.reg_result {
                RegResult::Done => 0,
                RegResult::NotMine => 1,
                RegResult::PrivilegedOperation => 2,
                _ => 3,
            };
            bins.hit(Cover::Result, [operation, usize::from(cycle.inputs.cpl), result]);
        }
    }
}
