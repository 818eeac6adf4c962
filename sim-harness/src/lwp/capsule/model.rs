//! The unit's surroundings: the referee, and what memory answered.

use super::rules::Rules;
use crate::capsule::{Drive, Model, Played, RowModel, Surroundings};
use crate::lwp::flat::{OUT_WORDS, in_words};
use crate::lwp::unflat::unpack_inputs;
use lwp_model::lwp::{Config, Inputs, Lwp, MemCmd, Outputs};
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

/// What was learnt of a list of inputs.
#[derive(Clone, Debug, Default)]
pub struct Learnt {
    answers: Answers,
    /// Rows that they were learnt from.
    rows: usize,
}

/// The key of an access in [`Answers`].
pub(super) fn key((command, address): Asked) -> (u8, u64) {
    (command as u8, address)
}

/// What stands at the port.
pub(super) fn asked(out: &Outputs) -> Asked {
    (out.mem_cmd, out.mem_addr)
}

impl<const W: usize, const S: usize, const LAT: u32> Surroundings<Lwp<W, S, LAT>> for Rules {
    type Learnt = Learnt;

    fn new(straps: &Config) -> Self {
        Self::new(straps)
    }

    fn resume(unit: &Lwp<W, S, LAT>) -> Self {
        Self::resume(unit.config(), unit.state())
    }

    fn check(&mut self, inputs: &Inputs<W>, out: &Outputs) -> Result<(), &'static str> {
        self.check(inputs, out)
    }

    fn reset(&mut self, inputs: &Inputs<W>) {
        self.reset(inputs);
    }

    fn learn(mut run: RowModel<Lwp<W, S, LAT>, Self>, rows: &[u32]) -> Learnt {
        let (mut row, mut standing) = ([0; OUT_WORDS], run.rules.awaited().then(|| asked(&run.unit.outputs())));
        let mut learnt = Learnt { answers: Answers::new(), rows: rows.len() / in_words(W) };
        for (number, inputs) in rows.chunks_exact(in_words(W)).enumerate() {
            let (given, rst_n) = unpack_inputs::<W>(inputs);
            let out = run.unit.outputs();
            if given.mem.rvalid
                && rst_n
                && let Some(asked) = standing.take()
            {
                let data = (!given.mem.err).then_some(given.mem.rdata);
                learnt.answers.entry(key(asked)).or_default().push(Answer { row: number, data });
            }
            if out.mem_req && given.mem.gnt {
                standing = Some(asked(&out));
            }
            run.cycle(inputs, &mut row);
        }
        learnt
    }

    /// A list of as many rows as were learnt from is one of them with other data: what its rows answer counts.
    fn drive(
        run: &mut RowModel<Lwp<W, S, LAT>, Self>,
        learnt: &Learnt,
        rows: &[u32],
        how: Drive,
        limit: usize,
        into: &mut Played,
    ) -> bool {
        if how == Drive::Polite || rows.len() / in_words(W) != learnt.rows {
            return super::polite::drive(run, rows, how, &learnt.answers, limit, into);
        }
        let mut answers = learnt.answers.clone();
        for answer in answers.values_mut().flatten() {
            let (given, _) = unpack_inputs::<W>(&rows[answer.row * in_words(W)..][..in_words(W)]);
            answer.data = (!given.mem.err).then_some(given.mem.rdata);
        }
        super::polite::drive(run, rows, how, &answers, limit, into)
    }
}
