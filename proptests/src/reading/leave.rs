//! Ring 3 is left: nothing is stored outside it, so what is not stored yet is discarded, held, or was waited for.

use super::env::Env;
use super::world::{Phase, World};
use lwp_model::lwp::LeavePolicy;

impl World {
    /// Every state in which ring 3 may be left.
    pub(super) fn leave(mut self, env: &Env) -> Result<Vec<Self>, String> {
        self.tag = None;
        self.replay_due = false;
        self.before = None;
        let failing = self.failing.take();
        if let Some(fault) = &mut self.fault {
            fault.optional = true;
        }
        if let Some((_, fault)) = failing {
            self.fault = Some(super::world::PageFault { optional: true, ..fault });
        }
        let mut worlds = Vec::new();
        if let Phase::Deferred(deferred) = &mut self.phase {
            if deferred.flags_written {
                worlds.extend(self.commit(env));
            }
            if let Phase::Deferred(deferred) = &mut self.phase {
                deferred.flags_written = false;
                deferred.bytes = super::bytes::Bytes::default();
            }
            worlds.push(self);
            return Ok(worlds);
        }
        if self.queue.is_empty() {
            return Ok(vec![self]);
        }
        if self.progress.published {
            // What a poller can see has happened.
            let stored = self.finish(env).or_else(|_| self.publish_only(env))?;
            return Ok(stored.into_iter().flat_map(|world| world.give_up_rest(env)).collect());
        }
        if !env.awaited {
            let stored = self.finish(env).unwrap_or_default();
            worlds.extend(stored.into_iter().flat_map(|world| world.give_up_rest(env)));
        }
        if env.straps.leave_policy == LeavePolicy::Drain && !env.drain && !env.pf && self.pending.is_none() {
            return if worlds.is_empty() { Err("ring 3 may be left, but a record is on its way".into()) } else { Ok(worlds) };
        }
        worlds.extend(self.give_up(env));
        Ok(worlds)
    }

    /// The first record has just been stored; those behind it are given up, or held.
    fn give_up_rest(self, env: &Env) -> Vec<Self> {
        let mut alone = self.clone();
        alone.drop_records(0);
        self.give_up(env).into_iter().chain([alone]).collect()
    }

    /// What is not stored is given up, or held.
    fn give_up(mut self, env: &Env) -> Vec<Self> {
        if env.straps.leave_policy == LeavePolicy::Hold {
            let all = (self.queue.len() > 1).then(|| self.clone());
            self.drop_records(1);
            return all.into_iter().chain([self]).collect();
        }
        let keep = usize::from(self.pending.is_some());
        self.drop_records(keep);
        vec![self]
    }
}
