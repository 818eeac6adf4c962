//! Stage queue: branch records that wait for the bus or for memory.

use super::collect::Transfer;
use super::config::Config;
use super::now::Now;
use super::state::{Queue, Record};
use lwp_regs::trace::TraceSink;

impl Queue {
    /// The oldest record, if there is one.
    #[inline]
    pub(super) const fn first(&self) -> Option<&Record> {
        if self.count == 0 { None } else { Some(&self.record[0]) }
    }

    /// The message that is pending.
    #[inline]
    pub(super) fn message(&self) -> Option<&Record> {
        self.first().filter(|record| !record.store)
    }

    /// A cycle with these transfers. `ready` is whether the bus takes the message, `ended` whether the store has done with the first record.
    #[inline]
    pub(super) fn step(&mut self, now: &Now, transfers: &[Transfer], straps: &Config, ready: bool, ended: bool) {
        if ended || ready && self.message().is_some() {
            self.remove();
        }
        if !now.debugctl.traces_at(now.level) {
            return;
        }
        let (store, circular) = (now.debugctl.trace_sink() == TraceSink::Buffer, !now.debugctl.btint());
        for transfer in transfers.iter().filter(|transfer| !transfer.debug || straps.db_message) {
            let Transfer { from, to, predicted, .. } = *transfer;
            self.record[usize::from(self.count)] = Record { store, wide: now.wide, circular, predicted, from, to };
            self.count += 1;
        }
    }

    /// Removes the oldest record; the others move up.
    #[inline]
    fn remove(&mut self) {
        let count = usize::from(self.count);
        self.record.copy_within(1..count, 0);
        self.record[count - 1] = Record::default();
        self.count -= 1;
    }
}
