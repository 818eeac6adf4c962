//! Replay: "Reporting the DCache miss data address", third item.

use super::env::{Env, MISSES};
use super::happening::Fill;
use super::state::{Counter, State};
use lwp_model::lwp::AddressPolicy;

impl State {
    fn waits_for_fill(&self, env: &Env) -> bool {
        env.straps.address_policy == AddressPolicy::Replay
            && self.live(env, MISSES)
            && self.counters[MISSES] == Counter::Waiting
            && self.tag.is_none()
    }

    /// Returns the state after data of a load returns while older instructions still retire.
    pub(super) fn fill_arrives(mut self, env: &Env) -> Self {
        self.replay_due = self.waits_for_fill(env);
        self
    }

    /// Checks the unit's reaction to a fill: "It waits for the next eligible DCache miss to receive its data."
    pub(super) fn fill(mut self, env: &Env, fill: &Fill) -> Result<Self, String> {
        let due = core::mem::take(&mut self.replay_due);
        let fits = env.eligible(&self.session, fill.latency, fill.source);
        if fill.flushed {
            if !fits || !self.waits_for_fill(env) {
                return Err(format!("a replay is requested, but the load is not the one to record: {fill:x?}"));
            }
            self.tag = Some(fill.into());
        } else if due && fits && self.waits_for_fill(env) && self.queue.is_empty() && !fill.cut_short {
            return Err(format!("no replay is requested for {fill:x?}"));
        }
        Ok(self)
    }
}
