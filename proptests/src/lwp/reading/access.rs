//! Accesses that the unit makes on its own, in ring 3: stores, and the rest of an initialisation.

use super::bytes::{Loaded, Session};
use super::env::{EVENTS, Env, FIELD26, Record};
use super::happening::Access;
use super::state::{Counter, Deferred, PageFault, Phase, Purpose, State};
use lwp_model::lwp::{FaultPolicy, MemCmd};
use std::rc::Rc;

impl State {
    /// Returns the state after an access is granted. The access takes effect now, unless its response will be a page
    /// fault.
    pub(super) fn granted(&self, env: &Env, access: &Access) -> Result<Self, String> {
        if self.failing.is_some() {
            return Err("an access while another one fails".into());
        }
        let (purpose, state) = match &self.phase {
            Phase::Off => Err(format!("LWP is not active, but the unit accesses memory: {access:x?}")),
            Phase::Deferred(deferred) => self.load_access(env, deferred, access),
            Phase::Active => self.store_access(env, access),
        }?;
        if !access.err {
            return Ok(state);
        }
        let mut state = self.clone();
        let write = access.cmd != MemCmd::Read;
        let abort = env.straps.fault_policy == FaultPolicy::Fault && purpose != Purpose::Load && self.before.is_some();
        state.failing = Some((purpose, PageFault { addr: access.first_byte(), write, abort, optional: false }));
        Ok(state)
    }

    fn load_access(&self, env: &Env, deferred: &Deferred, access: &Access) -> Result<(Purpose, Self), String> {
        let offset = access.addr.wrapping_sub(self.lwpcb);
        if offset >= env.block_size() || deferred.flags_written {
            return Err(format!("an initialisation makes no such access: {access:x?}"));
        }
        let mut state = self.clone();
        let Phase::Deferred(own) = &mut state.phase else { unreachable!("a clone") };
        match access.cmd {
            MemCmd::Read => own.bytes.read(offset, access.be, access.rdata),
            MemCmd::Probe => {}
            MemCmd::Write => {
                if offset != 0 || access.be != 0x0F {
                    return Err(format!("an initialisation writes Flags alone, not {access:x?}"));
                }
                let flags = match (deferred.restored.is_some(), self.loaded(env)?) {
                    (false, loaded) => flags_word(env, loaded.as_ref().map(|loaded| &loaded.session)),
                    (true, None) => 0,
                    (true, Some(_)) => deferred.bytes.flags()?,
                };
                if access.wdata != u64::from(flags) {
                    return Err(format!("Flags {:#x} are written, expected {flags:#x}", access.wdata));
                }
                own.flags_written = true;
            }
        }
        Ok((Purpose::Load, state))
    }

    /// Decodes the bytes that have been read.
    fn loaded(&self, env: &Env) -> Result<Option<Loaded>, String> {
        let Phase::Deferred(deferred) = &self.phase else {
            return Err("nothing is being loaded".into());
        };
        match deferred.restored {
            None => deferred.bytes.decode(env, env.msr0 & 0xE, None),
            // "Flags in memory says which events the session collects."
            Some(words) => {
                let available = env.writable() as u32 & 0xE;
                deferred.bytes.decode(env, deferred.bytes.flags()? & available, Some(words[1] as u32 & 0x0FFF_FFE0))
            }
        }
    }

    /// Returns the state after the initialisation or the reload is complete.
    pub(super) fn commit(&self, env: &Env) -> Result<Self, String> {
        let loaded = self.loaded(env)?;
        let Phase::Deferred(Deferred { restored, flags_written, .. }) = &self.phase else {
            return Err("nothing is being loaded".into());
        };
        let mut state = self.clone();
        let Some(loaded) = loaded else {
            if restored.is_none() && !flags_written {
                return Err("Flags have not been written".into());
            }
            state.stop();
            return Ok(state);
        };
        match restored {
            None if !flags_written => return Err("Flags have not been written".into()),
            None => state.start(loaded),
            Some(words) => state.resume(env, loaded, words),
        }
        Ok(state)
    }

    fn resume(&mut self, env: &Env, loaded: Loaded, words: &[u64; 7]) {
        let counters = [words[2] as u32, (words[2] >> 32) as u32, words[3] as u32];
        self.start(loaded);
        self.head_word = None;
        self.owed = (words[1] >> 48) as u32;
        for (counter, value) in self.counters.iter_mut().zip(counters) {
            *counter = Counter::from(value & FIELD26);
        }
        let event = words[4] & 0xFF;
        if env.straps.keeps_record() && event != 0 {
            let Some(record) = restored_record(env, words) else {
                self.lost = Some("a record is restored that no unit saved");
                return;
            };
            if self.counters[record.event] != Counter::Waiting || self.session.flags >> event & 1 == 0 {
                self.lost = Some("a record is restored whose event is not at zero");
            }
            self.counters[record.event] = Counter::Recorded;
            self.queue.push(record);
            self.pending = (words[1] >> 33 & 1 == 1).then_some(true);
        }
    }

    /// Returns the states after the access that was granted last has received a page fault.
    pub(super) fn failed(mut self, env: &Env) -> Vec<Self> {
        let Some((purpose, fault)) = self.failing.take() else {
            return vec![self];
        };
        let abort = fault.abort;
        self.fault = Some(fault);
        if purpose == Purpose::Load {
            if let Phase::Deferred(deferred) = &mut self.phase {
                deferred.bytes = super::bytes::Bytes::default();
            }
            return vec![self];
        }
        if abort {
            // Nothing changes before the fault is raised and the instruction is undone.
            return vec![self];
        }
        let mut states = self.unstored(env, purpose);
        states.extend(super::report::looked(env, &states));
        states
    }

    /// Returns the states after a store has failed whose instruction has retired.
    fn unstored(mut self, env: &Env, purpose: Purpose) -> Vec<Self> {
        if purpose == Purpose::Missed && !self.progress.missed {
            // The missed event is older and its counter is already reset; it is still owed.
            self.missed_read = None;
            return vec![self];
        }
        let policy = if self.queue.is_empty() { FaultPolicy::TrapPending } else { env.straps.fault_policy };
        match policy {
            FaultPolicy::Trap => self.trapped(env, purpose),
            FaultPolicy::TrapPending => {
                self.pending = (!self.queue.is_empty()).then_some(false);
                vec![self]
            }
            FaultPolicy::Fault => {
                let mut kept = self.clone();
                kept.pending = Some(false);
                self.drop_records(0);
                vec![kept, self]
            }
            FaultPolicy::Nonpaged => {
                self.lost = Some("a page fault although nothing is paged");
                vec![self]
            }
        }
    }

    /// Returns the states after a trap: "Retire the current instruction but avoid updating LWP internal state."
    fn trapped(self, env: &Env, purpose: Purpose) -> Vec<Self> {
        if self.progress.published {
            return self.publish_only(env).unwrap_or_default();
        }
        let mut states = Vec::new();
        if purpose == Purpose::Missed {
            // The event has already been counted as missed; only the block does not include it yet.
            states.extend(self.finish(env).unwrap_or_default());
        }
        let mut dropped = self.clone();
        let rest = dropped.queue.len() > 1;
        if dropped.progress.missed && dropped.owed > 0 {
            dropped.owed -= 1;
        }
        dropped.missed_read = None;
        dropped.pop(Counter::Waiting);
        if rest {
            let mut alone = dropped.clone();
            alone.drop_records(0);
            states.push(alone);
        }
        states.push(dropped);
        states
    }

    /// Returns every event that the session collects.
    pub(super) fn collected(&self) -> impl Iterator<Item = usize> {
        let flags = self.session.flags;
        (0..EVENTS).filter(move |event| flags >> (event + 1) & 1 == 1)
    }

    /// Replaces the session by one from a block that has just been read.
    pub(super) fn replace(&mut self, lwpcb: u64, loaded: Option<Loaded>) {
        self.stop();
        if let Some(loaded) = loaded {
            self.lwpcb = lwpcb;
            self.session = Rc::default();
            self.start(loaded);
        }
    }
}

/// Returns the Flags that the unit writes (Figure 6).
pub(super) fn flags_word(env: &Env, session: Option<&Session>) -> u32 {
    session.map_or(0, |session| session.flags | 1 | env.msr0 & 1 << 31)
}

/// Decodes the record in the words of a context; `None` if no unit could have saved it.
fn restored_record(env: &Env, words: &[u64; 7]) -> Option<Record> {
    let first = words[4];
    let legal: u64 = match first & 0xFF {
        1 => 0xFF,
        2 => 0xE000_00FF,
        3 => 0xF000_00FF | ((1 << env.bits) - 1) << 32,
        _ => return None,
    };
    let event = (first & 0xFF) as usize - 1;
    let core = u64::from(env.straps.core_id) << 8;
    let addressless = event == 0 || event == 2 && first >> 28 & 1 == 0;
    (first & !legal == 0 && (!addressless || words[6] == 0)).then(|| Record {
        event,
        words: [first | core, words[5], words[6]],
        open: 0,
    })
}
