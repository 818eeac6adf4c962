//! Runs of noise with the model, and their recordings.

use super::{Cycle, Recording};
use lwp_model::lwp::{Config, Control, CtlOp, Inputs, Lwp};

/// Runs the model with noise from reset on, and records it.
///
/// # Errors
///
/// Fails if the straps are illegal, and gives the reason.
pub fn play_noise(straps: &Config, noise: &[Inputs<4>]) -> Result<Recording<4>, String> {
    let mut unit = Lwp::<4, 8, 31>::new(*straps).map_err(|error| error.to_string())?;
    let mut recording = Recording::default();
    let enable = Control { valid: true, op: CtlOp::WriteMsr0, wdata: 0x8000_000F, ..Control::default() };
    let boot = [Inputs::default(), Inputs { ctl: enable, ..Inputs::default() }, Inputs::default(), Inputs::default()];
    for (number, inputs) in boot.iter().chain(noise).enumerate() {
        let rst_n = number > 0;
        recording.cycles.push(Cycle { inputs: *inputs, rst_n, out: unit.outputs(), state: *unit.state() });
        if rst_n {
            unit.step(inputs);
        }
    }
    Ok(recording)
}
