//! Where the feeder gets its instructions.

use crate::trace::{Retired, TraceError};

/// A supply of retired instructions, annotated with misses and predictions.
pub trait Instructions {
    /// Puts the next instruction into `into`, whose memory is reused. `Ok(false)` at the end.
    ///
    /// # Errors
    /// If the trace cannot be read further. It is not asked again then.
    fn next(&mut self, into: &mut Retired) -> Result<bool, TraceError>;
}

/// Instructions from memory, for tests and benches.
#[derive(Clone, Debug, Default)]
pub struct ReplayList {
    list: Vec<Retired>,
    at: usize,
    rounds: u64,
}

impl ReplayList {
    /// The instructions in order, the whole list `rounds` times.
    #[must_use]
    pub fn new(list: Vec<Retired>, rounds: u64) -> Self {
        Self { list, at: 0, rounds }
    }
}

impl Instructions for ReplayList {
    fn next(&mut self, into: &mut Retired) -> Result<bool, TraceError> {
        if self.at == self.list.len() {
            self.at = 0;
            self.rounds = self.rounds.saturating_sub(1);
        }
        if self.rounds == 0 || self.list.is_empty() {
            return Ok(false);
        }
        let Retired { ip, cpl, smm, branch, loads } = &self.list[self.at];
        (into.ip, into.cpl, into.smm, into.branch) = (*ip, *cpl, *smm, *branch);
        into.loads.clone_from(loads);
        self.at += 1;
        Ok(true)
    }
}
