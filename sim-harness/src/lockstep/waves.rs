//! Repetition of a failing run with waves.

use super::batch::Batch;
use super::producer::{Flow, Producer};
use crate::rtl::Rtl;
use std::io;
use std::path::{Path, PathBuf};

/// Cycles around a divergence that a wave file shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Number of cycles before the divergence.
    pub before: u64,
    /// Number of cycles after the divergence, as far as the producer has inputs for them.
    pub after: u64,
}

impl Default for Window {
    fn default() -> Self {
        Window { before: 1000, after: 20 }
    }
}

/// Content of a wave file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaveReport {
    /// First cycle in the file; time / 10 is the number of the cycle.
    pub first_cycle: u64,
    /// Number of cycles in the file.
    pub cycles: u64,
    /// Cycle in which the first assertion in the RTL failed, if one did.
    pub assertion: Option<u64>,
}

/// Reason why no wave file shows the divergence.
#[derive(Debug, thiserror::Error)]
pub enum WaveError {
    /// The wave file cannot be written, or the RTL's flavour has no waves.
    #[error("{}: {error}", path.display())]
    File {
        /// The wave file.
        path: PathBuf,
        /// Error of the system.
        error: io::Error,
    },
    /// The fast and the traced build of the RTL behave differently, or the producer did not repeat itself.
    #[error("the fast build diverged in cycle {fast}, the traced build {}", in_cycle(*traced))]
    Elsewhere {
        /// Cycle in which the fast build diverged.
        fast: u64,
        /// Cycle in which the traced build diverged, if it did.
        traced: Option<u64>,
    },
}

fn in_cycle(cycle: Option<u64>) -> String {
    cycle.map_or_else(|| "did not".into(), |cycle| format!("in cycle {cycle}"))
}

/// Repeats a run that diverged in cycle `diverged_at` on RTL of the traced flavour at power-up, and writes the waves around that cycle
/// to `path`. The producer starts at the beginning as well. After the divergence its inputs are replayed without a comparison.
///
/// # Errors
/// If the file cannot be written, or the traced build neither diverges nor fails its first assertion in that cycle.
pub fn replay_with_waves(
    producer: &mut dyn Producer,
    rtl: &mut Rtl,
    diverged_at: u64,
    window: Window,
    path: &Path,
) -> Result<WaveReport, WaveError> {
    let first_cycle = diverged_at.saturating_sub(window.before);
    let mut replay = Replay { rtl, cycle: 0, diverged: None, assertion: None };
    let mut batch = Batch::new(replay.rtl.in_words(), replay.rtl.out_words(), super::BATCH_CYCLES);
    let last = diverged_at.saturating_add(window.after);
    let mut opened = false;
    let mut flow = Flow::More;
    while flow == Flow::More && replay.cycle <= last {
        batch.clear();
        flow = producer.fill(&mut batch);
        let base = replay.cycle;
        let position =
            |cycle: u64| usize::try_from(cycle.saturating_sub(base)).unwrap_or(usize::MAX).min(batch.cycles());
        let (open_at, end) = (position(first_cycle), position(last + 1));
        replay.play(&batch, 0, open_at);
        if !opened && (open_at < batch.cycles()) {
            opened = true;
            replay.rtl.open_waves(path).map_err(|error| WaveError::File { path: path.to_owned(), error })?;
        }
        replay.play(&batch, open_at, end);
        if replay.diverged.is_some_and(|cycle| cycle != diverged_at) {
            break;
        }
    }
    replay.rtl.close_waves();
    // Of a run that stopped at an assertion, nothing differs.
    let only_asserted = replay.diverged.is_none() && replay.assertion == Some(diverged_at);
    if replay.diverged != Some(diverged_at) && !only_asserted {
        return Err(WaveError::Elsewhere { fast: diverged_at, traced: replay.diverged });
    }
    Ok(WaveReport { first_cycle, cycles: replay.cycle - first_cycle, assertion: replay.assertion })
}

/// Plays on after divergence and failed assertion, and remembers the first of each.
struct Replay<'a> {
    rtl: &'a mut Rtl,
    cycle: u64,
    diverged: Option<u64>,
    assertion: Option<u64>,
}

impl Replay<'_> {
    /// Plays the cycles `from..to` of a batch.
    fn play(&mut self, batch: &Batch, mut from: usize, to: usize) {
        while from < to {
            if self.diverged.is_some() {
                self.rtl.run(batch.inputs_of(from, to));
                self.cycle += (to - from) as u64;
                return;
            }
            let result = self.rtl.replay(batch.inputs_of(from, to), batch.expected_of(from, to));
            let played = result.as_ref().map_or_else(|stop| stop.cycle_in_batch + 1, |()| to - from);
            self.cycle += played as u64;
            from += played;
            if let Err(stop) = result {
                let cycle = self.cycle - 1;
                self.diverged = stop.differs.then_some(cycle);
                self.assertion = self.assertion.or(stop.assertion_failed.then_some(cycle));
            }
        }
    }
}
