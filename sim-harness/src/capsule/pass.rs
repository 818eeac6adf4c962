//! Run of one instance and the model, from reset to the first failure and a few cycles further.

use super::replay::WindowRow;
use super::target::Subject;
use super::unit::CapsuleProducer;
use crate::lockstep::{BATCH_CYCLES, Batch, Flow, Producer, Window};
use crate::rtl::BuildInfo;
use capsule_file::RowsCrc;
use std::collections::VecDeque;

/// Result of a run.
#[derive(Debug, Default)]
pub(super) struct Pass {
    /// Number of cycles up to the failure, or of all cycles.
    pub(super) cycles: u64,
    /// First difference.
    pub(super) differs: Option<Stop>,
    /// Cycle and label of the first assertion that failed up to the first difference.
    pub(super) assertion: Option<(u64, String)>,
    /// CRC-32 of all rows that were shown up to the first difference, or of all rows.
    pub(super) crc: u32,
    /// CRC-32 of all rows that were shown up to the assertion.
    pub(super) assertion_crc: u32,
    /// Rows around the failure, or around the recorded failure if nothing failed.
    pub(super) rows: Vec<WindowRow>,
}

/// Rows to keep.
#[derive(Clone, Copy)]
pub(super) struct Around {
    /// Number of cycles before and after the failure.
    pub(super) window: Window,
    /// Cycle to use if nothing fails: that of a property, which is checked elsewhere.
    pub(super) recorded: u64,
}

impl Around {
    fn is_beside_recorded(&self, cycle: u64) -> bool {
        let Window { before, after } = self.window;
        (self.recorded.saturating_sub(before)..=self.recorded.saturating_add(after)).contains(&cycle)
    }
}

/// Two rows that differ.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Stop {
    pub(super) cycle: u64,
    pub(super) expected: Vec<u32>,
    pub(super) actual: Vec<u32>,
}

/// Runs to the first difference, or, if it is to stop there, to the first assertion that fails.
pub(super) fn play(
    subject: &mut dyn Subject,
    producer: &mut CapsuleProducer<'_>,
    info: &BuildInfo,
    around: Around,
    stop_at_assertion: bool,
) -> Pass {
    let batch = Batch::new(info.in_words, info.out_words, BATCH_CYCLES);
    let before = usize::try_from(around.window.before).unwrap_or(usize::MAX);
    let (rows, recorded) = (VecDeque::new(), VecDeque::new());
    let (crc, pass) = (RowsCrc::default(), Pass::default());
    let mut player = Player { subject, batch, before, around, rows, recorded, crc, pass };
    let mut flow = Flow::More;
    while flow == Flow::More {
        player.batch.clear();
        flow = producer.fill(&mut player.batch);
        if let Some(next) = player.until_failure(stop_at_assertion) {
            let first = player.pass.cycles + 1;
            player.afterwards(next, first, around.window.after, producer, flow);
            return player.done();
        }
    }
    // Nothing failed: what was recorded is in the middle, and idle cycles follow if the rows end soon after it.
    std::mem::swap(&mut player.rows, &mut player.recorded);
    let first = player.pass.cycles;
    let left = around.recorded.saturating_add(around.window.after).saturating_add(1).saturating_sub(first);
    player.afterwards(player.batch.cycles(), first, left, producer, Flow::End);
    player.done()
}

struct Player<'a> {
    subject: &'a mut dyn Subject,
    batch: Batch,
    before: usize,
    around: Around,
    /// The latest rows.
    rows: VecDeque<WindowRow>,
    /// The rows beside the recorded failure.
    recorded: VecDeque<WindowRow>,
    crc: RowsCrc,
    pass: Pass,
}

impl Player<'_> {
    fn done(mut self) -> Pass {
        self.pass.crc = self.crc.sum();
        self.pass.rows = self.rows.into();
        self.pass
    }

    /// Replays the batch, and returns the index after the failure, if the batch has one.
    fn until_failure(&mut self, stop_at_assertion: bool) -> Option<usize> {
        let (mut from, end) = (0, self.batch.cycles());
        while from < end {
            let result = self.subject.replay(self.batch.inputs_of(from, end), self.batch.expected_of(from, end));
            let Err(stop) = result else {
                self.agreed(from, end);
                return None;
            };
            let at = from + stop.cycle_in_batch;
            self.agreed(from, at);
            if stop.assertion_failed && self.pass.assertion.is_none() {
                let label = self.subject.assertion_label().unwrap_or_else(|| "(without a name)".to_owned());
                self.pass.assertion = Some((self.pass.cycles, label));
            }
            let ends = stop.differs || stop_at_assertion && stop.assertion_failed;
            self.crc.take(&stop.actual);
            let row = self.row(self.pass.cycles, at, stop.actual.clone());
            if self.around.is_beside_recorded(self.pass.cycles) {
                self.recorded.push_back(row.clone());
            }
            self.keep(row);
            if stop.assertion_failed {
                self.pass.assertion_crc = self.crc.sum();
            }
            if ends {
                let expected = self.batch.expected_row(at).to_vec();
                let found = Stop { cycle: self.pass.cycles, expected, actual: stop.actual };
                self.pass.differs = stop.differs.then_some(found);
                return Some(at + 1);
            }
            self.pass.cycles += 1;
            from = at + 1;
        }
        None
    }

    /// Cycles in which both showed the same.
    fn agreed(&mut self, from: usize, to: usize) {
        for at in from..to {
            self.crc.take(self.batch.expected_row(at));
        }
        let first = from.max(to.saturating_sub(self.before));
        for at in from..to {
            let beside = self.around.is_beside_recorded(self.pass.cycles);
            if beside || at >= first {
                let row = self.row(self.pass.cycles, at, self.batch.expected_row(at).to_vec());
                if beside {
                    self.recorded.push_back(row.clone());
                }
                if at >= first {
                    self.keep(row);
                }
            }
            self.pass.cycles += 1;
        }
    }

    /// Keeps a row, and drops one that is too old.
    fn keep(&mut self, row: WindowRow) {
        if self.rows.len() > self.before {
            self.rows.pop_front();
        }
        self.rows.push_back(row);
    }

    /// A cycle of the batch.
    fn row(&self, cycle: u64, at: usize, rtl: Vec<u32>) -> WindowRow {
        let (inputs, model) = (self.batch.input_row(at).to_vec(), self.batch.expected_row(at).to_vec());
        WindowRow { cycle, inputs, model, rtl }
    }

    /// Runs the cycles after the failure, from number `cycle` on. Inputs are idle after the end of the capsule.
    fn afterwards(
        &mut self,
        mut next: usize,
        cycle: u64,
        count: u64,
        producer: &mut CapsuleProducer<'_>,
        mut flow: Flow,
    ) {
        let mut played = 0;
        while played < count {
            if next == self.batch.cycles() {
                self.batch.clear();
                match flow {
                    Flow::More => flow = producer.fill(&mut self.batch),
                    Flow::End => producer.idle(&mut self.batch, count - played),
                }
                next = 0;
                continue;
            }
            let mut shown = vec![0; self.batch.expected_row(next).len()];
            self.subject.step(self.batch.input_row(next), &mut shown);
            let row = self.row(cycle.saturating_add(played), next, shown);
            self.rows.push_back(row);
            (next, played) = (next + 1, played + 1);
        }
    }
}
