//! Outputs are registers.

use super::{Shown, ensure};

pub(super) fn check(shown: &Shown) -> Result<(), String> {
    let Shown { out, state } = shown;
    let (status, ear, answer) = (&state.status, &state.ear, &state.answer);
    ensure!((out.psr_up, out.psr_sp, out.psr_pp) == (status.up, status.sp, status.pp), "the PSR is not what is shown");
    for (c, counter) in state.counter.iter().enumerate() {
        ensure!((out.pin >> c & 1 != 0) == counter.pin, "the pin of counter {c} is not what is shown");
    }
    ensure!(out.irq == state.freeze.irq, "irq is not what is shown");
    let ears = (out.iear_on, out.dear_on, out.btb_on);
    ensure!(ears == (ear.iear_on, ear.dear_on, ear.btb_on), "what may capture is not what is shown");
    let answers = (out.reg_done, out.reg_result, out.reg_rdata);
    ensure!(answers == (answer.reg_done, answer.reg_result, answer.reg_rdata), "the answer is not what is shown");
    Ok(())
}
