//! The set of possible states, and what each happening does to it.

use super::count;
use super::coverage::Coverage;
use super::env::{Disputed, Env, MISSES, SLACK};
use super::happening::{Access, Answer, Happening, Instruction, Look, Operation};
use super::observe::well_formed;
use super::operation::{Finished, pointer};
use super::world::{Counter, Phase, World};
use lwp_model::lwp::{AddressPolicy, Config, CtlOp, Fault, MemCmd};
use std::collections::HashSet;

/// More possible states than this are as good as none.
const WIDEST: usize = 4096;

/// Judges happenings.
#[derive(Clone, Debug)]
pub(super) struct Checker {
    env: Env,
    worlds: Vec<World>,
    lost: bool,
    /// Since when nothing is under way.
    restless: u64,
    /// The rest of a session's state was still to come.
    deferred: bool,
    coverage: Coverage,
}

impl Checker {
    pub(super) fn new(straps: &Config, slots: usize, bits: u32) -> Self {
        let (straps, msr0, now, touched, found) = (*straps, 0, 0, 0, 0);
        let (ring3, awaited, irq, pf, drain) = (false, false, false, false, false);
        let disputed = Disputed::default();
        let env = Env { disputed, straps, slots, bits, msr0, now, ring3, awaited, touched, found, irq, pf, drain };
        Self { env, worlds: vec![World::default()], lost: false, restless: 0, deferred: false, coverage: Coverage::default() }
    }

    pub(super) fn allow(&mut self, disputed: Disputed) {
        self.env.disputed = disputed;
    }

    pub(super) fn into_coverage(self) -> Coverage {
        self.coverage
    }

    /// Judges one happening, or an operation with everything up to its answer.
    pub(super) fn judge(&mut self, mut batch: Vec<Happening>) -> Result<(), String> {
        if let Some(Happening::Accepted(op)) = batch.first() {
            let op = *op;
            return self.operation(op, batch);
        }
        batch.drain(..).try_for_each(|happening| self.happens(happening))
    }

    fn happens(&mut self, happening: Happening) -> Result<(), String> {
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
                self.each(|env, world| world.leave(env))?;
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
                self.each(|env, world| Ok(world.failed(env)))?;
                self.settle();
            }
            Happening::Loads(instruction) => return self.each(|env, world| count::loads(env, world, &instruction)),
            Happening::Retired(instruction) => return self.retired(&instruction),
            other => return self.request(other),
        }
        Ok(())
    }

    fn request(&mut self, happening: Happening) -> Result<(), String> {
        self.settle();
        match happening {
            Happening::FillArrives => self.each(|env, world| Ok(vec![world.fill_arrives(env)])),
            Happening::Fill(fill) => {
                self.coverage.replays += u64::from(fill.flushed && !self.lost);
                self.each(|env, world| world.fill(env, &fill).map(|world| vec![world]))
            }
            Happening::ReplayAborted => self.each(|_, world| Ok(vec![World { tag: None, ..world }])),
            Happening::PageFault { write, abort, addr } => {
                let count = u64::from(!self.lost);
                (self.coverage.traps, self.coverage.undone) =
                    (self.coverage.traps + count, self.coverage.undone + count * u64::from(abort));
                self.each(|env, world| world.raised(env, write, abort, addr).map(|world| vec![world]))
            }
            Happening::PageFaultTaken => self.each(|_, mut world| {
                world.pending = world.pending.map(|_| true);
                Ok(vec![world])
            }),
            Happening::Interrupt => {
                self.coverage.interrupts += u64::from(!self.lost);
                self.each(|env, world| world.interrupted(env).map(|world| vec![world]))
            }
            _ => Ok(()),
        }
    }

    fn retired(&mut self, instruction: &Instruction) -> Result<(), String> {
        self.coverage.instructions += u64::from(!self.lost && self.env.ring3);
        self.each(|env, world| count::retire(env, world, instruction))
    }

    /// Leads every state to its successors; fails if none is left.
    fn each(&mut self, step: impl Fn(&Env, World) -> Result<Vec<World>, String>) -> Result<(), String> {
        if self.lost {
            return Ok(());
        }
        let mut refused = String::new();
        let mut next = Vec::new();
        let mut seen = HashSet::new();
        for world in self.worlds.drain(..) {
            match step(&self.env, world) {
                Ok(worlds) => next.extend(worlds.into_iter().filter(|world| seen.insert(world.clone()))),
                Err(text) => refused = text,
            }
        }
        self.worlds = next;
        self.coverage.widest = self.coverage.widest.max(self.worlds.len() as u64);
        if self.worlds.is_empty() {
            return Err(refused);
        }
        if self.worlds.len() > WIDEST {
            self.lose("too many states are possible");
        } else if let Some(why) = self.worlds.iter().find_map(|world| world.lost) {
            self.lose(why);
        }
        Ok(())
    }

    fn lose(&mut self, why: &'static str) {
        if !self.lost {
            self.lost = true;
            self.coverage.lost += 1;
            self.coverage.why_lost = Some(why);
            self.worlds = vec![World::default()];
        }
    }

    /// Steps that leave no trace at the ports: a record is finished, a load is complete.
    fn settle(&mut self) {
        if self.lost || !self.env.ring3 || self.env.awaited {
            return;
        }
        settle(&self.env, &mut self.worlds);
    }

    fn granted(&mut self, access: &Access) -> Result<(), String> {
        if self.lost {
            return Ok(());
        }
        well_formed(access)?;
        let firsts: HashSet<_> = self.worlds.iter().map(|world| (world.head, world.queue.first().cloned())).collect();
        let untouched = self.worlds.iter().all(|world| world.progress.bytes == 0);
        let resumed = self.worlds.iter().any(|world| world.pending == Some(true));
        self.each(|env, world| world.granted(env, access).map(|world| vec![world]))?;
        let starts = self.worlds.iter().any(|world| world.progress.bytes != 0);
        if !access.err && untouched && starts {
            self.coverage.exact += u64::from(firsts.len() == 1);
            self.coverage.bounded += u64::from(firsts.len() > 1);
            self.coverage.resumed += u64::from(resumed);
        }
        self.coverage.missed += u64::from(self.counts_missed(access));
        Ok(())
    }

    fn counts_missed(&self, access: &Access) -> bool {
        let at = |world: &World| world.lwpcb != 0 && access.addr == world.lwpcb + 24;
        access.cmd == MemCmd::Write && !access.err && self.worlds.iter().any(at)
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
        self.settle();
        self.count_deferred();
        self.each(|env, world| world.interrupts_due(env).map(|world| vec![world]))?;
        if look.time - self.restless > SLACK {
            self.each(|env, world| world.rests(env).map(|()| vec![world]))?;
        }
        if self.env.straps.address_policy == AddressPolicy::NextLoad && look.steady && !look.operating {
            let look = *look;
            self.each(|env, world| tracks(env, &world, &look).map(|()| vec![world]))?;
        }
        Ok(())
    }

    fn count_deferred(&mut self) {
        let waits = |world: &World| matches!(world.phase, Phase::Deferred(_));
        if self.worlds.iter().all(waits) {
            self.deferred = true;
        } else if self.deferred && self.worlds.iter().any(World::active) {
            self.deferred = false;
            self.coverage.deferred += 1;
        } else if !self.worlds.iter().any(waits) {
            self.deferred = false;
        }
    }

    /// An operation is judged with everything that happened until its answer.
    fn operation(&mut self, op: Operation, batch: Vec<Happening>) -> Result<(), String> {
        let mut accesses = Vec::new();
        let mut others = Vec::new();
        let mut answer = None;
        for happening in batch.into_iter().skip(1) {
            match happening {
                Happening::Granted(access) => accesses.push(access),
                Happening::Done(done) => answer = Some(done),
                Happening::Answered if self.env.awaited && accesses.is_empty() => {
                    // That of an access from before the operation.
                    self.env.awaited = false;
                    self.each(|env, world| Ok(waiting(env, world)))?;
                }
                Happening::Answered => {}
                Happening::Cycle(look) => {
                    self.env.now = look.time;
                    others.push(Happening::Cycle(Look { operating: true, ..look }));
                }
                other => others.push(other),
            }
        }
        let Some(answer) = answer else { return Ok(()) };
        if let Some(Happening::Broken(why)) = others.iter().find(|happening| matches!(happening, Happening::Broken(_))) {
            self.lose(why);
        }
        if self.lost {
            self.find_again(&op, &answer, &accesses);
        } else {
            self.judge_operation(&op, &answer, &accesses)?;
        }
        others.into_iter().try_for_each(|happening| self.happens(happening))
    }

    fn judge_operation(&mut self, op: &Operation, answer: &Answer, accesses: &[Access]) -> Result<(), String> {
        accesses.iter().try_for_each(well_formed)?;
        let was = self.env.msr0;
        let mut results = Vec::new();
        let mut refused = String::from("the accesses of the operation fit nowhere");
        self.env.awaited = false;
        settle(&self.env, &mut self.worlds);
        let mut background = core::mem::take(&mut self.worlds);
        for at in 0..=accesses.len() {
            let own = Finished { op: *op, answer: *answer, accesses: &accesses[at..] };
            for world in &background {
                match waited(world, op, answer).and_then(|()| world.operate(&self.env, &own)) {
                    Ok(worlds) => results.extend(worlds),
                    Err(text) if at == 0 || !background.is_empty() => refused = text,
                    Err(_) => {}
                }
            }
            let Some(access) = accesses.get(at).filter(|_| op.mode.ring3()) else { break };
            background = background.iter().filter_map(|world| world.granted(&self.env, access).ok()).collect();
            background = background.into_iter().flat_map(|world| waiting(&self.env, world)).collect();
            settle(&self.env, &mut background);
        }
        self.count_operation(op, answer, accesses);
        if op.ctl.op == CtlOp::WriteMsr0 && answer.fault == Fault::None {
            self.env.msr0 = op.ctl.wdata as u32;
        } else if op.ctl.op == CtlOp::Restore && op.ctl.word == 8 && answer.fault == Fault::None {
            self.env.msr0 = (op.ctl.wdata & self.env.writable()) as u32;
        }
        let env = &self.env;
        self.worlds = results.into_iter().flat_map(|world| world.enabled(env, was)).collect();
        if self.worlds.is_empty() {
            return Err(format!("{:?}: {refused}", op.ctl.op));
        }
        self.each(|_, world| Ok(vec![world]))
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

    /// After the state was lost a new session begins a new reading.
    fn find_again(&mut self, op: &Operation, answer: &Answer, accesses: &[Access]) {
        if answer.fault != Fault::None {
            return;
        }
        let block = pointer(&self.env, op);
        match op.ctl.op {
            CtlOp::WriteMsr0 => self.env.msr0 = op.ctl.wdata as u32,
            CtlOp::Llwpcb | CtlOp::WriteMsr1 if block == 0 => self.worlds = vec![World::default()],
            CtlOp::Llwpcb | CtlOp::WriteMsr1 if !op.mode.ring3() => {
                self.worlds = vec![World { lwpcb: block, phase: Phase::Deferred(Default::default()), ..World::default() }];
            }
            CtlOp::Llwpcb | CtlOp::WriteMsr1 => {
                // The load is what stands behind the last access that is none of its own.
                let mine = |access: &&Access| access.cmd != MemCmd::Probe && access.addr.wrapping_sub(block) < 256;
                let own: Vec<Access> = accesses.iter().filter(mine).copied().collect();
                let start = own.iter().rposition(|access| access.cmd == MemCmd::Write && access.be != 0x0F);
                let from = start.map_or(0, |at| at + 1);
                let Ok(world) = super::operation::begun(&self.env, block, &own[from..]) else { return };
                self.worlds = vec![world];
            }
            _ => return,
        }
        if matches!(op.ctl.op, CtlOp::Llwpcb | CtlOp::WriteMsr1) {
            self.lost = false;
            self.env.found = self.env.now;
        }
    }
}

/// Adds every state to which unseen steps lead.
fn settle(env: &Env, worlds: &mut Vec<World>) {
    let mut seen: HashSet<World> = worlds.iter().cloned().collect();
    let mut at = 0;
    while at < worlds.len() && worlds.len() <= WIDEST {
        let world = &worlds[at];
        at += 1;
        if world.failing.is_some() {
            continue;
        }
        let mut next = world.finish(env).unwrap_or_default();
        if matches!(world.phase, Phase::Deferred(_)) {
            next.extend(world.commit(env));
        }
        worlds.extend(next.into_iter().filter(|world| seen.insert(world.clone())));
    }
}

/// An access is answered while an operation waits. Where it fails, the record may also be dropped: an operation acts "after
/// any pending store of the session has completed or been dropped".
fn waiting(env: &Env, world: World) -> Vec<World> {
    let fails = world.failing.is_some();
    let mut worlds = world.failed(env);
    if fails {
        let dropped = worlds.iter().filter(|world| world.pending.is_some()).cloned();
        let dropped: Vec<World> = dropped
            .map(|mut world| {
                world.drop_records(0);
                world
            })
            .collect();
        worlds.extend(dropped);
    }
    worlds
}

/// LLWPCB and SLWPCB act after a store that is on its way.
fn waited(world: &World, op: &Operation, answer: &Answer) -> Result<(), String> {
    let acts = matches!(op.ctl.op, CtlOp::Llwpcb | CtlOp::Slwpcb | CtlOp::ReadMsr1 | CtlOp::WriteMsr1);
    let refused = matches!(answer.fault, Fault::InvalidOpcode | Fault::GeneralProtection);
    if acts && !refused && op.mode.ring3() && !world.queue.is_empty() && world.pending.is_none() {
        return Err("the operation does not wait for the record that is on its way".into());
    }
    Ok(())
}

/// With the next load, addresses are kept from the counter's zero on until counting resumes.
fn tracks(env: &Env, world: &World, look: &Look) -> Result<(), String> {
    let zero = world.live(env, MISSES) && !matches!(world.counters[MISSES], Counter::Counting(..));
    if look.track && !look.ring3 && env.straps.address_gate {
        return Err("addresses are tracked outside ring 3".into());
    }
    if zero && !look.track && look.ring3 {
        return Err("addresses are not tracked, but the counter of misses is at zero".into());
    }
    Ok(())
}
