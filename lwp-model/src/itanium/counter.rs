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

    /// A cycle of counter `c` with `n` events that it counts. Returns whether the counter overflows.
    #[inline]
    pub(super) fn step(&mut self, c: usize, n: u8) -> bool {
        let (pmd, over) = Pmd::of(self.count).plus(self.amount(c, n).into());
        self.count = pmd.count();
        self.pin = over & self.ev;
        over
    }
}
