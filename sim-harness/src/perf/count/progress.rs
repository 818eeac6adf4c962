//! The bar of a count, and its lines for intervals.

use super::event::Wanted;
use super::run::{Interval, Watch};
use crate::report::grouped;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Shows how far a count is, if standard error is a terminal; prints intervals; passes Ctrl-C on.
pub(super) struct Progress<'a> {
    bar: ProgressBar,
    events: &'a [Wanted],
    stop: &'a AtomicBool,
    /// Whether intervals are printed, and whether to standard error.
    lines: bool,
    aside: bool,
    begun: bool,
    /// Why a line could not be printed.
    pub(super) failure: Option<io::Error>,
}

impl<'a> Progress<'a> {
    pub(super) fn new(events: &'a [Wanted], stop: &'a AtomicBool, (quiet, aside): (bool, bool)) -> Self {
        let shown = !quiet && io::stderr().is_terminal();
        let bar = if shown { ProgressBar::new(0) } else { ProgressBar::hidden() };
        let template = "{wide_bar} {msg}, {human_pos} of {human_len} instructions, {eta} left";
        bar.set_style(ProgressStyle::with_template(template).expect("the template is right"));
        Self { bar, events, stop, lines: !quiet, aside, begun: false, failure: None }
    }

    fn print(&mut self, line: &str) {
        let (aside, failure) = (self.aside, &mut self.failure);
        self.bar.suspend(|| {
            let done = if aside { writeln!(io::stderr(), "{line}") } else { writeln!(io::stdout(), "{line}") };
            if let Err(error) = done {
                failure.get_or_insert(error);
            }
        });
    }
}

impl Watch for Progress<'_> {
    fn progress(&mut self, pass: usize, passes: usize, instructions: u64, total: Option<u64>) -> bool {
        let total = total.unwrap_or(instructions);
        self.bar.set_length(total * passes as u64);
        self.bar.set_position(total * pass as u64 + instructions);
        self.bar.set_message(if pass == 0 {
            "plain counter".to_owned()
        } else {
            format!("pass {pass} of {}", passes - 1)
        });
        !self.stop.load(Ordering::Relaxed)
    }

    fn interval(&mut self, interval: &Interval) {
        if !self.lines || self.failure.is_some() {
            return;
        }
        if !std::mem::replace(&mut self.begun, true) {
            let names: String = self.events.iter().map(|event| format!("  {:>16}", event.label())).collect();
            self.print(&format!("{:>16}{names}", "instructions"));
        }
        let cell = |(event, count): (&Wanted, &u64)| {
            format!("  {:>width$}", grouped(*count), width = event.label().len().max(16))
        };
        let counts: String = self.events.iter().zip(&interval.counts).map(cell).collect();
        self.print(&format!("{:>16}{counts}", grouped(interval.instructions)));
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
