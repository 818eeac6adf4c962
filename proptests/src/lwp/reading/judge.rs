//! Checks of operations: what was in progress when they were accepted, their own accesses, and their result.

use super::checker::{Checker, settle};
use super::env::Env;
use super::happening::{Access, Answer, Happening, Look, Operation};
use super::observe::well_formed;
use super::operation::{Finished, pointer};
use super::state::{Phase, State};
use lwp_model::lwp::{CtlOp, Fault, MemCmd};

impl Checker {
    /// Checks an operation together with everything that happened until its result.
    pub(super) fn operation(&mut self, op: Operation, batch: Vec<Happening>) -> Result<(), String> {
        let mut accesses = Vec::new();
        let mut others = Vec::new();
        let (mut answer, mut open) = (None, self.env.awaited);
        for happening in batch.into_iter().skip(1) {
            match happening {
                Happening::Granted(access) => {
                    accesses.push(access);
                    open = true;
                }
                Happening::Done(done) => answer = Some(done),
                Happening::Answered if self.env.awaited && accesses.is_empty() => {
                    // This is the response to an access that was granted before the operation.
                    (self.env.awaited, open) = (false, false);
                    self.each(|env, state| Ok(waiting(env, state)))?;
                }
                Happening::Answered => open = false,
                Happening::Cycle(look) => {
                    self.env.now = look.time;
                    others.push(Happening::Cycle(Look { operating: true, ..look }));
                }
                other => others.push(other),
            }
        }
        let Some(answer) = answer else { return Ok(()) };
        if let Some(Happening::Broken(why)) = others.iter().find(|happening| matches!(happening, Happening::Broken(_)))
        {
            self.lose(why);
        }
        if self.lost {
            self.find_again(&op, &answer, &accesses);
        } else {
            self.judge_operation(&op, &answer, &accesses, open)?;
            (self.env.awaited, self.env.operated) = (open, open);
        }
        others.into_iter().try_for_each(|happening| self.happens(happening))
    }

    fn judge_operation(
        &mut self,
        op: &Operation,
        answer: &Answer,
        accesses: &[Access],
        open: bool,
    ) -> Result<(), String> {
        accesses.iter().try_for_each(well_formed)?;
        let mut results = Vec::new();
        let mut refused = String::from("the accesses of the operation fit nowhere");
        self.env.awaited = open && accesses.is_empty();
        if !self.env.awaited {
            self.each(|env, state| Ok(waiting(env, state)))?;
        }
        if self.lost {
            self.find_again(op, answer, accesses);
            return Ok(());
        }
        self.settle();
        let mut background = core::mem::take(&mut self.states);
        // LWP-LLW-26, LWP-SLW-09: one that faults has no effect.
        if acts(op) && !op.mode.ring3() && answer.fault == Fault::None {
            background = background.into_iter().flat_map(without_records).collect();
        }
        for at in 0..=accesses.len() {
            let own = Finished { op: *op, answer: *answer, accesses: &accesses[at..] };
            for state in &background {
                match waited(state, op, answer).and_then(|()| state.operate(&self.env, &own)) {
                    Ok(states) => results.extend(states),
                    Err(text) if at == 0 || !background.is_empty() => refused = text,
                    Err(_) => {}
                }
            }
            let Some(access) = accesses.get(at).filter(|_| op.mode.ring3()) else { break };
            background = background.iter().filter_map(|state| state.granted(&self.env, access).ok()).collect();
            // The last access may receive its response after the operation has ended.
            if !open || at + 1 < accesses.len() {
                let may_drop = acts(op) || self.env.disputed.drops_pending_record;
                let answered =
                    |state| if may_drop { waiting(&self.env, state) } else { State::failed(state, &self.env) };
                background = background.into_iter().flat_map(answered).collect();
                settle(&self.env, &mut background);
            }
            if let Some(why) = background.iter().find_map(|state| state.lost) {
                self.lose(why);
                self.find_again(op, answer, accesses);
                return Ok(());
            }
        }
        self.count_operation(op, answer, accesses);
        self.conclude(op, answer, results, &refused)
    }

    /// Computes the states after an operation.
    fn conclude(&mut self, op: &Operation, answer: &Answer, results: Vec<State>, refused: &str) -> Result<(), String> {
        let was = self.env.msr0;
        if op.ctl.op == CtlOp::WriteMsr0 && answer.fault == Fault::None {
            self.env.msr0 = op.ctl.wdata as u32;
        } else if op.ctl.op == CtlOp::Restore && op.ctl.word == 8 && answer.fault == Fault::None {
            self.env.msr0 = (op.ctl.wdata & self.env.writable()) as u32;
        }
        let env = &self.env;
        self.states = results.into_iter().flat_map(|state| state.enabled(env, was)).collect();
        if self.states.is_empty() {
            return Err(format!("{:?}: {refused}", op.ctl.op));
        }
        self.each(|_, state| Ok(vec![state]))
    }

    fn count_operation(&mut self, op: &Operation, answer: &Answer, accesses: &[Access]) {
        let coverage = &mut self.coverage;
        coverage.operations += 1;
        coverage.refused += u64::from(matches!(answer.fault, Fault::InvalidOpcode | Fault::GeneralProtection));
        coverage.faulted += u64::from(answer.fault == Fault::PageFault);
        coverage.saved += u64::from(op.ctl.op == CtlOp::Save);
        coverage.restored += u64::from(op.ctl.op == CtlOp::Restore);
        coverage.flushes += u64::from(accesses.iter().any(|access| access.cmd == MemCmd::Write && access.be == 0xF0));
    }

    /// Starts again from a new session after the state was lost.
    fn find_again(&mut self, op: &Operation, answer: &Answer, accesses: &[Access]) {
        if answer.fault != Fault::None {
            return;
        }
        let block = pointer(&self.env, op);
        match op.ctl.op {
            CtlOp::WriteMsr0 => self.env.msr0 = op.ctl.wdata as u32,
            CtlOp::Llwpcb | CtlOp::WriteMsr1 if block == 0 => self.states = vec![State::default()],
            CtlOp::Llwpcb | CtlOp::WriteMsr1 if !op.mode.ring3() => {
                self.states =
                    vec![State { lwpcb: block, phase: Phase::Deferred(Default::default()), ..State::default() }];
            }
            CtlOp::Llwpcb | CtlOp::WriteMsr1 => {
                // The accesses of the load follow the last access that is not part of the load.
                let mine = |access: &&Access| access.cmd != MemCmd::Probe && access.addr.wrapping_sub(block) < 256;
                let own: Vec<Access> = accesses.iter().filter(mine).copied().collect();
                let start = own.iter().rposition(|access| access.cmd == MemCmd::Write && access.be != 0x0F);
                let from = start.map_or(0, |at| at + 1);
                let Ok(state) = super::operation::begun(&self.env, block, &own[from..]) else { return };
                self.states = vec![state];
            }
            _ => return,
        }
        if matches!(op.ctl.op, CtlOp::Llwpcb | CtlOp::WriteMsr1) {
            self.lost = false;
            self.env.found = Some(self.env.now);
        }
    }
}

/// Returns the states after a response that arrives while an operation waits. If the access fails, the record may also
/// be dropped: an operation acts "after any pending store of the session has completed or been dropped".
pub(super) fn waiting(env: &Env, state: State) -> Vec<State> {
    let fails = state.failing.is_some();
    let mut states = state.failed(env);
    if fails {
        let dropped = states.iter().filter(|state| state.pending.is_some()).cloned();
        let dropped: Vec<State> = dropped
            .map(|mut state| {
                state.drop_records(0);
                state
            })
            .collect();
        states.extend(dropped);
    }
    states
}

/// Checks that LLWPCB and SLWPCB act after a store that is in progress.
fn waited(state: &State, op: &Operation, answer: &Answer) -> Result<(), String> {
    let refused = matches!(answer.fault, Fault::InvalidOpcode | Fault::GeneralProtection);
    if acts(op) && !refused && op.mode.ring3() && !state.queue.is_empty() && state.pending.is_none() {
        return Err("the operation does not wait for the record that is on its way".into());
    }
    Ok(())
}

fn acts(op: &Operation) -> bool {
    matches!(op.ctl.op, CtlOp::Llwpcb | CtlOp::Slwpcb | CtlOp::ReadMsr1 | CtlOp::WriteMsr1)
}

/// Returns the states with and without the records. A record that is held outside ring 3 cannot be completed there, so
/// an operation may drop it.
fn without_records(state: State) -> Vec<State> {
    let mut alone = state.clone();
    alone.drop_records(0);
    if alone == state { vec![state] } else { vec![state, alone] }
}
