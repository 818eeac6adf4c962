//! The set of possible states, and the effect of each happening on it.

use super::count;
use super::coverage::Coverage;
use super::env::{Disputed, Env, MISSES, SLACK};
use super::happening::{Access, Happening, Instruction, Look};
use super::judge::waiting;
use super::observe::well_formed;
use super::state::{Counter, Phase, State};
use lwp_model::lwp::{AddressPolicy, Config, MemCmd};
use std::collections::HashSet;

/// The largest number of possible states that the checker follows. With more, it treats the state as lost.
const WIDEST: usize = 4096;

/// A checker of happenings.
#[derive(Clone, Debug)]
pub(super) struct Checker {
    pub(super) env: Env,
    pub(super) states: Vec<State>,
    pub(super) lost: bool,
    /// The last time at which something was in progress.
    restless: u64,
    /// Whether the rest of the session's state was still to be loaded.
    deferred: bool,
    pub(super) coverage: Coverage,
}

impl Checker {
    pub(super) fn new(straps: &Config, slots: usize, bits: u32) -> Self {
        let (straps, msr0, now, touched, found) = (*straps, 0, 0, 0, None);
        let (ring3, awaited, operated, irq, pf, drain) = (false, false, false, false, false, false);
        let disputed = Disputed::default();
        let env =
            Env { disputed, straps, slots, bits, msr0, now, ring3, awaited, operated, touched, found, irq, pf, drain };
        Self {
            env,
            states: vec![State::fresh()],
            lost: false,
            restless: 0,
            deferred: false,
            coverage: Coverage::default(),
        }
    }

    pub(super) fn allow(&mut self, disputed: Disputed) {
        self.env.disputed = disputed;
    }

    pub(super) fn into_coverage(self) -> Coverage {
        self.coverage
    }

    /// Checks one happening, or an operation with everything up to its result.
    pub(super) fn judge(&mut self, mut batch: Vec<Happening>) -> Result<(), String> {
        if let Some(Happening::Accepted(op)) = batch.first() {
            let op = *op;
            return self.operation(op, batch);
        }
        batch.drain(..).try_for_each(|happening| self.happens(happening))
    }

    pub(super) fn happens(&mut self, happening: Happening) -> Result<(), String> {
        match happening {
            Happening::Reset => {
                let now = self.env.now;
                let fresh = Self::new(&self.env.straps, self.env.slots, self.env.bits);
                let (ring3, disputed) = (self.env.ring3, self.env.disputed);
                let env = Env { now, ring3, disputed, ..fresh.env.clone() };
                *self = Self { coverage: self.coverage, env, restless: now, ..fresh };
            }
            Happening::Cycle(look) => return self.look(&look),
            Happening::Entered => self.env.ring3 = true,
            Happening::Left => {
                self.each(|env, state| state.leave(env))?;
                self.env.ring3 = false;
            }
            Happening::Broken(why) => self.lose(why),
            Happening::Granted(access) => {
                self.env.awaited = true;
                self.env.touched = self.env.now;
                return self.granted(&access);
            }
            Happening::Answered => {
                self.env.awaited = false;
                self.env.touched = self.env.now;
                // An instruction that retires in the same cycle may still find the record in progress.
                self.each(|env, state| {
                    let late = state.failing.is_some().then(|| state.clone());
                    let dropped = env.operated && env.disputed.drops_pending_record;
                    let failed = if dropped { waiting(env, state) } else { state.failed(env) };
                    Ok(failed.into_iter().chain(late).collect())
                })?;
                self.env.operated = false;
                self.settle();
            }
            Happening::Loads(instruction) => return self.each(|env, state| count::loads(env, state, &instruction)),
            Happening::Retired(instruction) => return self.retired(&instruction),
            other => return self.request(other),
        }
        Ok(())
    }

    /// Applies the effect of a failed access whose response came in an earlier cycle.
    fn take_effect(&mut self) -> Result<(), String> {
        if self.env.awaited {
            return Ok(());
        }
        self.each(|env, state| Ok(state.failed(env)))
    }

    fn request(&mut self, happening: Happening) -> Result<(), String> {
        self.settle();
        match happening {
            Happening::FillArrives => self.each(|env, state| Ok(vec![state.fill_arrives(env)])),
            Happening::Fill(fill) => {
                self.coverage.replays += u64::from(fill.flushed && !self.lost);
                self.each(|env, state| state.fill(env, &fill).map(|state| vec![state]))
            }
            Happening::ReplayAborted => self.each(|_, state| Ok(vec![State { tag: None, ..state }])),
            Happening::PageFault { write, abort, addr } => {
                let count = u64::from(!self.lost);
                (self.coverage.traps, self.coverage.undone) =
                    (self.coverage.traps + count, self.coverage.undone + count * u64::from(abort));
                self.take_effect()?;
                self.each(|env, state| state.raised(env, write, abort, addr))
            }
            Happening::PageFaultTaken => self.each(|_, mut state| {
                state.pending = state.pending.map(|_| true);
                Ok(vec![state])
            }),
            Happening::Interrupt => {
                self.coverage.interrupts += u64::from(!self.lost);
                self.each(|env, state| state.interrupted(env).map(|state| vec![state]))
            }
            _ => Ok(()),
        }
    }

    fn retired(&mut self, instruction: &Instruction) -> Result<(), String> {
        self.coverage.instructions += u64::from(!self.lost && self.env.ring3);
        self.each(|env, state| count::retire(env, state, instruction))
    }

    /// Leads every state to its successors, and fails if none is left.
    pub(super) fn each(&mut self, step: impl Fn(&Env, State) -> Result<Vec<State>, String>) -> Result<(), String> {
        if self.lost {
            return Ok(());
        }
        let mut refused = String::new();
        let mut next = Vec::new();
        let mut seen = HashSet::new();
        for state in self.states.drain(..) {
            match step(&self.env, state) {
                Ok(states) => next.extend(states.into_iter().filter(|state| seen.insert(state.clone()))),
                Err(text) => refused = text,
            }
        }
        self.states = next;
        self.coverage.widest = self.coverage.widest.max(self.states.len() as u64);
        if self.states.is_empty() {
            return Err(refused);
        }
        if self.states.len() > WIDEST {
            self.lose("too many states are possible");
        } else if let Some(why) = self.states.iter().find_map(|state| state.lost) {
            self.lose(why);
        }
        Ok(())
    }

    pub(super) fn lose(&mut self, why: &'static str) {
        if !self.lost {
            self.lost = true;
            self.coverage.lost += 1;
            self.coverage.why_lost = Some(why);
            self.states = vec![State::default()];
        }
    }

    /// Adds the states after steps that leave no trace at the ports: a record is finished, a load is complete.
    pub(super) fn settle(&mut self) {
        if self.lost || !self.env.ring3 || self.env.awaited {
            return;
        }
        settle(&self.env, &mut self.states);
    }

    fn granted(&mut self, access: &Access) -> Result<(), String> {
        if self.lost {
            return Ok(());
        }
        well_formed(access)?;
        let first = |state: &State| (state.head, state.queue.first().cloned(), state.progress.bytes == 0);
        let firsts: HashSet<_> = self.states.iter().map(first).collect();
        let resumed = self.states.iter().any(|state| state.pending == Some(true));
        self.each(|env, state| state.granted(env, access).map(|state| vec![state]))?;
        let starts =
            |state: &State| state.progress.bytes != 0 && state.progress.bytes.count_ones() == access.be.count_ones();
        if !access.err && access.cmd == MemCmd::Write && self.states.iter().all(starts) {
            self.coverage.exact += u64::from(firsts.len() == 1);
            self.coverage.bounded += u64::from(firsts.len() > 1);
            self.coverage.resumed += u64::from(resumed);
        }
        self.coverage.missed += u64::from(self.counts_missed(access));
        Ok(())
    }

    fn counts_missed(&self, access: &Access) -> bool {
        let at = |state: &State| state.lwpcb != 0 && access.addr == state.lwpcb + 24;
        access.cmd == MemCmd::Write && !access.err && self.states.iter().any(at)
    }

    fn look(&mut self, look: &Look) -> Result<(), String> {
        let env = &mut self.env;
        (env.now, env.irq, env.pf, env.drain) = (look.time, look.irq, look.pf, look.drain);
        if self.lost {
            env.msr0 = look.msr0;
            return Ok(());
        }
        if !look.operating && look.msr0 != env.msr0 {
            return Err(format!("LWPMSR0 is shown as {:#x}, expected {:#x}", look.msr0, env.msr0));
        }
        if look.busy || look.operating || look.pf || !look.ring3 || !look.steady {
            self.restless = look.time;
        }
        self.take_effect()?;
        self.settle();
        self.count_deferred();
        self.each(|env, state| state.interrupts_due(env).map(|state| vec![state]))?;
        if look.time - self.restless > SLACK {
            self.each(|env, state| state.rests(env).map(|()| vec![state]))?;
        }
        if self.env.straps.address_policy == AddressPolicy::NextLoad && look.steady && !look.operating {
            let look = *look;
            self.each(|env, state| tracks(env, &state, &look).map(|()| vec![state]))?;
        }
        Ok(())
    }

    fn count_deferred(&mut self) {
        let waits = |state: &State| matches!(state.phase, Phase::Deferred(_));
        if self.states.iter().all(waits) {
            self.deferred = true;
        } else if self.deferred && self.states.iter().any(State::active) {
            self.deferred = false;
            self.coverage.deferred += 1;
        } else if !self.states.iter().any(waits) {
            self.deferred = false;
        }
    }
}

/// Adds every state that is reached by steps that cannot be seen.
pub(super) fn settle(env: &Env, states: &mut Vec<State>) {
    let mut seen: HashSet<State> = states.iter().cloned().collect();
    let mut at = 0;
    while at < states.len() && states.len() <= WIDEST {
        let state = &states[at];
        at += 1;
        if state.failing.is_some() {
            continue;
        }
        let mut next = state.finish(env).unwrap_or_default();
        if matches!(state.phase, Phase::Deferred(_)) {
            next.extend(state.commit(env));
        }
        states.extend(next.into_iter().filter(|state| seen.insert(state.clone())));
    }
}

/// Checks the tracking of addresses: with the next load, they are kept from the counter's zero until counting resumes.
fn tracks(env: &Env, state: &State, look: &Look) -> Result<(), String> {
    let zero = state.live(env, MISSES) && !matches!(state.counters[MISSES], Counter::Counting(..));
    if look.track && !look.ring3 && env.straps.address_gate {
        return Err("addresses are tracked outside ring 3".into());
    }
    if zero && !look.track && look.ring3 {
        return Err("addresses are not tracked, but the counter of misses is at zero".into());
    }
    Ok(())
}
