//! Leaving ring 3: nothing is stored outside it, so a record that is not stored yet is discarded or held, or the core
//! has waited for it.

use super::env::Env;
use super::state::{Phase, State};
use lwp_model::lwp::LeavePolicy;

impl State {
    /// Returns every state in which ring 3 may be left.
    pub(super) fn leave(self, env: &Env) -> Result<Vec<Self>, String> {
        let mut states = Vec::new();
        if let (true, Some(tail)) = (env.awaited || env.touched == env.now, self.progress.old_tail) {
            // The response to the last access may come too late to be used.
            let mut deaf = self.clone();
            (deaf.tail, deaf.progress.tail_read, deaf.progress.old_tail) = (tail, false, None);
            states.extend(deaf.left(env).unwrap_or_default());
        }
        match self.left(env) {
            Err(text) if states.is_empty() => return Err(text),
            result => states.extend(result.unwrap_or_default()),
        }
        Ok(states)
    }

    fn left(mut self, env: &Env) -> Result<Vec<Self>, String> {
        self.tag = None;
        self.replay_due = false;
        self.before = None;
        let failing = self.failing.take();
        if let Some(fault) = &mut self.fault {
            fault.optional = true;
        }
        if let Some((_, fault)) = failing {
            self.fault = Some(super::state::PageFault { optional: true, ..fault });
        }
        let mut states = Vec::new();
        if let Phase::Deferred(deferred) = &mut self.phase {
            if deferred.flags_written {
                states.extend(self.commit(env));
            }
            if let Phase::Deferred(deferred) = &mut self.phase {
                deferred.flags_written = false;
                deferred.bytes = super::bytes::Bytes::default();
            }
            states.push(self);
            return Ok(states);
        }
        if self.queue.is_empty() {
            return Ok(vec![self]);
        }
        if self.progress.published {
            // A record that a poller can see has been stored.
            let stored = self.finish(env).or_else(|_| self.publish_only(env))?;
            states.extend(stored.into_iter().flat_map(|state| state.give_up_rest(env)));
            if env.straps.leave_policy == LeavePolicy::Hold {
                // The record is held until the response has come.
                states.extend(self.give_up(env));
            }
            return Ok(states);
        }
        if !env.awaited {
            let stored = self.finish(env).unwrap_or_default();
            states.extend(stored.into_iter().flat_map(|state| state.give_up_rest(env)));
        }
        if env.straps.leave_policy == LeavePolicy::Drain && !env.drain && !env.pf && self.pending.is_none() {
            return if states.is_empty() {
                Err("ring 3 may be left, but a record is on its way".into())
            } else {
                Ok(states)
            };
        }
        states.extend(self.give_up(env));
        Ok(states)
    }

    /// Returns the states after the first record has just been stored; those behind it are dropped or held.
    fn give_up_rest(self, env: &Env) -> Vec<Self> {
        let mut alone = self.clone();
        alone.drop_records(0);
        self.give_up(env).into_iter().chain([alone]).collect()
    }

    /// Returns the states in which the records that are not stored are dropped or held.
    fn give_up(mut self, env: &Env) -> Vec<Self> {
        if env.straps.leave_policy == LeavePolicy::Hold {
            let all = (self.queue.len() > 1).then(|| self.clone());
            self.drop_records(1);
            return all.into_iter().chain([self]).collect();
        }
        let mut states = Vec::new();
        if self.pending.is_some() {
            let mut kept = self.clone();
            kept.drop_records(1);
            states.push(kept);
        }
        // A failure that is not yet raised may be lost, and the record with it.
        if self.pending.is_none() || self.pending == Some(false) && !env.pf {
            self.drop_records(0);
            states.push(self);
        }
        states
    }
}
