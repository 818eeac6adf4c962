//! Step 3 of a cycle, registers of the logical processors.

use super::config::Config;
use super::request::Write;
use super::state::Processor;
use lwp_regs::tsc::{TscAdjust, TscState};

impl Processor {
    /// Returns the registers of the next cycle: the write takes effect first, then the ticks of the cycle are added.
    #[inline]
    pub(super) const fn next(self, write: Option<Write>, ticks: u32, straps: &Config) -> Self {
        let time = TscState { counter: self.counter, adjust: self.adjust };
        let (time, aux) = match write {
            None => (time, self.aux),
            Some(Write::Counter(value)) => (time.write_counter(value, straps.write_width), self.aux),
            Some(Write::Adjust(value)) => (time.write_adjust(value), self.aux),
            Some(Write::Aux(aux)) => (time, aux),
        };
        let TscState { counter, adjust } = time.after(ticks as u64);
        Self { counter, adjust: if straps.adjust { adjust } else { TscAdjust::RESET }, aux }
    }
}
