//! Who says what the RTL is driven with and what it must show.

use super::batch::Batch;

/// Whether a run goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// The producer has more cycles.
    More,
    /// The run ends with the cycles in this batch.
    End,
}

/// A model with its environment, or a recording of one.
///
/// It runs ahead of the RTL and never hears from it: as long as both agree, the RTL's environment would have answered the
/// same. After a divergence it may have run up to a few batches further than the RTL.
pub trait Producer: Send {
    /// Appends cycles to the empty `batch` until it is full or the run ends.
    fn fill(&mut self, batch: &mut Batch) -> Flow;
}

/// Rows recorded earlier: a failing run kept as a file, a shrunk one, a test.
#[derive(Clone, Debug)]
pub struct Recording {
    in_words: usize,
    out_words: usize,
    inputs: Vec<u32>,
    expected: Vec<u32>,
    next: usize,
}

impl Recording {
    /// An empty recording.
    ///
    /// # Panics
    /// If a row would have no words.
    #[must_use]
    pub fn new(in_words: usize, out_words: usize) -> Self {
        assert!(in_words > 0 && out_words > 0, "empty rows");
        Recording { in_words, out_words, inputs: Vec::new(), expected: Vec::new(), next: 0 }
    }

    /// Runs `producer` to its end, or for at most `cycles`, and keeps the rows.
    #[must_use]
    pub fn of(producer: &mut dyn Producer, in_words: usize, out_words: usize, cycles: usize) -> Self {
        let mut recording = Recording::new(in_words, out_words);
        let mut flow = Flow::More;
        while flow == Flow::More && recording.cycles() < cycles {
            let room = (cycles - recording.cycles()).min(super::BATCH_CYCLES);
            let mut batch = Batch::new(in_words, out_words, room);
            flow = producer.fill(&mut batch);
            recording.inputs.extend_from_slice(batch.inputs());
            recording.expected.extend_from_slice(batch.expected());
        }
        recording
    }

    /// Appends one cycle.
    ///
    /// # Panics
    /// If a row has another length than the recording's.
    pub fn push(&mut self, inputs: &[u32], expected: &[u32]) {
        assert_eq!((inputs.len(), expected.len()), (self.in_words, self.out_words), "words of a row");
        self.inputs.extend_from_slice(inputs);
        self.expected.extend_from_slice(expected);
    }

    /// Cycles in the recording.
    #[must_use]
    pub fn cycles(&self) -> usize {
        self.inputs.len() / self.in_words
    }

    /// The inputs of all cycles, row after row.
    #[must_use]
    pub fn inputs(&self) -> &[u32] {
        &self.inputs
    }

    /// The expected outputs of all cycles, row after row, to be changed in experiments.
    pub fn expected_mut(&mut self) -> &mut [u32] {
        &mut self.expected
    }

    /// The expected outputs of all cycles, row after row.
    #[must_use]
    pub fn expected(&self) -> &[u32] {
        &self.expected
    }

    /// The next [`fill`](Producer::fill) starts at the first cycle again.
    pub fn rewind(&mut self) {
        self.next = 0;
    }
}

impl Producer for Recording {
    fn fill(&mut self, batch: &mut Batch) -> Flow {
        while self.next < self.cycles() {
            let Some(row) = batch.push() else {
                return Flow::More;
            };
            row.inputs.copy_from_slice(&self.inputs[self.next * self.in_words..][..self.in_words]);
            row.expected.copy_from_slice(&self.expected[self.next * self.out_words..][..self.out_words]);
            self.next += 1;
        }
        Flow::End
    }
}
