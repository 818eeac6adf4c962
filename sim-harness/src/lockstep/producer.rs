//! Producers: the source of the RTL's inputs and expected outputs.

use super::batch::Batch;

/// Whether a run continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// The producer has more cycles.
    More,
    /// The run ends after the cycles in this batch.
    End,
}

/// Source of inputs and expected outputs: a model with its environment, or a recording.
///
/// It runs ahead of the RTL and never sees its outputs: as long as both agree, the environment would have given the RTL the same
/// inputs. After a divergence it may be a few batches ahead of the RTL.
pub trait Producer: Send {
    /// Appends cycles to the empty `batch` until it is full or the run ends.
    fn fill(&mut self, batch: &mut Batch) -> Flow;
}

/// Rows that were recorded earlier: a failing run from a file, a shrunk run, or a test.
#[derive(Clone, Debug)]
pub struct Recording {
    in_words: usize,
    out_words: usize,
    inputs: Vec<u32>,
    expected: Vec<u32>,
    next: usize,
}

impl Recording {
    /// Returns an empty recording.
    ///
    /// # Panics
    /// If a row would have no words.
    #[must_use]
    pub fn new(in_words: usize, out_words: usize) -> Self {
        assert!(in_words > 0 && out_words > 0, "empty rows");
        Recording { in_words, out_words, inputs: Vec::new(), expected: Vec::new(), next: 0 }
    }

    /// Runs `producer` to its end, or for at most `cycles` cycles, and returns its rows.
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

    /// Returns the number of cycles in the recording.
    #[must_use]
    pub fn cycles(&self) -> usize {
        self.inputs.len() / self.in_words
    }

    /// Returns the inputs of all cycles, row after row.
    #[must_use]
    pub fn inputs(&self) -> &[u32] {
        &self.inputs
    }

    /// Returns the expected outputs of all cycles, row after row, for experiments that change them.
    pub fn expected_mut(&mut self) -> &mut [u32] {
        &mut self.expected
    }

    /// Returns the expected outputs of all cycles, row after row.
    #[must_use]
    pub fn expected(&self) -> &[u32] {
        &self.expected
    }

    /// Rewinds: the next [`fill`](Producer::fill) starts at the first cycle again.
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
