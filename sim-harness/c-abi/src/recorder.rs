//! The inputs of every cycle since reset, for a failure capsule.

use capsule_file::Deltas;

/// Bytes of recorded inputs, after which nothing more is kept.
const MOST: usize = 1 << 30;

/// What a model was given in every cycle.
#[derive(Clone, Debug)]
pub(crate) struct Recorder {
    deltas: Deltas,
    bytes: Vec<u8>,
    /// The inputs of the cycle that is about to be recorded.
    row: Vec<u32>,
    full: bool,
}

impl Recorder {
    pub(crate) fn new(words: usize) -> Self {
        Self { deltas: Deltas::new(words), bytes: Vec::new(), row: vec![0; words], full: false }
    }

    /// Room for the inputs of the next cycle.
    pub(crate) fn row(&mut self) -> &mut [u32] {
        &mut self.row
    }

    /// Keeps the inputs that stand in [`row`](Self::row).
    pub(crate) fn push(&mut self) {
        if self.full {
            return;
        }
        self.deltas.push(&self.row, &mut self.bytes);
        if self.bytes.len() > MOST {
            self.full = true;
            self.bytes = Vec::new();
        }
    }

    /// The cycles before the present one, and their inputs; `None` if they were too many.
    pub(crate) fn recorded(&self) -> Option<(&Deltas, &[u8])> {
        (!self.full).then_some((&self.deltas, &self.bytes))
    }
}
