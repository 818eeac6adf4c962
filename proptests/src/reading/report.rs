//! Requests to the core: page faults and the threshold interrupt.

use super::env::{Env, SLACK};
use super::world::World;

impl World {
    /// A page fault is raised.
    pub(super) fn raised(mut self, env: &Env, write: bool, abort: bool, addr: u64) -> Result<Self, String> {
        let Some(fault) = self.fault.take() else {
            if env.now <= env.found {
                return Ok(self);
            }
            return Err(format!("a page fault for {addr:#x}, but no access failed"));
        };
        if (fault.addr, fault.write, fault.abort) != (addr, write, abort) {
            let seen = format!("a page fault for {addr:#x} (write {write}, abort {abort})");
            return Err(format!("{seen}, expected {:#x} (write {}, abort {})", fault.addr, fault.write, fault.abort));
        }
        if !abort {
            return Ok(self);
        }
        // "Abort the current instruction and any update to the LWP internal state."
        let Some(before) = self.before.take() else {
            return Err("an instruction is undone, but there is none".into());
        };
        Ok(Self { crossings: self.crossings, before: None, ..(*before).clone() })
    }

    /// The interrupt request rises.
    pub(super) fn interrupted(mut self, env: &Env) -> Result<Self, String> {
        let allowed = |restored: bool| restored || env.interrupts();
        let mut due = self.crossings.iter();
        let Some(at) = due.position(|crossing| crossing.from <= env.now && allowed(crossing.restored)) else {
            if env.now <= env.found + u64::from(env.straps.irq_delay) + SLACK {
                return Ok(self);
            }
            return Err("an interrupt, but the threshold was not crossed since the last one".into());
        };
        self.crossings.remove(at);
        Ok(self)
    }

    /// Looks after the interrupts that are due.
    pub(super) fn interrupts_due(mut self, env: &Env) -> Result<Self, String> {
        for crossing in &mut self.crossings {
            // A handler that runs after the crossing knows of it; without permission there is nothing to say.
            crossing.noticed |= env.irq && crossing.at <= env.now || !crossing.restored && !env.interrupts();
        }
        if self.crossings.iter().any(|crossing| crossing.due < env.now && !crossing.noticed) {
            return Err("the threshold was crossed, but there was no interrupt".into());
        }
        self.crossings.retain(|crossing| crossing.due >= env.now);
        Ok(self)
    }

    /// After a long time without any access nothing can still be on its way.
    pub(super) fn rests(&self, env: &Env) -> Result<(), String> {
        let memory = env.straps.missed_mode == lwp_model::lwp::MissedMode::Memory;
        let open = if let Some(record) = self.queue.first() {
            if env.now - self.since <= SLACK {
                return Ok(());
            }
            format!("a record is not stored: {record:x?} with {:x?} done", self.progress)
        } else if memory && self.owed > 0 && self.active() {
            "a missed event is not counted".into()
        } else if matches!(self.phase, super::world::Phase::Deferred(_)) {
            "the block is not loaded".into()
        } else if self.fault.as_ref().is_some_and(|fault| !fault.optional) {
            "a page fault is not raised".into()
        } else {
            return Ok(());
        };
        Err(format!("nothing happens, but {open}"))
    }
}
