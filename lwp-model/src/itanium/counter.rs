//! Stage counter: threshold, count, overflow.

use super::state::Counter;
use lwp_regs::itanium::{Pmc67, Pmd};

impl Counter {
    /// By how much counter `c` moves in a cycle with `n` events, if its monitor is on.
    #[inline]
    fn amount(&self, c: usize, n: u8) -> u8 {
        let pmc = self.register();
        if c < 2 { pmc.increment(n) } else { Pmc67::from_bits(pmc.into_bits()).increment(n) }
    }

    /// A cycle of counter `c` with `n` events. `on` is whether its monitor is on, `written` what PMD\[4 + c\] is written with. Returns
    /// whether the counter overflows.
    #[inline]
    pub(super) fn step(&mut self, c: usize, n: u8, on: bool, written: Option<Pmd>) -> bool {
        let add = if on { self.amount(c, n) } else { 0 };
        let (pmd, over) = Pmd::of(self.count).plus(add.into());
        self.count = written.unwrap_or(pmd).count();
        self.pin = over && self.ev;
        over
    }
}
