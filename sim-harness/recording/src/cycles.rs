//! What went in, what the outputs showed, and what every register held.

use lwp_model::{Moore, Unit};

/// One cycle of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cycle<I, O, S> {
    /// Inputs of the unit.
    pub inputs: I,
    /// Reset, active low.
    pub rst_n: bool,
    /// The outputs. Of the RTL, its own output ports.
    pub out: O,
    /// The registers.
    pub state: S,
}

/// A run, cycle by cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording<I, O, S> {
    /// The cycles, from power-up on.
    pub cycles: Vec<Cycle<I, O, S>>,
}

/// The recording of a unit.
pub type Of<U> = Recording<<U as Moore>::Inputs, <U as Moore>::Outputs, <U as Unit>::State>;

/// Rows of a run, one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows {
    /// Inputs.
    pub inputs: Vec<u32>,
    /// Outputs and registers.
    pub outputs: Vec<u32>,
}

impl<I, O, S> Default for Recording<I, O, S> {
    fn default() -> Self {
        Self { cycles: Vec::new() }
    }
}

impl<I, O, S> Recording<I, O, S> {
    /// What a unit does with these inputs, each with its `rst_n`, from power-up on.
    ///
    /// # Errors
    ///
    /// If the straps contradict one another.
    pub fn of<U>(straps: &U::Config, inputs: impl IntoIterator<Item = (bool, I)>) -> Result<Self, U::Error>
    where
        U: Unit<Inputs = I, Outputs = O, State = S>,
        S: Clone,
    {
        let mut unit = U::new(straps.clone())?;
        let cycles = inputs.into_iter().map(|(rst_n, inputs)| {
            if !rst_n {
                unit.reset();
            }
            let (out, state) = (unit.outputs(), unit.state().clone());
            if rst_n {
                unit.step(&inputs);
            }
            Cycle { inputs, rst_n, out, state }
        });
        Ok(Self { cycles: cycles.collect() })
    }

    /// The rows of inputs, and those that the model expects.
    #[must_use]
    pub fn rows<U: Unit<Inputs = I, State = S>>(&self, straps: &U::Config) -> Rows {
        let mut inputs = vec![0; self.cycles.len() * U::INPUT_WORDS];
        let mut outputs = vec![0; self.cycles.len() * U::OUTPUT_WORDS];
        let slots = inputs.chunks_exact_mut(U::INPUT_WORDS).zip(outputs.chunks_exact_mut(U::OUTPUT_WORDS));
        for (cycle, (input, row)) in self.cycles.iter().zip(slots) {
            U::pack_inputs(&cycle.inputs, cycle.rst_n, input);
            U::pack_expected(&cycle.state, straps, row);
        }
        Rows { inputs, outputs }
    }

    /// The run for a program that plays the RTL by itself: number of cycles, straps, then for each cycle the row of inputs and that
    /// of expected outputs.
    #[must_use]
    pub fn case_words<U: Unit<Inputs = I, State = S>>(&self, straps: &U::Config) -> Vec<u32> {
        let cycle_words = U::INPUT_WORDS + U::OUTPUT_WORDS;
        let mut words = vec![0; 1 + U::STRAP_WORDS + self.cycles.len() * cycle_words];
        words[0] = self.cycles.len() as u32;
        let (head, rows) = words.split_at_mut(1 + U::STRAP_WORDS);
        U::pack_straps(straps, &mut head[1..]);
        for (cycle, words) in self.cycles.iter().zip(rows.chunks_exact_mut(cycle_words)) {
            let (input, output) = words.split_at_mut(U::INPUT_WORDS);
            U::pack_inputs(&cycle.inputs, cycle.rst_n, input);
            U::pack_expected(&cycle.state, straps, output);
        }
        words
    }
}
