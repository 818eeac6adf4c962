//! Runs of a sequence of phrases with the model.

use super::memory::Memory;
use super::player::Player;
use super::recording::Recording;
use crate::lwp::scenario::{Sequence, Step};
use lwp_model::lwp::{Inputs, Lane};

/// Runs a sequence with the model from power-up on.
///
/// # Panics
///
/// Panics if the sequence's straps are illegal, or a polite core waits for ever.
#[must_use]
pub fn play_sequence<const W: usize, const S: usize, const LAT: u32>(sequence: &Sequence) -> (Recording<W>, Memory) {
    let mut player = Player::<W, S, LAT>::new(&sequence.scenario);
    for step in &sequence.steps {
        match step {
            Step::Do(op) => player.op(op),
            Step::Burst(cycles) => {
                for inputs in cycles {
                    let mut inputs = as_wide(inputs);
                    inputs.ctl.wdata = player.places.of(inputs.ctl.wdata);
                    player.cycle(inputs, true);
                }
            }
        }
    }
    player.finish()
}

/// Returns the same inputs with as many lanes as the unit has.
fn as_wide<const W: usize>(inputs: &Inputs<4>) -> Inputs<W> {
    let Inputs { mode, partial, lanes, buffer, entropy, ctl, mem, pf_ack, irq_ack } = *inputs;
    let lanes = std::array::from_fn(|lane| lanes.get(lane).copied().unwrap_or_else(Lane::default));
    Inputs { mode, partial, lanes, buffer, entropy, ctl, mem, pf_ack, irq_ack }
}
