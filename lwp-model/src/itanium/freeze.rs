//! Stage freeze: PMC\[0\] and the interrupt.

use super::state::{COUNTERS, Counter, Freeze};
use lwp_regs::itanium as regs;
use lwp_regs::itanium::Pmc0;

impl Freeze {
    /// A cycle. `over` is whether each counter overflows, `written` what PMC\[0\] is written with.
    #[inline]
    pub(super) fn step(
        &mut self,
        counters: &[Counter; COUNTERS],
        over: [bool; COUNTERS],
        freeze_always: bool,
        written: Option<Pmc0>,
        irq_ack: bool,
    ) {
        self.irq &= !irq_ack;
        // Most cycles: nothing overflows, nothing is written.
        if over == [false; COUNTERS] && written.is_none() {
            return;
        }
        let mut pmc0 = written.unwrap_or(self.register());
        for ((index, counter), over) in regs::Counter::ALL.into_iter().zip(counters).zip(over) {
            if over {
                pmc0 = pmc0.after_overflow(index, counter.oi || freeze_always);
                self.irq |= counter.oi;
            }
        }
        (self.fr, self.overflow) = (pmc0.fr(), pmc0.overflow().get());
    }
}
