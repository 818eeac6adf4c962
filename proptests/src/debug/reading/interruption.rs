//! Interruptions: the frame, the delivery of #DB and its loss.

use super::choices::Open;
use super::expect::Request;
use super::matching::Hits;
use super::world::{Cycle, Report, Saved, World};
use lwp_model::debug::DbClass;
use lwp_model::retire::IntKind;
use lwp_regs::debug::StatusKept;

/// BD, BS and BT of DR6.
const CAUSES: u64 = 0xE000;
/// RTM of DR6.
const RTM: u64 = 1 << 16;
/// GD of DR7.
const GD: u64 = 1 << 13;
/// DR7 after reset.
const RESET: u64 = 0x400;

impl World {
    /// Steps an interruption, which takes the pending request, loses it, or comes without one.
    pub(super) fn interruption(&mut self, c: &mut Cycle<'_>) {
        let kind = c.int.kind.acts_as();
        let taken = self.request.filter(|_| c.ack);
        let exception = kind == IntKind::Exception;
        // SMI or RSM together with db_ack breaks a rule: the delivery of #DB may count instead.
        let smm = matches!(kind, IntKind::Smi | IntKind::Rsm) && (taken.is_none() || !c.path.either());
        if !smm {
            self.want.frame_rf = Some(self.pushed(c, taken));
        }
        if let Some(request) = taken {
            // DBG-11: DR6 is updated when #DB is generated, and an abort delivers none. Something else than an exception that is delivered
            // together with db_ack breaks a rule.
            let open = request.class == DbClass::Abort || !exception;
            if !open || c.path.either() {
                self.deliver(c, request, true);
            }
        }
        let lost = taken.is_none() && self.request.is_some();
        c.seen.requests_lost += u64::from(lost && exception);
        c.seen.taken += u64::from(taken.is_some());
        // Interrupts wait while a request is pending: one that does not breaks a rule.
        let stays = lost && !exception && c.path.either();
        if !stays {
            self.request = None;
        }
        self.lose(c, exception);
        if smm {
            self.management(c, kind);
        } else {
            (self.rf, self.shadow, self.string) = (false, false, None);
        }
        (self.region, self.go, self.returned) = (false, None, true);
        let task = c.int.task && (!smm || c.path.either());
        if task {
            self.rf = c.int.rf;
            self.switch_task();
            if c.int.t {
                self.task_trap(c);
            }
        }
    }

    /// A switch to a task with T set, by an interruption (DBG-74).
    fn task_trap(&mut self, c: &mut Cycle<'_>) {
        if self.request.is_some() && c.path.either() {
            return;
        }
        c.seen.gate_traps += 1;
        self.raise(c, DbClass::Trap, Report { bt: true, ..Report::default() });
    }

    /// Loses held hits (DBG-58, DBG-59), and those of an instruction that has not retired.
    fn lose(&mut self, c: &mut Cycle<'_>, exception: bool) {
        c.seen.held_lost += u64::from(exception && !self.held.none());
        // Interrupts, NMI and SMI wait while a hit is held: one that does not breaks a rule.
        let keeps = |c: &mut Cycle<'_>, hits: Hits| !exception && hits != Hits::default() && c.path.either();
        if !keeps(c, self.held) {
            (self.held, self.held_shadow) = (Hits::default(), false);
        }
        if !keeps(c, self.partial) {
            self.partial = Hits::default();
        }
    }

    /// SMI and RSM. They push no frame. Which state they save and restore is open.
    fn management(&mut self, c: &mut Cycle<'_>, kind: IntKind) {
        // SMI in SMM and RSM outside break a rule: they may change nothing.
        let fits = self.smm != (kind == IntKind::Smi);
        self.smm = kind == IntKind::Smi;
        if !fits && c.path.either() {
            self.rf = c.path.one_of(&[self.rf, false]);
            return;
        }
        // SMI in SMM may leave what the first one saved.
        let saved = self.saved;
        if kind == IntKind::Smi {
            let between = self.between(c) && !self.rf && !self.choices.second(c.path, Open::SmiStringRf);
            let Self { dr6, dr6_open, dr7, shadow, string, .. } = *self;
            self.saved = Saved { dr6, dr6_open, dr7, rf: self.rf || between, shadow, string };
            self.dr7 = self.choices.decide(c.path, [(Open::SmiControl, 2)], |[how]| [dr7, RESET][usize::from(how)]);
            self.rf = self.rf && self.choices.second(c.path, Open::SmiRf);
            self.shadow = self.shadow && c.path.either();
            self.string = self.string.filter(|_| c.path.either());
            self.saved = if fits { self.saved } else { c.path.one_of(&[self.saved, saved]) };
            return;
        }
        let Saved { dr6, dr6_open, dr7, rf, shadow, string } = self.saved;
        let control = self.dr7;
        self.dr7 = self.choices.decide(c.path, [(Open::RsmControl, 2)], |[how]| [dr7, control][usize::from(how)]);
        let status = (self.dr6, self.dr6_open);
        (self.dr6, self.dr6_open) =
            self.choices.decide(c.path, [(Open::RsmStatus, 2)], |[how]| [status, (dr6, dr6_open)][usize::from(how)]);
        let now = self.rf;
        self.rf = self.choices.decide(c.path, [(Open::RsmRf, 3)], |[how]| [rf, now, false][usize::from(how)]);
        self.shadow = c.path.one_of(&[false, self.shadow, shadow]);
        let restored = string.filter(|_| self.choices.second(c.path, Open::RsmString));
        self.string = if restored.is_some() { restored } else { self.string.filter(|_| c.path.either()) };
    }

    /// Returns RF of the image that an interruption pushes (DBG-43 to DBG-47).
    fn pushed(&mut self, c: &mut Cycle<'_>, taken: Option<Request>) -> bool {
        let fault = c.straps.fault_rf;
        let plain = self.rf || self.between(c);
        let exception = c.int.kind.acts_as() == IntKind::Exception;
        let (trap, rf) = (c.int.trap, self.rf);
        let seen = &mut c.seen;
        let Some(request) = taken else {
            if exception && !trap {
                seen.frames_fault += 1;
                return fault;
            }
            seen.frames_string += u64::from(self.string.is_some());
            seen.frames_set += u64::from(self.string.is_none() && rf);
            seen.frames_clear += u64::from(self.string.is_none() && !rf);
            return plain;
        };
        match request.class {
            // A delivery that does not fit the class breaks a rule.
            _ if !exception => c.path.one_of(&[plain, rf, fault]),
            DbClass::Trap if trap => {
                seen.frames_string += u64::from(self.string.is_some());
                seen.frames_set += u64::from(self.string.is_none() && rf);
                seen.frames_clear += u64::from(self.string.is_none() && !rf);
                plain
            }
            DbClass::Trap => c.path.one_of(&[plain, fault]),
            DbClass::Fault if !trap && request.bd => {
                seen.frames_fault += 1;
                fault
            }
            DbClass::Fault if !trap => {
                seen.frames_exec += 1;
                rf
            }
            DbClass::Fault => c.path.one_of(&[if request.bd { fault } else { rf }, plain]),
            DbClass::Abort => c.path.one_of(&[rf, plain, fault]),
            DbClass::Rollback => {
                seen.frames_rollback += 1;
                // The transaction is undone, with a string instruction in it.
                let rf = rf && c.path.one_of(&[true, false]);
                let by_trap = if trap { rf } else { fault };
                self.choices.decide(c.path, [(Open::RollbackRf, 3)], |[how]| [rf, fault, by_trap][usize::from(how)])
            }
        }
    }

    /// A request that is taken without an interruption: an abort, or a rule is broken.
    pub(super) fn taken_alone(&mut self, c: &mut Cycle<'_>) {
        let Some(request) = self.request.take() else { return };
        c.seen.taken += 1;
        if request.class == DbClass::Abort {
            self.rf = c.path.one_of(&[false, self.rf]);
            self.held = c.path.one_of(&[Hits::default(), self.held]);
            (self.shadow, self.region, self.returned) = (false, false, true);
            (self.partial, self.go, self.string) = (Hits::default(), None, None);
            return;
        }
        // The delivery is not shown, which breaks a rule: it may count as shown.
        if !c.path.either() {
            self.deliver(c, request, false);
            let (rf, fault) = (self.rf, c.straps.fault_rf);
            let plain = rf || self.between(c);
            let pushed = match request.class {
                DbClass::Fault if !request.bd => vec![rf, plain],
                DbClass::Fault => vec![fault, plain],
                _ => vec![plain, rf, fault],
            };
            if c.path.either() {
                self.want.frame_rf = Some(c.path.one_of(&pushed));
                (self.rf, self.shadow, self.region) = (false, false, false);
                (self.string, self.go, self.returned) = (None, None, true);
                self.lose(c, true);
                return;
            }
        }
        self.rf = c.path.one_of(&[false, self.rf]);
        self.held = c.path.one_of(&[Hits::default(), self.held]);
        self.partial = c.path.one_of(&[Hits::default(), self.partial]);
        self.shadow = c.path.one_of(&[false, self.shadow]);
        self.region = c.path.one_of(&[false, self.region]);
        self.string = c.path.one_of(&[None, self.string]);
        self.go = c.path.one_of(&[None, self.go]);
        self.returned = true;
    }

    /// Writes DR6 and DR7 for a #DB that is delivered (DBG-11 to DBG-16, DBG-25). `from` is valid with `known`.
    fn deliver(&mut self, c: &mut Cycle<'_>, request: Request, known: bool) {
        let merged = if known { self.merged(c, request) } else { Hits::default() };
        let b = u64::from((request.b | merged.on).bits());
        let may = if c.straps.status_off { u64::from(merged.off.bits()) & !b } else { 0 };
        let bit = |on: bool, bit: u32| u64::from(on) << bit;
        let causes = bit(request.bd, 13) | bit(request.bs, 14) | bit(request.bt, 15);
        let rollback = request.class == DbClass::Rollback;
        let (kept, mut rtm) = match c.straps.status {
            StatusKept::Nothing => (0, !rollback),
            StatusKept::AllButBreakpoints => (CAUSES, !rollback),
            StatusKept::All => (CAUSES | 0xF, !rollback),
        };
        let old = self.dr6;
        if c.straps.status == StatusKept::All && rtm && old & RTM == 0 {
            rtm = !self.choices.second(c.path, Open::StatusRtm);
        }
        self.dr6 = old & !(CAUSES | RTM | 0xF) | old & kept | b | causes | u64::from(rtm) << 16;
        self.dr6_open = (self.dr6_open & kept | may) & !b;
        if self.dr7 & GD != 0 {
            let cleared = match self.choices.pick(c.path, Open::GdAfter, 3) {
                0 => true,
                1 => request.bd,
                _ => false,
            };
            if cleared {
                self.dr7 &= !GD;
            }
        }
    }

    /// Whether a frame has RF = 1 since it is pushed between two iterations (DBG-44, DBG-45).
    fn between(&self, c: &Cycle<'_>) -> bool {
        self.string.is_some() && !c.straps.rep_rf
    }

    /// Returns the breakpoints of the next instruction that a trap reports as well.
    fn merged(&mut self, c: &mut Cycle<'_>, request: Request) -> Hits {
        let candidate = matches!(request.class, DbClass::Trap | DbClass::Rollback);
        let accesses = !request.b.is_empty() && !request.bs && !request.bt;
        if !candidate || !accesses || self.rf || self.shadow && !c.straps.ss_fetch {
            return Hits::default();
        }
        let next = self.exec(c, c.int.from);
        if next == Hits::default() {
            return next;
        }
        c.seen.unmerged += u64::from(!c.straps.merge_next && !next.none());
        let mut merges = c.straps.merge_next;
        if merges && request.class == DbClass::Rollback {
            merges = self.choices.second(c.path, Open::MergeRollback);
        }
        if merges && self.string.is_some() && request.class == DbClass::Trap {
            merges = self.choices.second(c.path, Open::MergeString);
        }
        c.seen.merged += u64::from(merges && !next.none());
        if merges { next } else { Hits::default() }
    }
}
