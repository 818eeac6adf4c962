//! A thread switch: the kernel saves the context of the program, runs something that is not profiled, and restores it.
//!
//! Source: "Context" in the unit's chapters of the book.

use super::failure::LwpFailure;
use super::operation::{Operation, Progress};
use lwp_model::lwp::{CtlOp, Inputs, Mode, Outputs};

/// Words of a thread's context.
const WORDS: u8 = 8;

/// A switch on its way: words 0 to 7 are saved, then restored from word 7 down to word 0, which starts the session.
#[derive(Debug)]
pub(super) struct Switch {
    saved: [u64; WORDS as usize],
    step: u8,
    operation: Operation,
    interrupted: Mode,
}

impl Switch {
    /// A switch in which the program returns to this mode.
    pub(super) const fn new(interrupted: Mode) -> Self {
        Self { saved: [0; WORDS as usize], step: 0, operation: Operation::context(CtlOp::Save, 0, 0), interrupted }
    }

    /// One cycle at CPL 0. True if it is the last one: the dead cycle in the mode of the program.
    pub(super) fn cycle<const W: usize>(&mut self, out: &Outputs, inputs: &mut Inputs<W>) -> Result<bool, LwpFailure> {
        if self.step == 2 * WORDS {
            inputs.mode = self.interrupted;
            return Ok(true);
        }
        if let Progress::Over(answer) = self.operation.cycle(out, inputs)? {
            if self.step < WORDS {
                self.saved[usize::from(self.step)] = answer.value();
            }
            self.step += 1;
            self.operation = self.next();
        }
        Ok(false)
    }

    /// The operation of this step; without meaning after the last.
    const fn next(&self) -> Operation {
        if self.step < WORDS {
            return Operation::context(CtlOp::Save, self.step, 0);
        }
        let word = (2 * WORDS - 1).saturating_sub(self.step);
        Operation::context(CtlOp::Restore, word, self.saved[word as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_saved_upwards_and_restored_downwards() {
        let user = Mode { cpl: 3, ..Mode::default() };
        let mut inputs = Inputs::<1> { mode: user, ..Inputs::default() };
        let (mut switch, mut seen) = (Switch::new(user), Vec::new());
        let mut out = Outputs::default();
        loop {
            inputs.ctl = Default::default();
            if switch.cycle(&out, &mut inputs).unwrap() {
                break;
            }
            assert_eq!(inputs.mode.cpl, 0);
            out = Outputs { rsp_valid: inputs.ctl.valid, rsp_rdata: 100 + u64::from(inputs.ctl.word), ..out };
            if inputs.ctl.valid {
                seen.push((inputs.ctl.op, inputs.ctl.word, inputs.ctl.wdata));
            }
        }
        let saves = (0..8).map(|word| (CtlOp::Save, word, 0));
        let restores = (0..8).rev().map(|word| (CtlOp::Restore, word, 100 + u64::from(word)));
        assert_eq!(seen, saves.chain(restores).collect::<Vec<_>>());
        assert_eq!(inputs.mode, user);
    }
}
