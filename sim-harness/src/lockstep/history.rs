//! Cycles before a divergence.

use super::batch::Batch;
use std::collections::VecDeque;

/// Rows of one cycle that the producer recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryRow {
    /// Number of the cycle, from 0 at the beginning of the run.
    pub cycle: u64,
    /// Inputs of the RTL.
    pub inputs: Vec<u32>,
    /// Outputs that the RTL had to show.
    pub expected: Vec<u32>,
}

/// The last rows of a run, at most `limit`. Updated once per batch, so that it costs nothing per cycle.
#[derive(Clone, Debug)]
pub struct History {
    rows: VecDeque<HistoryRow>,
    limit: usize,
    next: u64,
}

impl History {
    /// Returns an empty history that keeps at most `limit` cycles; with 0 it keeps none.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        History { rows: VecDeque::with_capacity(limit), limit, next: 0 }
    }

    /// Adds the first `cycles` cycles of a batch.
    ///
    /// # Panics
    /// If the batch has fewer cycles.
    pub fn extend(&mut self, batch: &Batch, cycles: usize) {
        for cycle in cycles.saturating_sub(self.limit)..cycles {
            // Once full, the oldest row's buffers take the newest row.
            let mut row = if self.rows.len() == self.limit { self.rows.pop_front() } else { None }
                .unwrap_or(HistoryRow { cycle: 0, inputs: Vec::new(), expected: Vec::new() });
            row.cycle = self.next + cycle as u64;
            replace(&mut row.inputs, batch.input_row(cycle));
            replace(&mut row.expected, batch.expected_row(cycle));
            self.rows.push_back(row);
        }
        self.next += cycles as u64;
    }

    /// Returns the rows, oldest first.
    #[must_use]
    pub fn into_rows(self) -> Vec<HistoryRow> {
        self.rows.into()
    }
}

fn replace(buffer: &mut Vec<u32>, row: &[u32]) {
    buffer.clear();
    buffer.extend_from_slice(row);
}

#[cfg(test)]
mod tests {
    use super::{Batch, History};

    #[test]
    fn keeps_the_last_rows_across_batches() {
        for limit in [0, 1, 3, 5, 20] {
            let mut history = History::new(limit);
            let mut cycle = 0;
            for cycles in [4, 1, 0, 6] {
                let mut batch = Batch::new(1, 2, 10);
                for _ in 0..cycles {
                    let row = batch.push().unwrap();
                    row.inputs.fill(cycle);
                    row.expected.fill(cycle + 100);
                    cycle += 1;
                }
                history.extend(&batch, cycles as usize);
            }
            let rows = history.into_rows();
            let cycles: Vec<u64> = rows.iter().map(|row| row.cycle).collect();
            let wanted: Vec<u64> = (11_u64.saturating_sub(limit as u64)..11).collect();
            assert_eq!(cycles, wanted);
            assert!(rows.iter().all(|row| row.inputs == [row.cycle as u32]));
            assert!(rows.iter().all(|row| row.expected == [row.cycle as u32 + 100; 2]));
        }
    }
}
