//! Feeder: turns a trace into what a core shows in each cycle, with all parts.
//!
//! Source: "What a core shows" of the book (`docs/src/retire/lanes.md`). The order of cycles is: the interruptions before an
//! instruction, a cycle each; the cycle in which the mode changes, also present after every interruption; partial cycles for
//! accesses that do not fit into a lane; the instruction.

use super::{Instructions, Lane, Shown};
use crate::trace::{self, AccessCursor, TraceError};
use lwp_model::Choice;
use lwp_model::retire::{Access, Branch, BranchKind, LOAD_PORTS, Length, Load, Mode, OpMode, Retired, Source};

/// Largest latency that 31 bits hold.
const LATENCY: u32 = u32::MAX >> 1;

/// Progress of the feeder in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fed {
    /// Nothing retires, because the next group is not due.
    Nothing,
    /// An instruction retired or was shown in part, an interruption was delivered, or the mode changed.
    Progress,
    /// There are no more instructions.
    End,
}

/// Retire stage of a core. It holds one instruction that has been read and has not retired. Nothing is allocated per cycle.
#[derive(Debug)]
pub struct Feeder<const W: usize, I> {
    instructions: I,
    next: trace::Retired,
    /// Whether `next` holds an instruction.
    ready: bool,
    /// Whether no further instruction is to be read.
    ended: bool,
    failure: Option<TraceError>,
    /// Operating mode of instructions whose trace has none.
    op_mode: OpMode,
    /// Mode and base of CS that were shown last.
    mode: Mode,
    cs_base: u64,
    /// Number of interruptions before `next` that were delivered.
    delivered: usize,
    /// Whether the cycle after an interruption is still to be shown.
    dead: bool,
    /// Loads and accesses of `next` that were shown in partial cycles.
    accesses: AccessCursor,
    load: usize,
    lanes: usize,
    cpi: u64,
    /// First cycle in which the next group may retire.
    due: u64,
}

impl<const W: usize, I: Instructions> Feeder<W, I> {
    /// Returns a core that retires up to `lanes` instructions every `cpi` cycles and begins in this mode.
    pub fn new(instructions: I, mode: Mode, lanes: usize, cpi: u64) -> Self {
        Self {
            instructions,
            next: trace::Retired::default(),
            ready: false,
            ended: false,
            failure: None,
            op_mode: mode.op_mode,
            mode,
            cs_base: 0,
            delivered: 0,
            dead: false,
            accesses: AccessCursor::default(),
            load: 0,
            lanes: lanes.clamp(1, W),
            cpi: cpi.max(1),
            due: 0,
        }
    }

    /// Takes the reason why the trace could not be read further. A second call returns `None`.
    pub fn take_failure(&mut self) -> Option<TraceError> {
        self.failure.take()
    }

    /// Returns the supply of instructions.
    pub fn instructions(&self) -> &I {
        &self.instructions
    }

    /// Runs one cycle, and writes all of `shown`.
    #[inline]
    pub fn cycle(&mut self, now: u64, shown: &mut Shown<W>) -> Fed {
        *shown = Shown::idle(self.mode, self.cs_base);
        if !self.peek() {
            return Fed::End;
        }
        if let Some(interruption) = self.next.interruptions.get(self.delivered) {
            shown.interruption = *interruption;
            self.delivered += 1;
            self.dead = true;
            return Fed::Progress;
        }
        let mode = self.next_mode();
        if self.dead || mode != self.mode {
            (self.mode, self.cs_base, self.dead) = (mode, self.next.cs_base, false);
            (shown.mode, shown.cs_base) = (mode, self.cs_base);
            return Fed::Progress;
        }
        if now < self.due {
            return Fed::Nothing;
        }
        self.cs_base = self.next.cs_base;
        shown.cs_base = self.cs_base;
        if self.is_too_much() {
            shown.partial = true;
            self.show_part(&mut shown.lanes[0]);
            return Fed::Progress;
        }
        self.retire_group(shown);
        self.due = now + self.cpi;
        Fed::Progress
    }

    /// Retires `next` in lane 0, and as many further instructions as fit.
    #[inline]
    fn retire_group(&mut self, shown: &mut Shown<W>) {
        shown.io = self.next.io;
        for lane in shown.lanes.iter_mut().take(self.lanes) {
            self.show(lane);
            self.ready = false;
            if shown.io.valid || !self.peek() || !self.goes_along() {
                break;
            }
        }
    }

    /// Whether `next` can retire in the same cycle as the instruction before it.
    fn goes_along(&self) -> bool {
        let alone = self.next.io.valid || !self.next.interruptions.is_empty();
        let same = self.next_mode() == self.mode && self.next.cs_base == self.cs_base;
        same && !alone && !self.is_too_much()
    }

    /// Reads an instruction into `next` if it is empty. Returns whether `next` holds an instruction.
    #[inline]
    fn peek(&mut self) -> bool {
        if self.ready || self.ended {
            return self.ready;
        }
        match self.instructions.next(&mut self.next) {
            Ok(ready) => self.ready = ready,
            Err(failure) => self.failure = Some(failure),
        }
        self.ended = !self.ready;
        (self.delivered, self.load, self.accesses) = (0, 0, AccessCursor::default());
        self.ready
    }

    fn next_mode(&self) -> Mode {
        let trace::Retired { cpl, smm, op_mode, .. } = self.next;
        Mode { cpl, smm, op_mode: op_mode.unwrap_or(self.op_mode) }
    }

    /// Whether more of `next` is left than a lane has ports for.
    #[inline]
    fn is_too_much(&self) -> bool {
        let missed = || self.next.loads[self.load..].iter().filter(|load| load.miss).nth(LOAD_PORTS).is_some();
        let mut rest = self.accesses;
        let mut ports = [Access::default(); ACCESS_AND_ONE];
        (!self.next.loads.is_empty() && missed())
            || (self.next.loads.len() + self.next.stores.len() > 0 && take(&mut rest, &self.next, &mut ports))
    }

    /// Shows `next` in a lane, with its remaining loads and accesses.
    #[inline]
    fn show(&mut self, lane: &mut Lane) {
        lane.length = Length(self.next.length);
        if let Some(branch) = &self.next.branch {
            lane.branch = Branch {
                kind: BranchKind::from_code(branch.kind as u8).unwrap_or_default(),
                taken: branch.taken,
                pred_valid: branch.predicted.is_some(),
                pred_ok: branch.predicted == Some(true),
                next: branch.next,
            };
        }
        lane.flags = self.next.flags;
        lane.transaction = self.next.transaction;
        lane.retired.ip = self.next.ip;
        self.show_part(lane);
    }

    /// Shows as many missed loads and accesses of `next` as there are ports.
    fn show_part(&mut self, lane: &mut Lane) {
        lane.retired = Retired { valid: true, counts: self.next.flags.rep.counts(), ..lane.retired };
        take(&mut self.accesses, &self.next, &mut lane.accesses);
        let mut ports = lane.loads.iter_mut();
        let mut port = ports.next();
        for load in &self.next.loads[self.load..] {
            if load.miss {
                let Some(free) = port else { break };
                *free = Load {
                    miss: true,
                    addr_valid: load.addr.is_some(),
                    tagged: false,
                    addr: load.miss_addr().unwrap_or(0),
                    latency: load.latency.min(LATENCY),
                    source: Source::from_code(load.source & 7).unwrap_or_default(),
                };
                port = ports.next();
            }
            self.load += 1;
        }
    }
}

/// Number of accesses that no longer fit into a lane.
const ACCESS_AND_ONE: usize = lwp_model::retire::ACCESS_PORTS + 1;

/// Fills ports with the next accesses, and returns whether all ports were needed.
fn take(cursor: &mut AccessCursor, retired: &trace::Retired, ports: &mut [Access]) -> bool {
    for port in ports {
        match cursor.next(retired) {
            Some(access) => *port = access,
            None => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests;
