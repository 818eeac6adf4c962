//! The lines of the scenario in progress.

use crate::list::{Handler, Line, MOST_LINES, Scenario};
use crate::serial::say;
use core::cell::Cell;

/// The scenario in progress.
pub(crate) struct Progress {
    scenario: Cell<Option<Scenario>>,
    pub(crate) handler: Cell<Handler>,
    lines: Cell<[Option<Line>; MOST_LINES + 1]>,
    count: Cell<usize>,
}

// SAFETY: there is one processor, and a handler that is entered inside another one keeps its line before that one goes on.
unsafe impl Sync for Progress {}

impl Progress {
    pub(crate) const fn new() -> Self {
        Self {
            scenario: Cell::new(None),
            handler: Cell::new(Handler::NEW),
            lines: Cell::new([None; MOST_LINES + 1]),
            count: Cell::new(0),
        }
    }

    /// Begins a scenario.
    pub(crate) fn begin(&self, scenario: &Scenario) {
        self.scenario.set(Some(*scenario));
        self.handler.set(Handler::NEW);
        self.count.set(0);
    }

    pub(crate) fn scenario(&self) -> Scenario {
        self.scenario.get().expect("a scenario in progress")
    }

    /// Keeps a line; `false` if there are too many.
    pub(crate) fn keep(&self, line: Line) -> bool {
        let free = self.count.get() < MOST_LINES;
        if free {
            self.end(line);
        }
        free
    }

    /// Keeps the last line, for which there is always room.
    pub(crate) fn end(&self, line: Line) {
        let mut lines = self.lines.get();
        lines[self.count.get()] = Some(line);
        self.lines.set(lines);
        self.count.set(self.count.get() + 1);
    }

    /// Writes the lines of the scenario.
    pub(crate) fn write(&self) {
        say!("scenario {}", self.scenario().name);
        for line in self.lines.get().iter().take(self.count.get()).flatten() {
            say!("{line}");
        }
    }
}
