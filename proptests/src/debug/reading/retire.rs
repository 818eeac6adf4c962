//! What follows an instruction that has been executed: the state, and the trap.

use super::choices::Open;
use super::lanes::{Instruction, Place};
use super::matching::Hits;
use super::world::{Cycle, Report, World};
use lwp_model::debug::{DbClass, LaneKind};
use lwp_model::retire::Rep;
use lwp_regs::debug::{Enable, Slots};

/// What an instruction adds to what is pending.
#[derive(Clone, Copy, Debug)]
struct Outcome {
    /// Hits of the instruction.
    hits: Hits,
    /// Hits of before.
    held: Hits,
    step: bool,
    task: bool,
    int1: bool,
    int3: bool,
    /// Hits wait for the next instruction, or for the end of a group of iterations.
    waits: bool,
    /// All else waits, too: the instruction is an SS load that casts a shadow.
    shadow: bool,
}

impl World {
    /// Steps an instruction that is executed. Returns none, or for a trap whether the instruction is cut as well.
    pub(super) fn retire(&mut self, c: &mut Cycle<'_>, place: Place<'_>, what: Instruction) -> Option<bool> {
        let outcome = self.outcome(c, place, what);
        if outcome.int3 && !outcome.shadow && !self.choices.second(c.path, Open::Int3Accepted) {
            self.unaccepted(c, outcome);
            return Some(true);
        }
        self.enter(c, place, what);
        if outcome.shadow {
            c.seen.shadow_unstepped += u64::from(place.lane.flags.tf);
            self.hold_hits(outcome, true);
            return None;
        }
        let Outcome { hits, held, step, task, int1, int3, waits, .. } = outcome;
        let other = step || task || int1 || int3;
        if !other && (waits || hits.none() && held.none()) {
            c.seen.group_delays += u64::from(waits && !hits.none());
            self.hold_hits(outcome, false);
            return None;
        }
        if what.odd && waits && c.path.either() {
            // It is the SS load for its hits, and the other thing for all else.
            self.trap(c, place, what, Outcome { hits: Hits::default(), held: Hits::default(), ..outcome });
            self.hold_hits(outcome, true);
            return Some(false);
        }
        self.trap(c, place, what, outcome);
        (self.held, self.held_shadow) = (Hits::default(), false);
        Some(false)
    }

    /// Makes the request of INT3 in a transaction, where it is not executed: whether hits are reported is open.
    fn unaccepted(&mut self, c: &mut Cycle<'_>, outcome: Outcome) {
        let Outcome { hits, held, step, .. } = outcome;
        let off = if c.straps.status_off { hits.off | held.off } else { Slots::empty() };
        let class = self.class(c, true, DbClass::Trap);
        self.raise(c, class, Report { may: hits.on | held.on | off, bs: step, ..Report::default() });
        c.seen.int3_regions += 1;
        (self.held, self.held_shadow) = (Hits::default(), false);
    }

    /// Returns what an instruction adds.
    fn outcome(&mut self, c: &mut Cycle<'_>, place: Place<'_>, what: Instruction) -> Outcome {
        let mut hits = self.access_hits(c, place, what);
        if what.kind == LaneKind::TaskSwitch && self.local(hits.on) && self.choices.second(c.path, Open::SwitchLocal) {
            hits.on = self.global(hits.on);
        }
        if what.abort && hits != Hits::default() && !self.choices.second(c.path, Open::AbortHits) {
            hits = Hits::default();
        }
        let mut held = self.held;
        if what.abort && held != Hits::default() && !self.choices.second(c.path, Open::AbortHeld) {
            held = Hits::default();
        }
        let off = held.on & !self.control().enabled();
        if !off.is_empty() && self.choices.second(c.path, Open::HeldDisabled) {
            held.on &= !off;
        }
        let shadow = what.ss_load && (c.straps.ss_chain || !self.shadow);
        let step = !shadow && self.steps(c, place.lane, what);
        Outcome {
            hits,
            held,
            step,
            task: what.kind == LaneKind::TaskSwitch && place.lane.debug.t_flag,
            int1: what.kind == LaneKind::Int1,
            int3: what.kind == LaneKind::Int3 && what.in_tx,
            waits: self.waits(c, place, what, hits, held),
            shadow,
        }
    }

    /// Whether hits wait for further iterations (DBG-54 to DBG-56). Counts the iteration.
    fn waits(&mut self, c: &mut Cycle<'_>, place: Place<'_>, what: Instruction, hits: Hits, held: Hits) -> bool {
        if what.odd && (hits != Hits::default() || held != Hits::default()) && c.path.either() {
            return true;
        }
        if what.rep == Rep::None {
            return false;
        }
        let resumed = self.string.is_none() && what.rep != Rep::First;
        let mut count = self.group;
        let size = c.straps.string_group + 1;
        if what.rep == Rep::First
            || resumed && size > 1 && count != 0 && !self.choices.second(c.path, Open::GroupResumed)
        {
            count = 0;
        }
        self.group = (count + 1) % size;
        let complete = what.rep == Rep::Last || self.group == 0;
        if what.rep == Rep::Last {
            self.group = 0;
            return false;
        }
        // The instruction behind an SS load is complete after its last iteration, or each iteration counts.
        if self.held_shadow && held != Hits::default() {
            return c.path.either();
        }
        if place.io.is_some() {
            c.seen.string_io += 1;
            return false;
        }
        let pending = !place.lane.flags.tf || held.none() && hits.none();
        !complete && (pending || !self.choices.second(c.path, Open::StepGroup))
    }

    /// Keeps hits for later.
    fn hold_hits(&mut self, outcome: Outcome, shadow: bool) {
        let from_shadow = shadow && outcome.hits != Hits::default();
        self.held_shadow = from_shadow || self.held_shadow && outcome.held != Hits::default();
        self.held = outcome.held;
        self.held.add(outcome.hits);
    }

    /// Notes what an instruction leaves behind.
    fn enter(&mut self, c: &mut Cycle<'_>, place: Place<'_>, what: Instruction) {
        let Place { lane, first, .. } = place;
        if first {
            self.go = None;
        }
        self.rf = match what.kind {
            // DBG-42
            LaneKind::Iret | LaneKind::TaskSwitch => lane.debug.rf_image,
            _ if what.abort => c.path.one_of(&[false, self.rf]),
            // DBG-41. A string instruction is one instruction: it may end what RF suppresses with its last iteration.
            _ => self.rf && c.straps.rep_rf && matches!(what.rep, Rep::First | Rep::Further),
        };
        if what.kind == LaneKind::TaskSwitch {
            // A lane above it breaks a rule: it may be compared before L0 to L3 are cleared.
            self.late_switch = place.next.is_some() && c.path.either();
            if !self.late_switch {
                self.switch_task();
            }
        }
        self.shadow = what.ss_load && (c.straps.ss_chain || !self.shadow);
        self.string = matches!(what.rep, Rep::First | Rep::Further).then_some(lane.retired.ip);
        self.returned = matches!(what.kind, LaneKind::Iret | LaneKind::TaskSwitch) || what.abort;
        self.region = what.in_tx && !what.abort;
    }

    /// Makes the request of a trap behind an instruction (DBG-31, DBG-32).
    fn trap(&mut self, c: &mut Cycle<'_>, place: Place<'_>, what: Instruction, outcome: Outcome) {
        let Outcome { hits, held, step, task, int1, int3, .. } = outcome;
        let class = self.class(c, what.in_tx, DbClass::Trap);
        let must = hits.on | held.on;
        let (mut off, mut may) = (Slots::empty(), Slots::empty());
        if c.straps.status_off {
            off = hits.off;
            // Conditions of earlier instructions, and of the address of this one.
            let ip = self.exec(c, place.lane.retired.ip);
            may |= held.off | ip.off;
        }
        let accesses = !must.is_empty() && !step && !task;
        if c.straps.merge_next && class == DbClass::Trap && accesses {
            // The next instruction is known for certain when the exception is delivered. It may be shown before.
            let next = place.next.map_or_else(Hits::default, |next| self.exec(c, next.retired.ip));
            may |= next.on | if c.straps.status_off { next.off } else { Slots::empty() };
        }
        self.raise(c, class, Report { must: must | off, may, bd: false, bs: step, bt: task });
        let seen = &mut c.seen;
        let b = c.out.db_b;
        seen.steps += u64::from(step);
        seen.branch_steps += u64::from(step && c.btf);
        seen.both += u64::from(step && !must.is_empty());
        seen.int1 += u64::from(int1);
        seen.task_traps += u64::from(task);
        seen.int3_regions += u64::from(int3);
        seen.held_delivered += u64::from(self.held_shadow && !held.none());
        let software = matches!(what.kind, LaneKind::IntN | LaneKind::Int3);
        seen.held_interrupt += u64::from(software && self.held_shadow && !held.none());
        seen.off_reported += u64::from(!(b & off & !must).is_empty());
        seen.off_unreported += u64::from(!c.straps.status_off && !(hits.off & !must).is_empty());
    }

    /// Whether one of these breakpoints is enabled by Ln alone.
    fn local(&self, slots: Slots) -> bool {
        self.global(slots) != slots
    }

    /// Returns those of these breakpoints that Gn enables.
    fn global(&self, slots: Slots) -> Slots {
        let control = self.control();
        slots.slots().filter(|slot| control.enable(*slot).contains(Enable::GLOBAL)).collect()
    }
}
