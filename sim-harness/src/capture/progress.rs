//! A spinner with the number of instructions and their rate.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{HumanCount, ProgressBar, ProgressStyle};

/// The time between two updates.
const INTERVAL: Duration = Duration::from_millis(100);

/// The progress display: active if standard error is a terminal, otherwise silent.
#[derive(Debug)]
pub(super) struct Progress {
    bar: ProgressBar,
    began: Instant,
    shown: Instant,
}

impl Progress {
    pub(super) fn new(quiet: bool) -> Self {
        let bar = if quiet || !io::stderr().is_terminal() { ProgressBar::hidden() } else { ProgressBar::new_spinner() };
        bar.set_style(ProgressStyle::default_spinner());
        let now = Instant::now();
        Self { bar, began: now, shown: now }
    }

    /// Shows the number of instructions, if the last update is old enough.
    pub(super) fn show(&mut self, instructions: u64) {
        if self.bar.is_hidden() || self.shown.elapsed() < INTERVAL {
            return;
        }
        self.shown = Instant::now();
        let rate = instructions as f64 / self.began.elapsed().as_secs_f64() / 1e6;
        self.bar.set_message(format!("{} instructions, {rate:.1} million a second", HumanCount(instructions)));
        self.bar.tick();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
