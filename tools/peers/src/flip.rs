//! What is spoilt on purpose, to see that it is noticed.

use sim_harness::lockstep::{Batch, Flow, Producer};
use std::fmt;

/// Bits of word 0 of the inputs: the privilege level.
const CPL: u32 = 0b1100;

/// One control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flip {
    /// In this cycle the RTL alone sees another privilege level. The next cycle shows it, in the register `was_ring3`.
    Input(usize),
    /// In this cycle bit 0 of this word of the model's row is another.
    Expected(usize, usize),
}

impl Flip {
    /// The cycle in which it must be noticed.
    pub(crate) fn shows_in(self) -> usize {
        match self {
            Flip::Input(cycle) => cycle + 1,
            Flip::Expected(cycle, _) => cycle,
        }
    }

    /// What the peers take on their command lines.
    pub(crate) fn arguments(self) -> Vec<String> {
        match self {
            Flip::Input(cycle) => vec!["--flip-input".into(), cycle.to_string()],
            Flip::Expected(cycle, word) => vec!["--flip-expected".into(), cycle.to_string(), word.to_string()],
        }
    }
}

impl fmt::Display for Flip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flip::Input(cycle) => write!(f, "another input of the RTL in cycle {cycle}"),
            Flip::Expected(cycle, word) => write!(f, "another word {word} of the model in cycle {cycle}"),
        }
    }
}

/// A producer whose rows are spoilt on the way to the lockstep.
pub(crate) struct Flipped<P> {
    producer: P,
    flip: Flip,
    cycle: usize,
    sizes: (usize, usize),
}

impl<P: Producer> Flipped<P> {
    /// `sizes`: words of a row of inputs, and of outputs.
    pub(crate) fn new(producer: P, flip: Flip, sizes: (usize, usize)) -> Self {
        Flipped { producer, flip, cycle: 0, sizes }
    }
}

impl<P: Producer> Producer for Flipped<P> {
    fn fill(&mut self, batch: &mut Batch) -> Flow {
        let mut rows = Batch::new(self.sizes.0, self.sizes.1, batch.room());
        let flow = self.producer.fill(&mut rows);
        for cycle in 0..rows.cycles() {
            let row = batch.push().expect("both have the same room");
            row.inputs.copy_from_slice(rows.input_row(cycle));
            row.expected.copy_from_slice(rows.expected_row(cycle));
            match self.flip {
                Flip::Input(at) if at == self.cycle => row.inputs[0] ^= CPL,
                Flip::Expected(at, word) if at == self.cycle => row.expected[word] ^= 1,
                _ => {}
            }
            self.cycle += 1;
        }
        flow
    }
}
