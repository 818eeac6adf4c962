//! The progress bar.

use super::interrupt;
use indicatif::{ProgressBar, ProgressStyle};
use sim_harness::cosim::Visited;
use std::io::{self, IsTerminal};

/// A bar on standard error, if that is a terminal.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    measure: Measure,
}

/// What the length of the bar is.
#[derive(Clone, Copy, Debug)]
enum Measure {
    Instructions,
    Bytes,
    Unknown,
}

impl Progress {
    /// A bar for this run.
    pub(crate) fn new(run: &dyn Visited, limit: Option<u64>, quiet: bool) -> Self {
        let stream = run.stream();
        let (measure, length) = match (stream.total().or(limit), stream.position().1) {
            (Some(total), _) => (Measure::Instructions, total),
            (None, 0) => (Measure::Unknown, 0),
            (None, bytes) => (Measure::Bytes, bytes),
        };
        if quiet || !io::stderr().is_terminal() {
            return Self { bar: ProgressBar::hidden(), measure };
        }
        let (bar, template) = match measure {
            Measure::Instructions => {
                (ProgressBar::new(length), "{wide_bar} {human_pos} of {human_len} instructions, {eta} left")
            }
            Measure::Bytes => {
                (ProgressBar::new(length), "{wide_bar} {bytes} of {total_bytes} of the trace, {eta} left")
            }
            Measure::Unknown => (ProgressBar::new_spinner(), "{spinner} {human_pos} instructions, {elapsed}"),
        };
        let style = ProgressStyle::with_template(template).expect("the templates are right");
        bar.set_style(style);
        Self { bar, measure }
    }

    /// Every few thousand cycles: shows how far the run is, and passes Ctrl-C on.
    pub(crate) fn visit(&self, run: &mut dyn Visited) {
        if interrupt::requested() {
            run.stop();
        }
        self.bar.set_position(match self.measure {
            Measure::Bytes => run.stream().position().0,
            Measure::Instructions | Measure::Unknown => run.instructions(),
        });
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
