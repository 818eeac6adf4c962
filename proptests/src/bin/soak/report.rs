//! What the user sees: a bar while it runs, a few lines at the end.

use super::args::Args;
use indicatif::{ProgressBar, ProgressStyle};
use proptests::soak::Progress;
use proptests::unit::Checks;
use sim_harness::say;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How often the state is written while a run goes on.
const WRITE_EVERY: Duration = Duration::from_secs(10);

pub(crate) struct Report<'a> {
    args: &'a Args,
    unit: &'static dyn Checks,
    bar: ProgressBar,
    began: Instant,
    already: u64,
    written: Mutex<Instant>,
}

impl<'a> Report<'a> {
    pub(crate) fn new(args: &'a Args, unit: &'static dyn Checks, progress: &Progress) -> Self {
        if progress.cycles > 0 {
            say!("going on from {} cycles in {} cases", progress.cycles, progress.cases);
        }
        let bar = if args.quiet { ProgressBar::hidden() } else { ProgressBar::new(args.cycles) };
        let style = "{bar:30} {human_pos}/{human_len} cycles, {per_sec}, {eta} left, {msg}";
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style);
        }
        bar.set_position(progress.cycles);
        bar.reset_eta();
        Self { args, unit, bar, began: Instant::now(), already: progress.cycles, written: Mutex::new(Instant::now()) }
    }

    /// After a block.
    pub(crate) fn show(&self, progress: &Progress) {
        self.bar.set_position(progress.cycles);
        self.bar.set_message(format!("{} cases, {} pairs of straps", progress.cases, progress.pairs.len()));
        let Ok(mut written) = self.written.lock() else { return };
        if written.elapsed() > WRITE_EVERY {
            *written = Instant::now();
            // The last word is said at the end, with an error if need be.
            let _ = progress.write(&self.args.state());
        }
    }

    pub(crate) fn close(&self) {
        self.bar.finish_and_clear();
    }

    pub(crate) fn summary(&self, progress: &Progress) {
        let seconds = self.began.elapsed().as_secs_f64();
        let rate = (progress.cycles - self.already) as f64 / seconds.max(0.001) / 1e6;
        let all = self.unit.strap_pairs();
        let missing = progress.pairs.missing(all).count();
        let percent = 100.0 * (all.len() - missing) as f64 / all.len() as f64;
        say!("{} cycles in {} cases agree in every bit of state", progress.cycles, progress.cases);
        say!("builds: {}", progress.builds.join(", "));
        say!("pairs of strap values: {} of {} ({percent:.1} %)", all.len() - missing, all.len());
        say!("this run: {rate:.2} million cycles a second on {} threads", self.args.jobs());
        say!("state: {}", self.args.state().display());
    }
}
