//! The branch records that tracing covers, in program order, until they are sent, stored or reported as lost.

use super::area::Format;
use super::event::Event;
use super::ports::{PortsOut, Straps};
use super::violation::{Fault, check, fault};
use super::world::{BTINT, BTS, World};
use std::collections::VecDeque;

/// Where a record may go. More than one is 1 only where the document is open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Target {
    /// Nowhere: it is perhaps not covered.
    pub(super) none: bool,
    /// The system bus.
    pub(super) bus: bool,
    /// The BTS buffer with BTINT = 0.
    pub(super) circular: bool,
    /// The BTS buffer with BTINT = 1.
    pub(super) bounded: bool,
}

impl Target {
    /// Returns where `event` goes. Rows: DCTL-06, DCTL-07, DCTL-08, BTS-38.
    pub(super) fn of(event: &Event, worlds: &[World], straps: &Straps) -> Self {
        use super::event::Cause::{Rsm, Smi};
        let mut target = Self { none: !event.certain || matches!(event.cause, Rsm | Smi), ..Self::default() };
        for ctl in worlds.iter().flat_map(|world| world.controls(event)) {
            let covered = World::covers(ctl, event, straps);
            target.none |= !covered;
            target.bus |= covered && ctl & BTS == 0;
            target.circular |= covered && ctl & (BTS | BTINT) == BTS;
            target.bounded |= covered && ctl & (BTS | BTINT) == BTS | BTINT;
        }
        target
    }

    /// Whether it may go to the BTS buffer.
    pub(super) fn store(self) -> bool {
        self.circular || self.bounded
    }
}

/// A record.
#[derive(Clone, Debug)]
pub(super) struct Traced {
    /// What happened.
    pub(super) event: Event,
    /// Where the record may go.
    pub(super) target: Target,
    /// Formats that a stored record may have.
    pub(super) formats: Vec<Format>,
    /// Cycle in which the event was shown.
    pub(super) cycle: u64,
    /// `reg_ready` was 1 in this cycle, so that the record must have been lost.
    dropped: Option<u64>,
}

/// The records.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    records: VecDeque<Traced>,
    /// Records that are gone, and of which it is not known yet which they are.
    pub(super) credit: usize,
    /// The message that is pending at the bus.
    message: Option<(u64, u64, bool)>,
}

impl Queue {
    /// Appends the record of an event, if it has one.
    pub(super) fn push(&mut self, event: &Event, worlds: &[World], straps: &Straps, cycle: u64) {
        let target = Target::of(event, worlds, straps);
        if target.bus || target.store() {
            let formats = Format::of(straps, event.ia32e);
            self.records.push_back(Traced { event: *event, target, formats, cycle, dropped: None });
        }
    }

    /// Returns the records that may be next, with the number of those before each that are then lost or not covered.
    pub(super) fn heads(&self) -> impl Iterator<Item = (usize, &Traced)> {
        let mut open = true;
        let mut lost = 0;
        self.records.iter().enumerate().take_while(move |(_, record)| {
            let here = open;
            if !record.target.none {
                lost += 1;
                open = open && record.target.store() && lost <= self.credit;
            }
            here
        })
    }

    /// Removes the record with this number. Those before it are lost or not covered, or are still to come if they look the same.
    pub(super) fn take(&mut self, number: usize) -> Result<(), Fault> {
        let older: Vec<Traced> = self.records.drain(..number).collect();
        let skipped = older.iter().filter(|record| !record.target.none).count();
        self.credit = self.credit.saturating_sub(skipped);
        let record = self.records.pop_front();
        let same = |one: &Traced| record.as_ref().is_some_and(|record| record.event.looks_like(&one.event));
        let same: Vec<Traced> = older.into_iter().filter(|older| older.target.none && same(older)).collect();
        same.into_iter().for_each(|older| self.records.push_front(older));
        match record.and_then(|record| Some((record.dropped?, record.cycle))) {
            Some((ready, shown)) => fault(
                "ports, Register requests",
                format!("reg_ready in cycle {ready}, but the record of the branch of cycle {shown} was still waiting"),
            ),
            None => Ok(()),
        }
    }

    /// A branch record is reported as lost, or as stored by writes that are not judged. If it may be one that is perhaps not covered,
    /// which one it is stays open.
    pub(super) fn gone(&mut self) {
        match self.first_stored() {
            Some((number, record)) if !record.target.none => {
                self.records.drain(..=number);
            }
            _ => self.credit += 1,
        }
    }

    /// Returns where the next record that is dropped may have been to go, if there is one.
    pub(super) fn droppable(&self) -> Option<Target> {
        let certain = self.records.iter().position(|record| !record.target.none);
        let end = certain.map_or(self.records.len(), |number| number + 1);
        let stored = self.records.range(..end).map(|record| record.target).filter(|target| target.store());
        stored.reduce(|one, other| Target {
            none: one.none && other.none,
            bus: one.bus || other.bus,
            circular: one.circular || other.circular,
            bounded: one.bounded || other.bounded,
        })
    }

    /// Checks `stall`. Which part of a record leaves the queue first is open, so that two records more or less are allowed.
    pub(super) fn stall(&self, lanes: usize, stall: bool, sampling: bool) -> Result<(), Fault> {
        const ROW: &str = "ports, What the core does";
        let certain = self.records.iter().filter(|record| !record.target.none).count();
        check(stall || certain < lanes + 3 + self.credit, ROW, || {
            format!("no stall, but {certain} records are waiting in a queue of {}", 2 * lanes)
        })?;
        check(!stall || sampling || self.records.len() + 2 > lanes, ROW, || {
            format!("stall, but only {} records are waiting in a queue of {}", self.records.len(), 2 * lanes)
        })
    }

    /// Whether no record is waiting.
    pub(super) fn is_empty(&self) -> bool {
        self.records.iter().all(|record| record.target.none) && self.message.is_none()
    }

    /// Returns the first record that may be dropped from the debug store.
    pub(super) fn first_stored(&self) -> Option<(usize, &Traced)> {
        let at = self.records.iter().position(|record| record.target.store() || !record.target.none)?;
        self.records.get(at).filter(|record| record.target.store()).map(|record| (at, record))
    }

    /// Returns the formats of the records that may be stored next.
    pub(super) fn formats(&self) -> Vec<Format> {
        let mut formats = Vec::new();
        let heads = self.heads().map(|(_, record)| record).filter(|record| record.target.store());
        for format in heads.flat_map(|record| &record.formats) {
            if !formats.contains(format) {
                formats.push(*format);
            }
        }
        formats
    }

    /// `reg_ready` is 1: no record is waiting, except that its loss may be reported up to two cycles later.
    pub(super) fn ready(&mut self, cycle: u64) -> Result<(), Fault> {
        const ROW: &str = "ports, Register requests";
        self.records.retain(|record| !record.target.none);
        check(self.message.is_none(), ROW, || "reg_ready while a message is pending".into())?;
        while self.credit > 0 && self.records.front().is_some_and(|record| record.target.store()) {
            self.records.pop_front();
            self.credit -= 1;
        }
        for record in &mut self.records {
            check(record.target.store(), ROW, || {
                format!("reg_ready, but the branch of cycle {} is not on the bus", record.cycle)
            })?;
            let first = *record.dropped.get_or_insert(cycle);
            check(cycle < first + 2, "BTS-08", || {
                format!("the branch of cycle {} is neither stored nor reported as lost", record.cycle)
            })?;
        }
        // What is left belonged to records that were perhaps not covered.
        self.credit = 0;
        Ok(())
    }

    /// Follows the messages on the bus. Rows: BTS-02, DCTL-06, BTS-39.
    pub(super) fn bus(&mut self, straps: &Straps, out: &PortsOut, ready: bool) -> Result<bool, Fault> {
        let shown = out.btm_valid.then_some((out.btm_from, out.btm_to, out.btm_predicted));
        check(out.btm_valid || out.btm_from == 0 && out.btm_to == 0 && !out.btm_predicted, "ports, Outputs", || {
            "a message is shown without btm_valid".into()
        })?;
        check(self.message.is_none() || self.message == shown, "ports, Outputs", || {
            format!("the message {:x?} changed to {shown:x?} before btm_ready", self.message)
        })?;
        let Some(message) = shown else { return Ok(false) };
        let number = self.sent(straps, message)?;
        self.message = if ready { None } else { shown };
        if ready {
            self.take(number)?;
        }
        Ok(true)
    }

    /// Returns the number of the record that is sent: rather one that has to be.
    fn sent(&self, straps: &Straps, (from, to, predicted): (u64, u64, bool)) -> Result<usize, Fault> {
        let text = format!("message from {from:#x} to {to:#x}, predicted {predicted}");
        let (mut error, mut perhaps) = (None, None);
        for (number, record) in self.heads() {
            let (source, target, ok) = record.event.trace(straps);
            if !record.target.bus {
                error = error.or(Some(("BTS-39", format!("{text}: the record belongs to the BTS buffer"))));
            } else if !source.allows(from) || !target.allows(to) {
                error = error.or(Some(("BTS-02", format!("{text}, but the next branch is from {source} to {target}"))));
            } else if ok.is_some_and(|ok| ok != predicted) {
                error = error.or(Some(("BTS-23", format!("{text}, but its prediction was {ok:?}"))));
            } else if record.target.none {
                perhaps = perhaps.or(Some(number));
            } else {
                return Ok(number);
            }
        }
        if let Some(number) = perhaps {
            return Ok(number);
        }
        Err(error.unwrap_or(("DCTL-06", format!("{text}: no branch that tracing covers is waiting"))))
    }
}
