//! Tables `[system]` and `[core]`: further actions of the operating system and the core while the trace runs.

use super::memory::Probability;
use crate::lwp::environment::Start;
use crate::session::{Complaint, Number64};
use serde::Deserialize;
use toml::Spanned;

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SystemTable {
    start: Option<StartName>,
    switch_every: Option<Spanned<Number64>>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StartName {
    Llwpcb,
    #[serde(alias = "msr1", alias = "wrmsr")]
    Lwpmsr1,
}

impl SystemTable {
    pub(super) fn start(&self) -> Start {
        match self.start {
            None | Some(StartName::Llwpcb) => Start::Llwpcb,
            Some(StartName::Lwpmsr1) => Start::LwpMsr1,
        }
    }

    /// Returns the number of cycles from one thread switch to the next, if the thread is switched.
    pub(super) fn switch_every(&self) -> Result<Option<u64>, Complaint> {
        match &self.switch_every {
            Some(cycles) if cycles.get_ref().0 == 0 => {
                let what = "`switch_every` is 0, expected at least 1 cycle; leave it out for no switches";
                Err((what.to_owned(), Some(cycles.span())))
            }
            cycles => Ok(cycles.as_ref().map(|cycles| cycles.get_ref().0)),
        }
    }
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CoreTable {
    replay_abort: Option<Probability>,
}

impl CoreTable {
    /// Returns the probability that the replay of a tagged load is aborted.
    pub(super) fn replay_abort(&self) -> f64 {
        self.replay_abort.map_or(0.0, |probability| probability.0)
    }
}
