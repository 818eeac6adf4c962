//! Checks of what LLWPCB, SLWPCB and LWPMSR1 write to the block of the running session.

use super::access::flags_word;
use super::env::{EVENTS, Env};
use super::happening::Access;
use super::operation::last;
use super::state::State;
use lwp_model::lwp::MemCmd;

impl State {
    /// Follows a flush through the accesses from `at` on, and returns the access that met a page fault, if one did.
    pub(super) fn flush(&mut self, env: &Env, accesses: &[Access], at: &mut usize) -> Result<Option<Access>, String> {
        let mut written = [false; EVENTS];
        let mut head = false;
        while let Some(access) = accesses.get(*at) {
            let offset = access.addr.wrapping_sub(self.lwpcb);
            let mine = match access.cmd {
                MemCmd::Write => !(offset == 0 && access.be == 0x0F),
                MemCmd::Read => offset == 24 && access.be == 0xFF && self.counts_missed(accesses, *at, access),
                MemCmd::Probe => false,
            };
            if !mine || offset >= env.block_size() {
                break;
            }
            self.flushed(access, offset, &mut written, &mut head)?;
            *at += 1;
            if access.err {
                return last(accesses, *at, access);
            }
        }
        self.complete(env, written, head)?;
        Ok(None)
    }

    /// Whether a read of MissedEvents is the first half of its update.
    fn counts_missed(&self, accesses: &[Access], at: usize, access: &Access) -> bool {
        let follows = accesses.get(at + 1).is_some_and(|next| next.cmd == MemCmd::Write && next.addr == access.addr);
        self.owed > 0 && (follows || access.err)
    }

    fn flushed(
        &mut self,
        access: &Access,
        offset: u64,
        written: &mut [bool; EVENTS],
        head: &mut bool,
    ) -> Result<(), String> {
        if access.cmd == MemCmd::Read {
            self.missed_read = (!access.err).then_some(access.rdata);
            return Ok(());
        }
        let event = self.collected().find(|event| 40 + 8 * u64::from(self.session.slot[*event]) == offset);
        match (offset, access.be, event) {
            (16, 0x0F, _) if access.wdata == u64::from(self.head) => {
                if !access.err {
                    (*head, self.head_word) = (true, Some(self.head));
                }
            }
            (24, 0xFF, _) => {
                let sum = self.missed_read.map(|value| value.wrapping_add(self.owed.into()));
                if sum != Some(access.wdata) {
                    return Err(format!("MissedEvents {:#x} is flushed, expected {sum:x?}", access.wdata));
                }
                if !access.err {
                    (self.owed, self.missed_read) = (0, None);
                }
            }
            (_, 0xF0, Some(event)) => {
                let value = (access.wdata >> 32) as u32;
                if !self.counters[event].may_be(value) {
                    let held = self.counters[event];
                    return Err(format!("the counter of event {} is flushed as {value}, expected {held:?}", event + 1));
                }
                if !access.err {
                    self.counters[event] = self.counters[event].seen(value);
                    written[event] = true;
                }
            }
            _ => return Err(format!("a flush writes no such thing (head is {:#x}): {access:x?}", self.head)),
        }
        Ok(())
    }

    fn complete(&self, env: &Env, written: [bool; EVENTS], head: bool) -> Result<(), String> {
        if !head && self.head_word != Some(self.head) {
            return Err(format!("the head {:#x} is not flushed", self.head));
        }
        if self.owed != 0 {
            return Err(format!("{} missed events are not flushed", self.owed));
        }
        match self.collected().find(|event| env.live(&self.session, *event) && !written[*event]) {
            Some(event) => Err(format!(
                "the counter of event {} is not flushed (session {:#x})",
                event + 1,
                flags_word(env, Some(&self.session))
            )),
            None => Ok(()),
        }
    }
}
