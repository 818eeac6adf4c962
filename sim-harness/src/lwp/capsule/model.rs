//! The model behind rows of words.

use super::rules::Rules;
use crate::capsule::{Drive, Model, Played};
use crate::lwp::flat::{OUT_WORDS, in_words, pack_expected};
use crate::lwp::unflat::unpack_inputs;
use lwp_model::lwp::{Lwp, MemCmd, Outputs};
use std::collections::HashMap;

/// An access: what memory is asked.
type Asked = (MemCmd, u64);

/// What the memory answered each time it was asked the same, in order.
pub(super) type Answers = HashMap<(u8, u64), Vec<Answer>>;

/// An answer that was learnt.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answer {
    /// The row in which it came.
    pub(super) row: usize,
    /// The data, or `None` for a page fault.
    pub(super) data: Option<u64>,
}

/// Model and referee.
#[derive(Clone, Debug)]
pub(super) struct RowModel<const W: usize, const S: usize, const LAT: u32> {
    pub(super) unit: Lwp<W, S, LAT>,
    pub(super) rules: Rules,
    pub(super) cycle: u64,
    pub(super) broken: Option<(u64, &'static str)>,
    pub(super) answers: Answers,
    /// Rows that they were learnt from.
    pub(super) learnt: usize,
}

impl<const W: usize, const S: usize, const LAT: u32> RowModel<W, S, LAT> {
    pub(super) fn new(unit: Lwp<W, S, LAT>) -> Self {
        let rules = Rules::new(unit.config());
        Self { unit, rules, cycle: 0, broken: None, answers: Answers::new(), learnt: 0 }
    }

    /// The same at reset, with nothing learnt.
    pub(super) fn fresh(&self) -> Self {
        let mut unit = self.unit.clone();
        unit.reset();
        Self::new(unit)
    }
}

/// The key of an access in [`Answers`].
pub(super) fn key((command, address): Asked) -> (u8, u64) {
    (command as u8, address)
}

/// What stands at the port.
pub(super) fn asked(out: &Outputs) -> Asked {
    (out.mem_cmd, out.mem_addr)
}

impl<const W: usize, const S: usize, const LAT: u32> Model for RowModel<W, S, LAT> {
    fn cycle(&mut self, inputs: &[u32], expected: &mut [u32]) {
        let (inputs, rst_n) = unpack_inputs::<W>(inputs);
        if !rst_n {
            self.unit.reset();
            self.rules.reset(&inputs);
        }
        pack_expected(self.unit.state(), self.unit.config(), expected);
        if rst_n {
            if let Err(rule) = self.rules.check(&inputs, &self.unit.outputs()) {
                self.broken.get_or_insert((self.cycle, rule));
            }
            self.unit.step(&inputs);
        }
        self.cycle += 1;
    }

    fn broken(&self) -> Option<(u64, &'static str)> {
        self.broken
    }

    fn learn(&mut self, rows: &[u32]) {
        let mut run = self.fresh();
        let (mut row, mut standing) = ([0; OUT_WORDS], None);
        self.answers.clear();
        self.learnt = rows.len() / in_words(W);
        for (number, inputs) in rows.chunks_exact(in_words(W)).enumerate() {
            let (given, rst_n) = unpack_inputs::<W>(inputs);
            let out = run.unit.outputs();
            if given.mem.rvalid
                && rst_n
                && let Some(asked) = standing.take()
            {
                let data = (!given.mem.err).then_some(given.mem.rdata);
                self.answers.entry(key(asked)).or_default().push(Answer { row: number, data });
            }
            if out.mem_req && given.mem.gnt {
                standing = Some(asked(&out));
            }
            run.cycle(inputs, &mut row);
        }
    }

    fn drive(&mut self, rows: &[u32], how: Drive, limit: usize, into: &mut Played) -> bool {
        into.inputs.clear();
        into.expected.clear();
        let mut run = self.fresh();
        let whole = match how {
            Drive::Raw => run.play(rows, into),
            Drive::Polite | Drive::Prompt => self.driven(&mut run, rows, how, limit, into),
        };
        into.broken = run.broken;
        whole
    }
}

impl<const W: usize, const S: usize, const LAT: u32> RowModel<W, S, LAT> {
    /// With a core and a memory before it. A list of as many rows as were learnt from is one of them with other data: what its rows
    /// answer counts.
    fn driven(&self, run: &mut Self, rows: &[u32], how: Drive, limit: usize, into: &mut Played) -> bool {
        if how == Drive::Polite || rows.len() / in_words(W) != self.learnt {
            return super::polite::drive(run, rows, how, &self.answers, limit, into);
        }
        let mut answers = self.answers.clone();
        for answer in answers.values_mut().flatten() {
            let (given, _) = unpack_inputs::<W>(&rows[answer.row * in_words(W)..][..in_words(W)]);
            answer.data = (!given.mem.err).then_some(given.mem.rdata);
        }
        super::polite::drive(run, rows, how, &answers, limit, into)
    }

    fn play(&mut self, rows: &[u32], into: &mut Played) -> bool {
        for inputs in rows.chunks_exact(in_words(W)) {
            self.record(inputs, into);
        }
        true
    }

    /// A cycle, and both rows of it.
    pub(super) fn record(&mut self, inputs: &[u32], into: &mut Played) {
        let at = into.expected.len();
        into.inputs.extend_from_slice(inputs);
        into.expected.resize(at + OUT_WORDS, 0);
        self.cycle(inputs, &mut into.expected[at..]);
    }
}
