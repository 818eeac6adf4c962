//! Turns the trace into what a core shows, cycle by cycle.
//!
//! Source: "What a core shows" of the book (`docs/src/retire/lanes.md`). What the trace gives and the contract wants in cycles of
//! its own comes in this order: the interruptions before an instruction, a cycle each; the cycle in which the mode changes, which
//! comes behind interruptions whatever the mode; partial cycles for what does not fit into a lane; the instruction.
//!
//! The feeder decides in which cycle and lane something is shown. A unit's [`RetirePort`] puts it into the unit's inputs, and
//! says which parts the unit watches: the others take no cycles and no time.

use super::Instructions;
use crate::traces::{AccessCursor, Load, Retired, TraceError};
use lwp_model::retire::{ACCESS_PORTS, Access, Interruption, LOAD_PORTS, Mode, OpMode};

/// A unit's inputs, as far as they show a core. All fields are idle before a call of the feeder, but for the mode.
pub trait RetirePort {
    /// Missed loads, more of which than a lane has ports for take partial cycles.
    const MISSED_LOADS: bool;
    /// Accesses, likewise.
    const ACCESSES: bool;
    /// I/O, of which an instruction retires alone in its cycle.
    const IO: bool;
    /// Interruptions, which take cycles of their own.
    const INTERRUPTIONS: bool;
    /// The base of CS, which all lanes of a cycle share.
    const CS_BASE: bool;
    /// Accesses that a lane shows in a cycle.
    const ACCESS_PORTS: usize = ACCESS_PORTS;

    /// Whether the core is in this mode. A port that shows no mode is in every mode.
    fn is_in(&self, mode: Mode) -> bool;

    /// The core enters another mode, in a cycle of its own.
    fn enter(&mut self, mode: Mode);

    /// Shows the base of CS.
    fn set_cs_base(&mut self, _base: u64) {}

    /// Whether the core may leave the present mode in this cycle.
    fn may_leave(&self) -> bool {
        true
    }

    /// Whether the core may show missed loads in this cycle.
    fn loads_are_ready(&self) -> bool {
        true
    }

    /// Missed loads that an instruction may have in another lane than 0.
    fn loads_beside(&self) -> usize {
        LOAD_PORTS
    }

    /// Shows an interruption.
    fn interrupt(&mut self, _interruption: &Interruption) {}

    /// Shows in a partial cycle that accesses of this instruction follow in lane 0.
    fn show_part(&mut self, _retired: &Retired) {}

    /// Retires an instruction in a lane, but for its missed loads and accesses, which follow. Whether another one may retire behind
    /// it in this cycle.
    fn retire(&mut self, lane: usize, retired: &Retired) -> bool;

    /// Shows a missed load at a port of a lane.
    fn show_load(&mut self, _lane: usize, _port: usize, _load: &Load) {}

    /// Shows an access at a port of a lane.
    fn show_access(&mut self, _lane: usize, _port: usize, _access: Access) {}
}

/// What the feeder did in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fed {
    /// Nothing retires: it is not time yet.
    Nothing,
    /// Something happened: an instruction retired or was shown in part, something interrupted, or the mode changed.
    Progress,
    /// There are no more instructions.
    End,
}

/// The core's retire stage: it looks at one instruction that has been read and not yet retired. Nothing is allocated per cycle.
#[derive(Debug)]
pub struct Feeder<I> {
    instructions: I,
    /// Whether there is such an instruction.
    ready: bool,
    /// No more is to be read.
    ended: bool,
    failure: Option<TraceError>,
    /// Operating mode of what does not say its own.
    op_mode: OpMode,
    /// The base of CS that was shown last.
    cs_base: u64,
    /// Interruptions before the instruction that were delivered.
    delivered: usize,
    /// The cycle behind an interruption is to come.
    dead: bool,
    /// Part of the instruction was shown in partial cycles.
    begun: bool,
    /// Its missed loads that were not shown, and where in the list they begin.
    missed: usize,
    load: usize,
    /// Its accesses that were not shown.
    accesses: AccessCursor,
    lanes: usize,
    cpi: u64,
    /// First cycle in which the next group may retire.
    due: u64,
}

impl<I: Instructions> Feeder<I> {
    /// A core that retires up to `lanes` instructions every `cpi` cycles, in this operating mode unless the trace says another.
    pub fn new(instructions: I, op_mode: OpMode, lanes: usize, cpi: u64) -> Self {
        Self {
            instructions,
            ready: false,
            ended: false,
            failure: None,
            op_mode,
            cs_base: 0,
            delivered: 0,
            dead: false,
            begun: false,
            missed: 0,
            load: 0,
            accesses: AccessCursor::default(),
            lanes: lanes.max(1),
            cpi: cpi.max(1),
            due: 0,
        }
    }

    /// The reason why the trace could not be read further, once.
    pub fn take_failure(&mut self) -> Option<TraceError> {
        self.failure.take()
    }

    /// Where the instructions come from.
    pub const fn instructions(&self) -> &I {
        &self.instructions
    }

    /// Gives the source of the instructions back.
    pub fn into_instructions(self) -> I {
        self.instructions
    }

    /// Ends the trace here. An instruction that was shown in part still retires, and so does any that is `needed`.
    pub const fn stop(&mut self, needed: bool) {
        self.ended = true;
        self.ready &= self.begun || needed;
    }

    /// Whether all instructions have retired, as far as is known without another read.
    pub const fn has_ended(&self) -> bool {
        self.ended && !self.ready
    }

    /// Whether no instruction has been shown in part.
    pub const fn is_between(&self) -> bool {
        !self.begun
    }

    /// Whether a group may retire in this cycle.
    #[inline]
    pub const fn is_due(&self, now: u64) -> bool {
        now >= self.due
    }

    /// Whether there is another instruction for a port `P`, and its mode is as asked for.
    #[inline]
    pub fn is_next<P: RetirePort>(&mut self, is_in: impl Fn(Mode) -> bool) -> bool {
        self.peek::<P>() && is_in(self.mode())
    }

    /// What comes next for a port `P`: an interruption, or else the instruction that is shown before all others.
    #[inline]
    pub fn upcoming<P: RetirePort>(&mut self) -> Option<(Option<&Interruption>, &Retired)> {
        if !self.peek::<P>() {
            return None;
        }
        let next = self.instructions.present();
        Some((next.interruptions.get(self.delivered).filter(|_| P::INTERRUPTIONS), next))
    }

    /// Address of the instruction that was read last.
    pub fn ip(&self) -> u64 {
        self.instructions.present().ip
    }

    /// The loads of the next instruction, from the first missed one on that was not shown; none if no such load is left.
    pub fn missed_loads(&self) -> &[Load] {
        if self.missed == 0 { &[] } else { &self.instructions.present().loads[self.load..] }
    }

    /// One cycle.
    #[inline]
    pub fn cycle<P: RetirePort>(&mut self, now: u64, port: &mut P) -> Fed {
        if !self.peek::<P>() {
            return Fed::End;
        }
        if P::INTERRUPTIONS
            && let Some(interruption) = self.instructions.present().interruptions.get(self.delivered)
        {
            port.interrupt(interruption);
            self.delivered += 1;
            self.dead = true;
            return Fed::Progress;
        }
        if self.dead || !port.is_in(self.mode()) {
            return self.change_mode(now, port);
        }
        if (P::MISSED_LOADS && self.missed > 0 && !port.loads_are_ready()) || !self.is_due(now) {
            return Fed::Nothing;
        }
        if self.is_too_much::<P>(LOAD_PORTS) {
            self.begin(port);
            port.show_part(self.instructions.present());
            self.show_ports(0, port);
            self.begun = true;
            return Fed::Progress;
        }
        self.retire_from(0, now, port);
        Fed::Progress
    }

    /// Retires a group from this lane on, those before which are taken.
    #[inline]
    pub fn retire_from<P: RetirePort>(&mut self, first: usize, now: u64, port: &mut P) {
        self.due = now.saturating_add(self.cpi);
        for lane in first..self.lanes {
            if lane == 0 {
                self.begin(port);
            } else if !self.peek::<P>() || !self.goes_along(port) {
                return;
            }
            let goes_on = port.retire(lane, self.instructions.present());
            self.show_ports(lane, port);
            self.ready = false;
            self.begun = false;
            if !goes_on {
                return;
            }
        }
    }

    /// The change is as late as the spacing allows, as the program runs until then. Behind an interruption it comes at once.
    fn change_mode<P: RetirePort>(&mut self, now: u64, port: &mut P) -> Fed {
        if !self.dead && (now.saturating_add(1) < self.due || !port.may_leave()) {
            return Fed::Nothing;
        }
        self.dead = false;
        port.enter(self.mode());
        self.begin(port);
        Fed::Progress
    }

    /// Shows the base of CS of the instruction.
    #[inline]
    fn begin<P: RetirePort>(&mut self, port: &mut P) {
        if P::CS_BASE {
            self.cs_base = self.instructions.present().cs_base;
            port.set_cs_base(self.cs_base);
        }
    }

    /// Makes sure that an instruction is ready, if there is one left.
    #[inline]
    fn peek<P: RetirePort>(&mut self) -> bool {
        if self.ready || self.ended {
            return self.ready;
        }
        match self.instructions.advance() {
            Ok(true) => {}
            Ok(false) => self.ended = true,
            Err(failure) => (self.failure, self.ended) = (Some(failure), true),
        }
        self.ready = !self.ended;
        if self.ready {
            if P::INTERRUPTIONS {
                self.delivered = 0;
            }
            if P::MISSED_LOADS {
                self.missed = self.instructions.present().loads.iter().filter(|load| load.miss).count();
                self.load = 0;
            }
            if P::ACCESSES {
                self.accesses = AccessCursor::default();
            }
        }
        self.ready
    }

    /// The mode of the instruction. It is not kept: a processor reads slowly as one what it has just written in pieces.
    #[inline]
    fn mode(&self) -> Mode {
        let Retired { cpl, smm, op_mode, .. } = *self.instructions.present();
        Mode { cpl, smm, op_mode: op_mode.unwrap_or(self.op_mode) }
    }

    /// Whether the instruction can retire in the same cycle as the one before it.
    #[inline]
    fn goes_along<P: RetirePort>(&self, port: &P) -> bool {
        let next = self.instructions.present();
        port.is_in(self.mode())
            && !self.is_too_much::<P>(port.loads_beside())
            && (!P::CS_BASE || next.cs_base == self.cs_base)
            && (!P::IO || !next.io.valid)
            && (!P::INTERRUPTIONS || next.interruptions.is_empty())
    }

    /// Whether more of the instruction is left than a lane has ports for, of which so many are for missed loads.
    #[inline]
    fn is_too_much<P: RetirePort>(&self, loads: usize) -> bool {
        (P::MISSED_LOADS && self.missed > loads) || (P::ACCESSES && self.has_more_accesses::<P>())
    }

    fn has_more_accesses<P: RetirePort>(&self) -> bool {
        let (next, mut rest) = (self.instructions.present(), self.accesses);
        next.loads.len() + next.stores.len() > 0 && (0..=P::ACCESS_PORTS).all(|_| rest.next(next).is_some())
    }

    /// Shows as many missed loads and accesses as a lane has ports.
    #[inline]
    fn show_ports<P: RetirePort>(&mut self, lane: usize, port: &mut P) {
        if P::MISSED_LOADS && self.missed > 0 {
            self.show_loads(lane, port);
        }
        if P::ACCESSES {
            let next = self.instructions.present();
            for place in 0..P::ACCESS_PORTS {
                let Some(access) = self.accesses.next(next) else { break };
                port.show_access(lane, place, access);
            }
        }
    }

    /// An instruction may have many loads; only those that missed take ports.
    fn show_loads<P: RetirePort>(&mut self, lane: usize, port: &mut P) {
        let mut place = 0;
        for load in &self.instructions.present().loads[self.load..] {
            self.load += 1;
            if load.miss {
                port.show_load(lane, place, load);
                self.missed -= 1;
                place += 1;
                if place == LOAD_PORTS || self.missed == 0 {
                    break;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
