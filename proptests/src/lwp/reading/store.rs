//! Store, Report and Reset: "Overview" steps 3 to 5, "LWP Control Block" and "LWPCB Access".

use super::env::{Env, FIELD26, Record, SLACK};
use super::happening::Access;
use super::state::{Counter, Crossing, Purpose, State};
use lwp_model::lwp::{HeadFlush, IntervalSource, MemCmd, MissedMode, TailReread, WriteOnFull};

const ALL_BYTES: u32 = u32::MAX;

/// The decision about the first record.
#[derive(Clone, Copy, Debug)]
struct Decision {
    full: bool,
    head: u32,
    used: u32,
    /// Whether the threshold appears reached.
    reached: bool,
    /// Whether it appeared so before the record. Otherwise the record detects it: "At that point, it must reread the tail pointer."
    stood: bool,
}

impl State {
    fn ahead(&self) -> u32 {
        let head = self.head + 32;
        if head == self.session.size { 0 } else { head }
    }

    fn used(&self, head: u32) -> u32 {
        if head < self.tail { head + self.session.size - self.tail } else { head - self.tail }
    }

    /// Returns the decision as the internal copies of head and tail give it.
    fn appears(&self) -> Decision {
        let head = self.ahead();
        let used = self.used(head);
        let stood = self.used(self.head) >= self.session.threshold;
        Decision { full: head == self.tail, head, used, reached: used >= self.session.threshold, stood }
    }

    /// Decides whether the ring is full, once everything that this needs has been done.
    fn decide(&self, env: &Env) -> Result<Decision, String> {
        let view = self.appears();
        let armed = self.session.threshold != 0 && env.interrupts();
        let every = env.straps.tail_nth.max(1);
        let lazy = env.straps.tail_reread == TailReread::Lazy;
        let must = !lazy || view.full || armed && view.reached && (!view.stood || self.skipped + 1 >= every);
        if must && !self.progress.tail_read {
            return Err("a record is stored without a look at the tail".into());
        }
        let bytes = if view.full && env.straps.write_on_full == WriteOnFull::Skip { 0 } else { ALL_BYTES };
        if self.progress.bytes != bytes {
            return Err(format!("a record is finished with bytes {:#x} written", self.progress.bytes));
        }
        if view.full && !self.progress.missed && env.straps.missed_mode == MissedMode::Memory && self.owed > 0 {
            return Err("a missed event while another one is still to be counted".into());
        }
        Ok(view)
    }

    /// Returns the purpose and the effect of an access while a session is active.
    pub(super) fn store_access(&self, env: &Env, access: &Access) -> Result<(Purpose, Self), String> {
        let Some(record) = self.queue.first() else {
            return match access.addr.wrapping_sub(self.lwpcb) {
                24 => self.missed_access(env, access).map(|state| (Purpose::Missed, state)),
                _ => Err(format!("no record is on its way, but the unit accesses memory: {access:x?}")),
            };
        };
        let slot = u64::from(self.session.slot[record.event]);
        let interval = env.straps.interval_source == IntervalSource::Reread;
        let offset = access.addr.wrapping_sub(self.lwpcb);
        let reads = |be: u8| access.cmd == MemCmd::Read && access.be & be == be;
        let place = self.session.base.wrapping_add(self.head.into());
        if access.cmd == MemCmd::Write && access.addr.wrapping_sub(place) < 32 {
            return self.record_access(record, place, access).map(|state| (Purpose::Record, state));
        }
        match offset {
            16 if reads(0xF0) => self.tail_access(env, access).map(|state| (Purpose::Tail, state)),
            16 if access.cmd == MemCmd::Write && access.be == 0x0F => {
                self.head_access(env, access).map(|state| (Purpose::Head, state))
            }
            24 => self.missed_access(env, access).map(|state| (Purpose::Missed, state)),
            _ if interval && offset == 40 + 8 * slot && reads(0x0F) => {
                let mut state = self.clone();
                state.progress.interval = Some(access.rdata as u32 & FIELD26);
                Ok((Purpose::Interval, state))
            }
            _ => Err(format!("an access that no step of storing {record:x?} at {place:#x} makes: {access:x?}")),
        }
    }

    fn record_access(&self, record: &Record, place: u64, access: &Access) -> Result<Self, String> {
        let offset = access.addr.wrapping_sub(place);
        let word = record.word(offset / 8);
        let open = if offset == 0 { record.open } else { 0 };
        let lanes =
            (0..8).filter(|byte| access.be >> byte & 1 == 1).fold(0, |mask, byte| mask | 0xFF_u64 << (8 * byte));
        if (access.wdata ^ word) & lanes & !open != 0 {
            return Err(format!(
                "bytes {offset}.. of a record are {:#018x}, expected {word:#018x} of {record:x?}",
                access.wdata
            ));
        }
        if self.progress.published {
            return Err("a published record is written again".into());
        }
        let mut state = self.clone();
        state.progress.bytes |= u32::from(access.be) << offset;
        Ok(state)
    }

    fn tail_access(&self, env: &Env, access: &Access) -> Result<Self, String> {
        let view = self.appears();
        let due = view.full || self.session.threshold != 0 && view.reached;
        if env.straps.tail_reread == TailReread::Lazy && !due {
            return Err("the tail is read although neither threshold nor full appear reached".into());
        }
        if self.progress.published {
            return Err("the tail is read after the decision".into());
        }
        let mut state = self.clone();
        let tail = (access.rdata >> 32) as u32 & !31;
        if tail < self.session.size {
            state.tail = tail;
        }
        (state.progress.tail_read, state.progress.old_tail) = (true, Some(self.tail));
        Ok(state)
    }

    fn head_access(&self, env: &Env, access: &Access) -> Result<Self, String> {
        let view = self.decide(env)?;
        let head = if view.full { self.head } else { view.head };
        if access.wdata != u64::from(head) {
            return Err(format!("head {:#x} is written, expected {head:#x}", access.wdata));
        }
        let idle = env.straps.head_flush == HeadFlush::Deferred
            && !view.full
            && self.session.threshold != 0
            && env.interrupts()
            && !view.reached;
        if idle {
            return Err("the head is written although neither threshold nor full are reached".into());
        }
        let mut state = self.clone();
        state.head_word = Some(head);
        state.progress.published = !view.full;
        Ok(state)
    }

    fn missed_access(&self, env: &Env, access: &Access) -> Result<Self, String> {
        if access.be != 0xFF {
            return Err(format!("an access to part of MissedEvents: {access:x?}"));
        }
        let mut state = self.clone();
        match access.cmd {
            MemCmd::Read => {
                if self.owed == 0 && env.straps.missed_mode == MissedMode::Memory {
                    self.count_missed(env, &mut state)?;
                }
                let memory = env.straps.missed_mode == MissedMode::Memory;
                if state.owed == 0 || !memory && state.owed != 0xFFFF {
                    return Err("MissedEvents is read although nothing has been missed".into());
                }
                state.missed_read = Some(access.rdata);
            }
            MemCmd::Write => {
                let Some(value) = self.missed_read else {
                    return Err("MissedEvents is written but was not read".into());
                };
                let sum = value.wrapping_add(self.owed.into());
                if access.wdata != sum {
                    return Err(format!("MissedEvents {:#x} is written, expected {sum:#x}", access.wdata));
                }
                (state.owed, state.missed_read) = (0, None);
            }
            MemCmd::Probe => return Err("a probe of MissedEvents".into()),
        }
        Ok(state)
    }

    /// Counts the first record, which finds the ring full, as missed.
    fn count_missed(&self, env: &Env, state: &mut Self) -> Result<(), String> {
        if self.progress.missed || self.queue.is_empty() || !self.decide(env)?.full {
            return Err("MissedEvents is read for a record that is not missed".into());
        }
        state.owed += 1;
        state.progress.missed = true;
        Ok(())
    }

    /// Returns every outcome of Report and Reset after the record is stored or missed, if all that this needs has been
    /// done.
    pub(super) fn finish(&self, env: &Env) -> Result<Vec<Self>, String> {
        let Some(record) = self.queue.first() else {
            return Err("there is no record".into());
        };
        let view = self.decide(env)?;
        let stale = view.full && self.head_word != Some(self.head);
        let needed = match env.straps.head_flush {
            HeadFlush::EachRecord => !view.full,
            HeadFlush::Deferred => stale || !view.full && view.reached,
        };
        if needed && (stale || !view.full && !self.progress.published) {
            return Err("the head is not flushed".into());
        }
        let interval = match env.straps.interval_source {
            IntervalSource::Cached => self.session.interval[record.event],
            IntervalSource::Reread => self.progress.interval.ok_or("the interval was not read")?,
        };
        let mut states = Vec::new();
        for state in self.report(env, view)? {
            states.extend(reload(interval, self.session.random).into_iter().map(|counter| {
                let mut state = state.clone();
                state.reset(env, counter);
                state
            }));
        }
        Ok(states)
    }

    /// Returns the states after a record is published whose counter cannot be reloaded, because the interval was not
    /// read.
    pub(super) fn publish_only(&self, env: &Env) -> Result<Vec<Self>, String> {
        let view = self.decide(env)?;
        let mut states = self.report(env, view)?;
        states.iter_mut().for_each(|state| state.reset(env, Counter::Waiting));
        Ok(states)
    }

    fn report(&self, env: &Env, view: Decision) -> Result<Vec<Self>, String> {
        let mut state = self.clone();
        if view.full {
            if !self.progress.missed {
                if self.owed == 0xFFFF {
                    return Err("one more missed event than can be remembered".into());
                }
                state.owed += 1;
            }
            return Ok(vec![state]);
        }
        state.head = view.head;
        let armed = self.session.threshold != 0 && env.interrupts();
        let looked = self.progress.tail_read || env.straps.tail_reread == TailReread::EachRecord;
        state.skipped = if armed && view.reached && !looked { self.skipped + 1 } else { 0 };
        if !armed || view.used != self.session.threshold || self.progress.reported {
            return Ok(vec![state]);
        }
        let delay = u64::from(env.straps.irq_delay);
        let (at, from) = (env.touched, env.touched + delay);
        let due = env.now + delay + 2 * SLACK;
        state.crossings.push(Crossing { at, from, due, restored: false, noticed: false });
        Ok(vec![state])
    }
}

/// Returns the possible counters after a reload: the interval with its low bits replaced by random ones.
fn reload(interval: u32, random: u32) -> Vec<Counter> {
    let low = (1 << random) - 1;
    let (least, most) = (interval & !low, interval | low);
    match (least, most) {
        (0, 0) => vec![Counter::Waiting],
        (0, most) => vec![Counter::Waiting, Counter::Counting(1, most)],
        (least, most) => vec![Counter::Counting(least, most)],
    }
}
