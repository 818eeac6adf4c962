//! One instance beside the model, from reset to its first failure and a little further.

use super::replay::WindowRow;
use super::target::Subject;
use crate::lockstep::{BATCH_CYCLES, Batch, Flow, Producer, Window};
use crate::rtl::BuildInfo;
use flate2::Crc;
use std::collections::VecDeque;

/// What was seen.
#[derive(Debug, Default)]
pub(super) struct Pass {
    /// Cycles played up to the failure, or all.
    pub(super) cycles: u64,
    /// The first difference.
    pub(super) differs: Option<Stop>,
    /// Cycle and label of the first assertion that failed up to it.
    pub(super) assertion: Option<(u64, String)>,
    /// CRC-32 of all rows that were shown up to the first difference, or of all.
    pub(super) crc: u32,
    /// The same up to the assertion.
    pub(super) assertion_crc: u32,
    /// The rows around the failure.
    pub(super) rows: Vec<WindowRow>,
}

/// Two rows that differ.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Stop {
    pub(super) cycle: u64,
    pub(super) expected: Vec<u32>,
    pub(super) actual: Vec<u32>,
}

/// Plays to the first difference, or to the first assertion that fails if that is to stop it.
pub(super) fn play(
    subject: &mut dyn Subject,
    producer: &mut dyn Producer,
    info: &BuildInfo,
    window: Window,
    stop_at_assertion: bool,
) -> Pass {
    let batch = Batch::new(info.in_words, info.out_words, BATCH_CYCLES);
    let before = usize::try_from(window.before).unwrap_or(usize::MAX);
    let mut player =
        Player { subject, batch, before, rows: VecDeque::new(), crc: RowsCrc::default(), pass: Pass::default() };
    let mut flow = Flow::More;
    while flow == Flow::More {
        player.batch.clear();
        flow = producer.fill(&mut player.batch);
        if let Some(next) = player.until_failure(stop_at_assertion) {
            player.afterwards(next, window.after, producer, flow);
            break;
        }
    }
    player.pass.crc = player.crc.crc.sum();
    player.pass.rows = player.rows.into();
    player.pass
}

struct Player<'a> {
    subject: &'a mut dyn Subject,
    batch: Batch,
    before: usize,
    rows: VecDeque<WindowRow>,
    crc: RowsCrc,
    pass: Pass,
}

impl Player<'_> {
    /// Plays the batch; the place after the failure, if there is one in it.
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
            self.keep(at, stop.actual.clone());
            if stop.assertion_failed {
                self.pass.assertion_crc = self.crc.crc.sum();
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
        self.pass.cycles += (first - from) as u64;
        for at in first..to {
            let shown = self.batch.expected_row(at).to_vec();
            self.keep(at, shown);
            self.pass.cycles += 1;
        }
    }

    /// Keeps a cycle of the batch, and forgets one that is too old.
    fn keep(&mut self, at: usize, rtl: Vec<u32>) {
        if self.rows.len() > self.before {
            self.rows.pop_front();
        }
        self.append(self.pass.cycles, at, rtl);
    }

    fn append(&mut self, cycle: u64, at: usize, rtl: Vec<u32>) {
        let (inputs, model) = (self.batch.input_row(at).to_vec(), self.batch.expected_row(at).to_vec());
        self.rows.push_back(WindowRow { cycle, inputs, model, rtl });
    }

    /// The cycles after the failure, as far as there are inputs.
    fn afterwards(&mut self, mut next: usize, mut left: u64, producer: &mut dyn Producer, mut flow: Flow) {
        let mut cycle = self.pass.cycles;
        while left > 0 {
            if next == self.batch.cycles() {
                if flow == Flow::End {
                    return;
                }
                self.batch.clear();
                flow = producer.fill(&mut self.batch);
                next = 0;
                continue;
            }
            let mut shown = vec![0; self.batch.expected_row(next).len()];
            self.subject.step(self.batch.input_row(next), &mut shown);
            cycle += 1;
            self.append(cycle, next, shown);
            (next, left) = (next + 1, left - 1);
        }
    }
}

/// CRC-32 of rows, each word lowest byte first.
#[derive(Default)]
struct RowsCrc {
    crc: Crc,
    bytes: Vec<u8>,
}

impl RowsCrc {
    fn take(&mut self, row: &[u32]) {
        self.bytes.clear();
        self.bytes.extend(row.iter().flat_map(|word| word.to_le_bytes()));
        self.crc.update(&self.bytes);
    }
}
