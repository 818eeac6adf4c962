//! Operations: "LWPMSRs" and "LWP Control Instructions".
//!
//! An operation is checked when its result is valid, against all accesses since it was accepted: first those that
//! complete what was in progress before, then its own.

use super::access::flags_word;
use super::bytes::Bytes;
use super::env::Env;
use super::happening::{Access, Answer, Operation};
use super::state::{Phase, State};
use lwp_model::lwp::{CtlOp, Fault, FlushOutside, MemCmd, Misaligned, OpMode};

/// An operation with its result.
#[derive(Debug)]
pub(super) struct Finished<'a> {
    pub(super) op: Operation,
    pub(super) answer: Answer,
    /// The operation's own accesses.
    pub(super) accesses: &'a [Access],
}

/// The extent to which an operation was carried out.
pub(super) enum Outcome {
    Complete(State, u64),
    /// A page fault of this access.
    Failed(State, Access),
}

/// Returns the faults with which an operation may end before it does anything: one, or several where the text leaves it
/// open.
pub(super) fn refusal(env: &Env, op: &Operation) -> &'static [Fault] {
    use Fault::{GeneralProtection, InvalidOpcode, None};
    let straps = &env.straps;
    let protected = match op.mode.op_mode {
        OpMode::Real => false,
        OpMode::Virtual8086 => straps.v86,
        OpMode::Protected | OpMode::Compatibility | OpMode::Long64 => true,
    };
    let on = straps.present && env.msr0 & 1 == 1;
    let crooked = straps.misaligned == Misaligned::Fault && pointer(env, op) & 15 != 0;
    // RDMSR and WRMSR belong to CPL 0, and LWPMSR1 "performs the operations" of instructions that require protected
    // mode. The text does not define whether the unit or the core checks this.
    let privileged = op.mode.cpl == 0;
    match op.ctl.op {
        CtlOp::Llwpcb | CtlOp::Slwpcb if !on || !protected => &[InvalidOpcode],
        CtlOp::ReadMsr0 | CtlOp::WriteMsr0 if !straps.present => &[GeneralProtection],
        CtlOp::WriteMsr0 if op.ctl.wdata & !env.writable() != 0 => &[GeneralProtection],
        CtlOp::ReadMsr1 | CtlOp::WriteMsr1 if !on => &[GeneralProtection],
        CtlOp::Llwpcb | CtlOp::WriteMsr1 if crooked => &[GeneralProtection],
        CtlOp::ReadMsr1 | CtlOp::WriteMsr1 if !protected || !privileged => &[None, GeneralProtection],
        CtlOp::ReadMsr0 | CtlOp::WriteMsr0 if !privileged => &[None, GeneralProtection],
        CtlOp::Save | CtlOp::Restore if !straps.present => &[None, InvalidOpcode, GeneralProtection],
        // "If executed at ring 3 the remaining state gets restored": the words of a thread are not for CPL 0 alone.
        CtlOp::Save | CtlOp::Restore if op.ctl.word >= 8 && !privileged => &[None, GeneralProtection],
        CtlOp::Llwpcb
        | CtlOp::Slwpcb
        | CtlOp::ReadMsr0
        | CtlOp::WriteMsr0
        | CtlOp::ReadMsr1
        | CtlOp::WriteMsr1
        | CtlOp::Save
        | CtlOp::Restore => &[None],
        _ => &[InvalidOpcode],
    }
}

/// Returns the linear address that LLWPCB or a write of LWPMSR1 gives; 0 is tested before the base is added.
pub(super) fn pointer(env: &Env, op: &Operation) -> u64 {
    let mask = if env.straps.misaligned == Misaligned::Truncate { !15 } else { !0 };
    if op.ctl.op == CtlOp::WriteMsr1 {
        return op.ctl.wdata & mask;
    }
    match op.mode.linear(op.ctl.wdata) {
        0 => 0,
        offset => op.mode.linear(offset.wrapping_add(op.ctl.ds_base)) & mask,
    }
}

impl State {
    /// Checks an operation whose background work is complete.
    pub(super) fn operate(&self, env: &Env, done: &Finished<'_>) -> Result<Vec<Self>, String> {
        let refusal = refusal(env, &done.op);
        let fault = done.answer.fault;
        if refusal[0] != Fault::None || refusal.len() > 1 && fault != Fault::None {
            if !refusal.contains(&fault) {
                return Err(format!("fault {fault:?}, expected {:?}", refusal[0]));
            }
            return if done.accesses.is_empty() {
                Ok(vec![self.clone()])
            } else {
                Err(format!("an operation with {fault:?} accesses memory"))
            };
        }
        match done.op.ctl.op {
            CtlOp::Save | CtlOp::Restore if !done.accesses.is_empty() => {
                Err("save and restore touch no memory, but there is an access".into())
            }
            CtlOp::Save | CtlOp::Restore if fault != Fault::None => Err(format!("{fault:?} without reason")),
            CtlOp::Save => self.save(env, done.op.ctl.word, done.answer.rdata),
            CtlOp::Restore => self.restore(env, done.op.ctl.word, done.op.ctl.wdata),
            CtlOp::ReadMsr0 => self.simple(done, env.msr0.into()),
            CtlOp::WriteMsr0 => self.simple(done, done.answer.rdata),
            _ => {
                let outcomes = match done.op.ctl.op {
                    CtlOp::Llwpcb | CtlOp::WriteMsr1 => self.load(env, done)?,
                    _ => vec![self.store(env, done)?],
                };
                outcomes.into_iter().map(|outcome| check_answer(outcome, &done.answer)).collect()
            }
        }
    }

    fn simple(&self, done: &Finished<'_>, rdata: u64) -> Result<Vec<Self>, String> {
        if !done.accesses.is_empty() {
            return Err("LWPMSR0 has nothing to do with memory, but there is an access".into());
        }
        check_answer(Outcome::Complete(self.clone(), rdata), &done.answer).map(|state| vec![state])
    }

    /// Returns the pointer as software sees it.
    fn shown(&self, op: &Operation) -> u64 {
        match (self.lwpcb, op.ctl.op) {
            (0, _) => 0,
            (lwpcb, CtlOp::ReadMsr1 | CtlOp::WriteMsr1) => lwpcb,
            (lwpcb, _) => op.mode.linear(lwpcb.wrapping_sub(op.ctl.ds_base)),
        }
    }

    /// Whether this operation writes the state of the running session to its block.
    fn flushes(&self, env: &Env, op: &Operation) -> bool {
        self.active() && (op.mode.ring3() || env.straps.flush_outside == FlushOutside::Sync)
    }

    /// Checks SLWPCB and RDMSR LWPMSR1.
    fn store(&self, env: &Env, done: &Finished<'_>) -> Result<Outcome, String> {
        let mut state = self.clone();
        let mut at = 0;
        if self.flushes(env, &done.op)
            && let Some(failed) = state.flush(env, done.accesses, &mut at)?
        {
            return Ok(Outcome::Failed(state, failed));
        }
        match done.accesses.get(at) {
            Some(access) => Err(format!("an access that is not part of the flush: {access:x?}")),
            None => Ok(Outcome::Complete(state, self.shown(&done.op))),
        }
    }

    /// Checks LLWPCB and WRMSR LWPMSR1: probe, flush, load, Flags, commit.
    fn load(&self, env: &Env, done: &Finished<'_>) -> Result<Vec<Outcome>, String> {
        let pointer = pointer(env, &done.op);
        // A WRMSR returns nothing.
        let shown = if done.op.ctl.op == CtlOp::WriteMsr1 { done.answer.rdata } else { self.shown(&done.op) };
        let mut state = self.clone();
        state.tag = None;
        let mut at = 0;
        let fresh = pointer != 0 && done.op.mode.ring3();
        if fresh && let Some(failed) = probes(env, pointer, done.accesses, &mut at)? {
            return Ok(vec![Outcome::Failed(state, failed)]);
        }
        if self.flushes(env, &done.op)
            && let Some(failed) = state.flush(env, done.accesses, &mut at)?
        {
            return Ok(vec![Outcome::Failed(state, failed)]);
        }
        if !fresh {
            if let Some(access) = done.accesses.get(at) {
                return Err(format!("an access that is not part of the flush: {access:x?}"));
            }
            state.stop();
            state.lwpcb = pointer;
            state.phase = if pointer == 0 { Phase::Off } else { Phase::Deferred(Default::default()) };
            if pointer == 0 && done.op.mode.linear(done.op.ctl.wdata) != 0 {
                state.lost = Some("a block at address 0");
            }
            return Ok(vec![Outcome::Complete(state, shown)]);
        }
        initialise(env, state, pointer, &done.accesses[at..]).map(|outcome| match outcome {
            Outcome::Complete(state, _) => vec![Outcome::Complete(state, shown)],
            Outcome::Failed(state, access) => {
                let mut outcomes = Vec::new();
                if env.disputed.reload_after_fault && state.active() {
                    let mut again = state.clone();
                    again.stop();
                    (again.lwpcb, again.phase) = (state.lwpcb, Phase::Deferred(Default::default()));
                    outcomes.push(Outcome::Failed(again, access));
                }
                outcomes.push(Outcome::Failed(state, access));
                outcomes
            }
        })
    }
}

impl State {
    /// Checks the accesses after a load that failed. The old session stays; its constant fields, and the tail, may be
    /// read again from its block.
    fn read_again(&mut self, env: &Env, accesses: &[Access]) -> Result<(), String> {
        let mut bytes = Bytes::default();
        for access in accesses {
            let offset = access.addr.wrapping_sub(self.lwpcb);
            if !self.active() || access.cmd != MemCmd::Read || offset >= env.block_size() {
                return Err(format!("an access after one that failed: {access:x?}"));
            }
            if !access.err {
                bytes.read(offset, access.be, access.rdata);
            }
        }
        if accesses.last().is_some_and(|access| access.err) {
            // The page of the old block is also missing. What is known of the session is in that block, and is read
            // when ring 3 is next entered.
            let lwpcb = self.lwpcb;
            self.stop();
            (self.lwpcb, self.phase) = (lwpcb, Phase::Deferred(Default::default()));
            return Ok(());
        }
        match bytes.decode(env, self.session.flags, Some(self.head)) {
            Ok(Some(loaded)) if loaded.session == *self.session => self.tail = loaded.tail,
            Ok(_) => self.lost = Some("the block of a session has been changed"),
            Err(_) => {}
        }
        Ok(())
    }
}

fn check_answer(outcome: Outcome, answer: &Answer) -> Result<State, String> {
    match outcome {
        Outcome::Complete(_, _) if answer.fault != Fault::None => Err(format!("{:?} without reason", answer.fault)),
        Outcome::Complete(_, rdata) if answer.rdata != rdata => {
            Err(format!("{:#x} is returned, expected {rdata:#x}", answer.rdata))
        }
        Outcome::Complete(state, _) => Ok(state),
        Outcome::Failed(..) if answer.fault != Fault::PageFault => {
            Err(format!("{:?} after an access that met a page fault", answer.fault))
        }
        Outcome::Failed(_, access) if answer.addr != access.first_byte() => {
            Err(format!("a page fault for {:#x}, but {:#x} failed", answer.addr, access.first_byte()))
        }
        Outcome::Failed(_, access) if answer.write != (access.cmd != MemCmd::Read) => {
            Err(format!("a page fault with write = {}, but {:?} failed", answer.write, access.cmd))
        }
        Outcome::Failed(state, _) => Ok(state),
    }
}

/// Checks that the new block is probed from end to end before anything is done. Returns the probe that failed, if one
/// did.
fn probes(env: &Env, block: u64, accesses: &[Access], at: &mut usize) -> Result<Option<Access>, String> {
    let mut pages = Vec::new();
    while let Some(access) = accesses.get(*at).filter(|access| access.cmd == MemCmd::Probe) {
        *at += 1;
        if access.addr.wrapping_sub(block) >= env.block_size() {
            return Err(format!("a probe outside the block: {access:x?}"));
        }
        if access.err {
            return last(accesses, *at, access);
        }
        pages.push(access.addr >> 12);
    }
    let end = block.wrapping_add(env.block_size() - 1);
    let whole = pages.contains(&(block >> 12)) && pages.contains(&(end >> 12));
    if whole { Ok(None) } else { Err("the new block was not probed from end to end".into()) }
}

/// Checks that no access follows one that fails.
pub(super) fn last(accesses: &[Access], at: usize, access: &Access) -> Result<Option<Access>, String> {
    match accesses.get(at) {
        None => Ok(Some(*access)),
        Some(next) => Err(format!("an access after one that failed: {next:x?}")),
    }
}

/// Follows the load of a block and the write of its Flags.
fn initialise(env: &Env, mut state: State, block: u64, accesses: &[Access]) -> Result<Outcome, String> {
    let mut bytes = Bytes::default();
    for (at, access) in accesses.iter().enumerate() {
        let offset = access.addr.wrapping_sub(block);
        if offset >= env.block_size() {
            return Err(format!("an access outside the new block: {access:x?}"));
        }
        if access.err {
            state.read_again(env, &accesses[at + 1..])?;
            return Ok(Outcome::Failed(state, *access));
        }
        match access.cmd {
            MemCmd::Read => bytes.read(offset, access.be, access.rdata),
            MemCmd::Write if offset == 0 && access.be == 0x0F && at + 1 == accesses.len() => {
                let loaded = bytes.decode(env, env.msr0 & 0xE, None)?;
                let flags = flags_word(env, loaded.as_ref().map(|loaded| &loaded.session));
                if access.wdata != u64::from(flags) {
                    return Err(format!("Flags {:#x} are written, expected {flags:#x}", access.wdata));
                }
                state.replace(block, loaded);
                return Ok(Outcome::Complete(state, 0));
            }
            MemCmd::Write | MemCmd::Probe => return Err(format!("loading a block makes no such access: {access:x?}")),
        }
    }
    Err("Flags were not written".into())
}

/// Returns the state after a block has been loaded when nothing is known of the state before.
pub(super) fn begun(env: &Env, block: u64, accesses: &[Access]) -> Result<State, String> {
    match initialise(env, State::default(), block, accesses)? {
        Outcome::Complete(state, _) => Ok(state),
        Outcome::Failed(..) => Err("the load failed".into()),
    }
}
