//! The letters: every combination of what the inputs of one cycle may be.

use super::LANES;
use super::memory::AnyMemory;
use lwp_model::lwp::{Buffer, Control, Inputs, Lane, Mode, State};

/// What the retire port brings.
#[derive(Clone, Copy, Debug, Default)]
pub struct Retire {
    /// Only loads, of an instruction that retires later.
    pub partial: bool,
    /// The lane.
    pub lane: Lane,
}

/// Which requests the core takes in a cycle.
#[derive(Clone, Copy, Debug, Default)]
pub struct Acks {
    /// The page-fault trap.
    pub pf: bool,
    /// The interrupt.
    pub irq: bool,
}

/// What each group of inputs may be. A cycle takes one value of each, in any combination.
#[derive(Clone, Debug)]
pub struct Alphabet {
    /// Modes.
    pub modes: Vec<Mode>,
    /// The retire port.
    pub retire: Vec<Retire>,
    /// The control port.
    pub ctl: Vec<Control>,
    /// The miss address buffer.
    pub buffer: Vec<Buffer>,
    /// Acknowledgements.
    pub acks: Vec<Acks>,
    /// Random words.
    pub entropy: Vec<u32>,
    /// Memory.
    pub memory: AnyMemory,
}

impl Alphabet {
    /// Letters besides what memory answers.
    #[must_use]
    pub fn without_memory(&self) -> usize {
        self.modes.len() * self.retire.len() * self.ctl.len() * self.buffer.len() * self.acks.len() * self.entropy.len()
    }

    /// Letters in this state: what memory may answer depends on what it was asked.
    #[must_use]
    pub fn letters(&self, state: &State) -> usize {
        self.without_memory() * self.memory.answers(&state.port)
    }

    /// A letter, as the inputs of a cycle.
    ///
    /// # Panics
    /// If a group of the alphabet is empty.
    #[must_use]
    pub fn letter(&self, state: &State, letter: usize) -> Inputs<LANES> {
        let mut rest = letter;
        let mut index = |len: usize| {
            let index = rest % len;
            rest /= len;
            index
        };
        let mode = self.modes[index(self.modes.len())];
        let retire = self.retire[index(self.retire.len())];
        let ctl = self.ctl[index(self.ctl.len())];
        let buffer = self.buffer[index(self.buffer.len())];
        let acks = self.acks[index(self.acks.len())];
        let entropy = self.entropy[index(self.entropy.len())];
        let mem = self.memory.answer(&state.port, rest);
        Inputs {
            mode,
            partial: retire.partial,
            lanes: [retire.lane; LANES],
            buffer,
            entropy,
            ctl,
            mem,
            pf_ack: acks.pf,
            irq_ack: acks.irq,
        }
    }
}
