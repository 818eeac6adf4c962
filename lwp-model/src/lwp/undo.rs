//! Undoing an instruction whose record cannot be stored.
//!
//! Source: Lightweight Profiling Proposal (2007-07-20), "TLB and Cache misses during LWP logging", policy fault.

use super::state::{EventCounter, NUM_EVENTS, State, Undo};

impl Undo {
    /// Keeps the counters before an instruction that begins with `partial` cycles.
    pub(super) fn begin(&mut self, events: &[EventCounter; NUM_EVENTS]) {
        if !self.split {
            self.split = true;
            self.counters = counters(events);
        }
    }

    /// Keeps the counters `before` the instruction of a lane that gathers a record.
    pub(super) fn keep(&mut self, lane: usize, before: [u32; NUM_EVENTS]) {
        if !(lane == 0 && self.split) {
            self.counters = before;
        }
        self.valid = true;
    }
}

impl State {
    /// Undoes the instruction if that is possible, and returns whether it was.
    pub(super) fn undo(&mut self) -> bool {
        if !self.undo.valid {
            return false;
        }
        for (event, counter) in self.events.iter_mut().zip(self.undo.counters) {
            event.counter = counter;
        }
        self.undo.valid = false;
        self.undo.split = false;
        self.cand.valid = false;
        self.tag.valid = false;
        self.forget();
        true
    }
}

/// Returns the counters of the events.
pub(super) fn counters(events: &[EventCounter; NUM_EVENTS]) -> [u32; NUM_EVENTS] {
    events.map(|event| event.counter)
}
