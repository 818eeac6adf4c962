//! A logical processor that runs a program: one access at a time.

use super::program::{Access, Program};
use super::setup::Assigned;
use crate::traces::TraceError;
use lwp_model::rdt::{LpInputs, LpOutputs};

/// Accesses, and what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Accesses that are complete.
    pub accesses: u64,
    /// Accesses that hit the L2 cache.
    pub l2_hits: u64,
    /// Accesses that hit the L3 cache.
    pub l3_hits: u64,
    /// Cycles from the request of each access to its end.
    pub cycles: u64,
}

impl Traffic {
    /// Returns the number of accesses that went to memory.
    #[must_use]
    pub const fn misses(&self) -> u64 {
        self.accesses - self.l2_hits - self.l3_hits
    }

    pub(super) const fn add(&mut self, done: &Completed) {
        self.accesses += 1;
        self.l2_hits += done.l2_hit as u64;
        self.l3_hits += done.l3_hit as u64;
        self.cycles += done.cycles;
    }
}

/// An access that is complete.
#[derive(Clone, Copy, Debug)]
pub(super) struct Completed {
    /// RMID of the access.
    pub(super) rmid: u8,
    l2_hit: bool,
    l3_hit: bool,
    cycles: u64,
}

/// State of a logical processor with a program.
#[derive(Debug)]
pub(super) struct Core<P> {
    pub(super) program: P,
    number: usize,
    /// The access that comes next, or is in progress.
    access: Option<Access>,
    /// Cycle in which it is requested.
    due: u64,
    /// RMID and class of the access in progress.
    accepted: Option<Assigned>,
    ended: bool,
    /// Cycle in which the last access was complete.
    pub(super) end: u64,
    pub(super) traffic: Traffic,
}

impl<P: Program> Core<P> {
    pub(super) fn new(number: usize, program: P) -> Self {
        let (access, traffic) = (None, Traffic::default());
        Self { program, number, access, due: 0, accepted: None, ended: false, end: 0, traffic }
    }

    /// Whether the program is over.
    #[inline]
    pub(super) const fn has_ended(&self) -> bool {
        self.ended
    }

    /// Whether an access was requested so many cycles ago.
    #[inline]
    pub(super) const fn waits_for(&self, cycle: u64, cycles: u64) -> bool {
        self.access.is_some() && cycle >= self.due.saturating_add(cycles)
    }

    /// Reads the first access, which is due at the earliest in this cycle, or the next one.
    pub(super) fn read(&mut self, cycle: u64) -> Result<(), TraceError> {
        let next = self.program.next();
        self.access = next.as_ref().ok().copied().flatten();
        self.ended = self.access.is_none();
        self.due = cycle + self.access.map_or(0, |access| access.gap);
        next.map(drop)
    }

    /// Ends the program behind the access in progress.
    pub(super) fn stop(&mut self) {
        self.program.stop();
        if self.accepted.is_none() {
            (self.access, self.ended) = (None, true);
        }
    }

    /// Takes the access that is complete in this cycle.
    #[inline]
    pub(super) fn take(&mut self, cycle: u64, out: &LpOutputs) -> Option<Completed> {
        let assigned = self.accepted.filter(|_| out.done)?;
        self.accepted = None;
        let Assigned { rmid, .. } = assigned;
        let done = Completed { rmid, l2_hit: out.l2_hit, l3_hit: out.l3_hit, cycles: cycle - self.due };
        self.traffic.add(&done);
        self.end = cycle;
        Some(done)
    }

    /// Requests the access that is due.
    #[inline]
    pub(super) fn request(&mut self, cycle: u64, assigned: Assigned, out: &LpOutputs, lp: &mut LpInputs) {
        let Some(access) = self.access.filter(|_| self.accepted.is_none() && cycle >= self.due) else { return };
        lp.req_valid = true;
        (lp.req_write, lp.req_code) = (access.write, access.code);
        lp.req_addr = super::memory::place(self.number, access.addr);
        if out.req_ready {
            self.accepted = Some(assigned);
        }
    }
}
