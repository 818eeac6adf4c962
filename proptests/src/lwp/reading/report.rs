//! Requests to the core: page faults and the threshold interrupt.

use super::env::{Env, SLACK};
use super::state::State;

impl State {
    /// Returns the states after a page fault is raised.
    pub(super) fn raised(mut self, env: &Env, write: bool, abort: bool, addr: u64) -> Result<Vec<Self>, String> {
        let Some(fault) = self.fault.take() else {
            if env.found.is_some_and(|found| env.now <= found) {
                return Ok(vec![self]);
            }
            return Err(format!("a page fault for {addr:#x}, but no access failed"));
        };
        if (fault.addr, fault.write, fault.abort) != (addr, write, abort) {
            let seen = format!("a page fault for {addr:#x} (write {write}, abort {abort})");
            return Err(format!("{seen}, expected {:#x} (write {}, abort {})", fault.addr, fault.write, fault.abort));
        }
        if !abort {
            return Ok(vec![self]);
        }
        // "Abort the current instruction and any update to the LWP internal state."
        let Some(before) = self.before.take() else {
            return Err("an instruction is undone, but there is none".into());
        };
        // The order of choice is not specified, and the LFSR holds no count (OWN-04).
        let (crossings, lfsr) = (self.crossings, self.lfsr);
        let undone = Self { crossings, lfsr, before: None, last: None, ..(*before).clone() };
        // A copy of the tail may be newer than before the instruction.
        let fresh = Self { tail: self.tail, ..undone.clone() };
        // How old that copy is, is no state of the instruction either (OWN-04).
        let seen = self.progress.tail_read.then(|| Self { skipped: 0, ..fresh.clone() });
        let mut states = vec![undone, fresh];
        states.extend(seen);
        states.extend(looked(env, &states));
        Ok(states)
    }

    /// Returns the state after the interrupt request rises.
    pub(super) fn interrupted(mut self, env: &Env) -> Result<Self, String> {
        let allowed = |restored: bool| restored || env.interrupts();
        let mut due = self.crossings.iter();
        let Some(at) = due.position(|crossing| crossing.from <= env.now && allowed(crossing.restored)) else {
            if env.found.is_some_and(|found| env.now <= found + 256 + SLACK) {
                return Ok(self);
            }
            // Report comes before Reset.
            let count = self.crossings.len();
            let crosses = |after: &Self| after.crossings.len() > count;
            let soon = env.straps.irq_delay == 0 && self.finish(env).is_ok_and(|after| after.iter().any(crosses));
            if soon {
                self.progress.reported = true;
                return Ok(self);
            }
            return Err("an interrupt, but the threshold was not crossed since the last one".into());
        };
        self.crossings.remove(at);
        Ok(self)
    }

    /// Checks the interrupts that are due.
    pub(super) fn interrupts_due(mut self, env: &Env) -> Result<Self, String> {
        for crossing in &mut self.crossings {
            // A handler that runs after the crossing sees its records; without the enable bit no interrupt is due.
            crossing.noticed |= env.irq && crossing.at <= env.now || !crossing.restored && !env.interrupts();
        }
        if self.crossings.iter().any(|crossing| crossing.due < env.now && !crossing.noticed) {
            return Err("the threshold was crossed, but there was no interrupt".into());
        }
        self.crossings.retain(|crossing| crossing.due >= env.now);
        Ok(self)
    }

    /// Checks that nothing is still in progress after a long time without any access.
    pub(super) fn rests(&self, env: &Env) -> Result<(), String> {
        let memory = env.straps.missed_mode == lwp_model::lwp::MissedMode::Memory;
        let open = if let Some(record) = self.queue.first() {
            if env.now - self.since <= SLACK {
                return Ok(());
            }
            format!("a record is not stored: {record:x?} with {:x?} done", self.progress)
        } else if memory && self.owed > 0 && self.active() {
            "a missed event is not counted".into()
        } else if matches!(self.phase, super::state::Phase::Deferred(_)) {
            "the block is not loaded".into()
        } else if self.fault.as_ref().is_some_and(|fault| !fault.optional) {
            "a page fault is not raised".into()
        } else {
            return Ok(());
        };
        Err(format!("nothing happens, but {open}"))
    }
}

/// Returns the same states, but counts the read of the tail that failed or was undone; empty unless that point is
/// permitted.
pub(super) fn looked(env: &Env, states: &[State]) -> Vec<State> {
    let counts = env.disputed.fault_counts_as_look && env.straps.tail_nth > 1;
    let all = states.iter().filter(|_| counts);
    all.map(|state| State { skipped: 0, ..state.clone() }).collect()
}
