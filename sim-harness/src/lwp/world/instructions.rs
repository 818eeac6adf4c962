//! Where the feeder gets its instructions.

use crate::trace::{Branch, Load, Retired, TraceError};
use std::ops::Range;

/// A supply of retired instructions, annotated with misses and predictions.
pub trait Instructions {
    /// Puts the next instruction into `into`, whose memory is reused. `Ok(false)` at the end.
    ///
    /// # Errors
    /// If the trace cannot be read further. It is not asked again then.
    fn next(&mut self, into: &mut Retired) -> Result<bool, TraceError>;
}

/// Instructions from memory, for tests and benches. All loads lie in one piece, in the order in which they are wanted.
#[derive(Clone, Debug, Default)]
pub struct ReplayList {
    list: Vec<Kept>,
    loads: Vec<Load>,
    at: usize,
    rounds: u64,
}

impl ReplayList {
    /// The instructions in order, the whole list `rounds` times.
    #[must_use]
    pub fn new(list: Vec<Retired>, rounds: u64) -> Self {
        let mut all = Self { list: Vec::with_capacity(list.len()), loads: Vec::new(), at: 0, rounds };
        for Retired { ip, cpl, smm, branch, loads } in list {
            let first = all.loads.len();
            all.loads.extend(loads);
            all.list.push(Kept { ip, cpl, smm, branch, loads: first..all.loads.len() });
        }
        all
    }
}

/// An instruction, and where its loads are.
#[derive(Clone, Debug)]
struct Kept {
    ip: u64,
    cpl: u8,
    smm: bool,
    branch: Option<Branch>,
    loads: Range<usize>,
}

impl Instructions for ReplayList {
    #[inline]
    fn next(&mut self, into: &mut Retired) -> Result<bool, TraceError> {
        if self.at == self.list.len() {
            self.at = 0;
            self.rounds = self.rounds.saturating_sub(1);
        }
        if self.rounds == 0 || self.list.is_empty() {
            return Ok(false);
        }
        let Kept { ip, cpl, smm, branch, loads } = &self.list[self.at];
        (into.ip, into.cpl, into.smm, into.branch) = (*ip, *cpl, *smm, *branch);
        into.loads.clear();
        into.loads.extend_from_slice(&self.loads[loads.clone()]);
        self.at += 1;
        Ok(true)
    }
}
