//! A second look at a control block that somebody else drains.

use super::ActiveLwpcb;
use crate::lwp::{CounterWord, FlagsWord, LwpcbAddr};

/// A control block that hardware uses, as the profiled thread sees it: what hardware owns can be read, nothing can be
/// written. The tail is not in it, since that is the business of the [`RingReader`](crate::lwp::RingReader), which may
/// be in another thread.
///
/// What hardware keeps in its own registers is here once hardware has flushed it.
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "LWP Control Block" and "LWPCB Access".
#[derive(Debug)]
pub struct LwpcbWatch<'a>(ActiveLwpcb<'a>);

impl<'a> LwpcbWatch<'a> {
    /// `view` is never written through.
    #[inline]
    pub(super) const fn new(view: ActiveLwpcb<'a>) -> Self {
        Self(view)
    }

    /// Linear address of the block.
    #[must_use]
    pub fn address(&self) -> LwpcbAddr {
        self.0.address()
    }

    /// What hardware is doing; written by it while it loads the block. 0 if it refused the block or has not read it
    /// yet.
    #[must_use]
    pub fn flags(&self) -> FlagsWord {
        self.0.flags()
    }

    /// Where hardware stores the next record, in bytes from the buffer's base; as in memory, not checked.
    #[must_use]
    pub fn head(&self) -> u32 {
        self.0.head()
    }

    /// How many events found the buffer full.
    #[must_use]
    pub fn missed_events(&self) -> u64 {
        self.0.missed_events()
    }

    /// Number of slots.
    #[must_use]
    #[inline]
    pub const fn slots(&self) -> usize {
        self.0.slots()
    }

    /// Events left until slot `index` gathers a record; `None` if there is no such slot.
    #[must_use]
    pub fn counter(&self, index: usize) -> Option<CounterWord> {
        self.0.counter(index)
    }
}
