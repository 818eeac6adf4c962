//! The progress bar.

use super::interrupt;
use super::plan::LwpWorld;
use indicatif::{ProgressBar, ProgressStyle};
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
    pub(crate) fn new(world: &LwpWorld, limit: Option<u64>, quiet: bool) -> Self {
        let stream = world.instructions();
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

    /// Every few thousand cycles: shows how far the run is, and passes Ctrl-C on to the world.
    pub(crate) fn visit(&self, world: &mut LwpWorld) {
        if interrupt::requested() {
            world.stop();
        }
        self.bar.set_position(match self.measure {
            Measure::Bytes => world.instructions().position().0,
            Measure::Instructions | Measure::Unknown => world.stats().instructions,
        });
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
