//! Batch: a few hundred cycles of inputs and expected outputs.

/// Rows of consecutive cycles, in two flat arrays that the RTL side reads without a copy. The capacity is fixed, and batches are
/// reused, so that a run allocates only at its beginning.
#[derive(Clone, Debug)]
pub struct Batch {
    inputs: Vec<u32>,
    expected: Vec<u32>,
    in_words: usize,
    out_words: usize,
    cycles: usize,
    capacity: usize,
}

/// Rows of one cycle, which the caller must write completely: they hold the words of an earlier cycle.
#[derive(Debug)]
pub struct Row<'a> {
    /// Inputs of the RTL in this cycle.
    pub inputs: &'a mut [u32],
    /// Outputs that the RTL must show in this cycle.
    pub expected: &'a mut [u32],
}

impl Batch {
    /// Returns an empty batch for at most `capacity` cycles.
    ///
    /// # Panics
    /// If a row would have no words, or the batch no rows.
    #[must_use]
    pub fn new(in_words: usize, out_words: usize, capacity: usize) -> Self {
        assert!(in_words > 0 && out_words > 0 && capacity > 0, "empty rows or batches");
        Batch {
            inputs: vec![0; in_words * capacity],
            expected: vec![0; out_words * capacity],
            in_words,
            out_words,
            cycles: 0,
            capacity,
        }
    }

    /// Appends a cycle, and returns its rows; `None` if the batch is full.
    #[inline]
    pub fn push(&mut self) -> Option<Row<'_>> {
        if self.cycles == self.capacity {
            return None;
        }
        let inputs = &mut self.inputs[self.cycles * self.in_words..][..self.in_words];
        let expected = &mut self.expected[self.cycles * self.out_words..][..self.out_words];
        self.cycles += 1;
        if cfg!(debug_assertions) {
            // A word that the producer forgets must show, and not only sometimes.
            inputs.fill(0xdead_beef);
            expected.fill(0xdead_beef);
        }
        Some(Row { inputs, expected })
    }

    /// Removes all cycles.
    pub fn clear(&mut self) {
        self.cycles = 0;
    }

    /// Returns the number of cycles in the batch.
    #[must_use]
    pub fn cycles(&self) -> usize {
        self.cycles
    }

    /// Returns the number of cycles that [`push`](Batch::push) can still append.
    #[must_use]
    pub fn room(&self) -> usize {
        self.capacity - self.cycles
    }

    /// Returns the inputs of all cycles, row after row.
    #[must_use]
    pub fn inputs(&self) -> &[u32] {
        &self.inputs[..self.cycles * self.in_words]
    }

    /// Returns the expected outputs of all cycles, row after row.
    #[must_use]
    pub fn expected(&self) -> &[u32] {
        &self.expected[..self.cycles * self.out_words]
    }

    /// Returns the inputs of one cycle.
    ///
    /// # Panics
    /// If the batch has no such cycle.
    #[must_use]
    pub fn input_row(&self, cycle: usize) -> &[u32] {
        &self.inputs()[cycle * self.in_words..][..self.in_words]
    }

    /// Returns the expected outputs of one cycle.
    ///
    /// # Panics
    /// If the batch has no such cycle.
    #[must_use]
    pub fn expected_row(&self, cycle: usize) -> &[u32] {
        &self.expected()[cycle * self.out_words..][..self.out_words]
    }

    /// Returns the inputs of the cycles `from..to`.
    pub(crate) fn inputs_of(&self, from: usize, to: usize) -> &[u32] {
        &self.inputs()[from * self.in_words..to * self.in_words]
    }

    /// Returns the expected outputs of the cycles `from..to`.
    pub(crate) fn expected_of(&self, from: usize, to: usize) -> &[u32] {
        &self.expected()[from * self.out_words..to * self.out_words]
    }
}
