//! The bar of runs that take long.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A run that takes longer has a bar.
const PATIENCE: Duration = Duration::from_secs(2);

/// Shows how far the runs are, if standard error is a terminal, and passes Ctrl-C on.
#[derive(Debug)]
pub(super) struct Progress<'a> {
    bar: ProgressBar,
    shown: AtomicBool,
    wanted: bool,
    begin: Instant,
    stop: &'a AtomicBool,
}

impl<'a> Progress<'a> {
    pub(super) fn new(quiet: bool, stop: &'a AtomicBool) -> Self {
        let bar = ProgressBar::hidden();
        let style =
            ProgressStyle::with_template("{wide_bar} {msg}, {bytes} of {total_bytes} of the traces, {eta} left");
        bar.set_style(style.expect("the template is right"));
        let wanted = !quiet && io::stderr().is_terminal();
        Self { bar, shown: AtomicBool::new(false), wanted, begin: Instant::now(), stop }
    }

    /// A run begins.
    pub(super) fn begin(&self, what: &str) {
        self.bar.set_message(what.to_owned());
    }

    /// So many bytes of the traces are read. Whether the run goes on is the result.
    pub(super) fn at(&self, (read, all): (u64, u64)) -> bool {
        if self.wanted && self.begin.elapsed() > PATIENCE && !self.shown.swap(true, Ordering::Relaxed) {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_length(all);
        self.bar.set_position(read);
        !self.stopped()
    }

    /// Whether Ctrl-C was pressed.
    pub(super) fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
