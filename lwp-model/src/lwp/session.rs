//! Session: LWPMSR0, the LWPCB pointer, and what they enable.

use super::config::Config;
use super::event::{BRANCHES, INSTRUCTIONS, MISSES};
use super::state::{NUM_EVENTS, Session, State};
use lwp_regs::lwp::FlagsWord;

impl Session {
    /// Returns the linear address of a field of the current block.
    pub(super) const fn field(&self, offset: usize) -> u64 {
        self.lwpcb.wrapping_add(offset as u64)
    }

    /// Returns the events (bit EventId - 1) that slots of a block may select. `data` is the first word of the block. For a session that
    /// ran before (`again`), these are the events in its Flags.
    pub(super) fn allowed(&self, data: u64, again: bool, straps: &Config) -> u8 {
        let flags = if again { FlagsWord::from_bits(data as u32) } else { FlagsWord::from_bits(self.msr0.eax()) };
        (0..NUM_EVENTS)
            .filter(|&index| implemented(straps, index) && has_event(flags, index))
            .map(|index| 1 << index)
            .sum()
    }

    /// Clears the pointer and the state of the session.
    fn end(&mut self) {
        self.lwpcb = 0;
        self.active = false;
        self.init_pending = false;
        self.reload = false;
    }
}

impl State {
    /// Whether event `index` counts: selected, and still enabled in LWPMSR0.
    pub(super) const fn live(&self, index: usize) -> bool {
        self.block.selected(index) && enabled(&self.session, index)
    }

    /// Ends the session, or what was to become one, and drops every record.
    pub(super) fn drop_session(&mut self) {
        self.session.end();
        self.ring.missed = 0;
        self.forget();
    }
}

pub(super) const fn has_event(flags: FlagsWord, index: usize) -> bool {
    match index {
        INSTRUCTIONS => flags.ire(),
        BRANCHES => flags.bre(),
        _ => flags.dme(),
    }
}

const fn enabled(session: &Session, index: usize) -> bool {
    match index {
        INSTRUCTIONS => session.msr0.ire(),
        BRANCHES => session.msr0.bre(),
        _ => session.msr0.dme(),
    }
}

const fn implemented(straps: &Config, index: usize) -> bool {
    match index {
        INSTRUCTIONS => straps.avail_ire,
        BRANCHES => straps.avail_bre,
        MISSES => straps.avail_dme,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lwp_regs::lwp::LwpMsr0;

    // The Flags of a block that ran before may have been written by anybody: what the unit lacks is never selected.
    #[test]
    fn what_does_not_exist_is_not_allowed() {
        let mut session =
            Session { msr0: LwpMsr0::new().with_ire(true).with_bre(true).with_dme(true), ..Session::default() };
        let straps =
            |index| Config { avail_ire: index != 0, avail_bre: index != 1, avail_dme: index != 2, ..Config::default() };
        let flags = FlagsWord::new().with_ire(true).with_bre(true).with_dme(true);
        for again in [false, true] {
            let allowed = [0, 1, 2, 3].map(|index| session.allowed(flags.into_bits().into(), again, &straps(index)));
            assert_eq!(allowed, [0b110, 0b101, 0b011, 0b111]);
        }
        session.msr0 = LwpMsr0::new().with_bre(true);
        assert_eq!(session.allowed(flags.into_bits().into(), false, &Config::default()), 0b010);
        assert_eq!(session.allowed(flags.into_bits().into(), true, &Config::default()), 0b111, "the block's own Flags");
    }
}
