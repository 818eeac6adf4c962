//! The question whether an instruction may be executed.

use super::world::{Cycle, Go, Report, World};
use lwp_model::debug::DbClass;
use lwp_regs::debug::Slots;

impl World {
    /// Answers a question: *stop* if an instruction breakpoint comes first (DBG-36, DBG-37), else *go*.
    pub(super) fn question(&mut self, c: &mut Cycle<'_>) {
        self.want.ask_done = true;
        let in_tx = c.ask.in_tx && c.straps.rtm;
        let hits = self.exec(c, c.ask.ip);
        if hits.none() || self.ignores_exec(c) {
            c.seen.goes += 1;
            self.go = Some(Go { ip: c.ask.ip });
            return;
        }
        // Between two iterations nothing is asked: whether it is checked is open.
        if self.string.is_some() && c.path.either() {
            self.go = Some(Go { ip: c.ask.ip });
            return;
        }
        c.seen.stops += 1;
        self.go = None;
        let class = self.class(c, in_tx, DbClass::Fault);
        let off = if c.straps.status_off { hits.off } else { Slots::empty() };
        let report = Report { must: hits.on | off, may: self.may(c), ..Report::default() };
        self.raise(c, class, report);
    }

    /// Whether instruction breakpoints are ignored: RF (DBG-40), or the instruction behind an SS load (DBG-38).
    pub(super) fn ignores_exec(&self, c: &mut Cycle<'_>) -> bool {
        c.seen.exec_rf += u64::from(self.rf);
        let shadow = self.shadow && !c.straps.ss_fetch;
        c.seen.exec_shadow += u64::from(shadow && !self.rf);
        self.rf || shadow
    }

    /// Returns the breakpoints that any exception may report now: held hits, and with `status_off` held conditions of those that are off.
    pub(super) fn may(&self, c: &Cycle<'_>) -> Slots {
        let off = if c.straps.status_off { self.held.off | self.partial.off } else { Slots::empty() };
        self.held.on | off
    }
}
