//! What software did, in order.

use super::Access;
use core::fmt;

/// The first `T` accesses, and how many there were.
#[derive(Clone)]
pub(super) struct Trace<const T: usize> {
    list: [Access; T],
    made: usize,
}

impl<const T: usize> Trace<T> {
    #[inline]
    pub(super) const fn new() -> Self {
        Self { list: [Access::Rdtsc; T], made: 0 }
    }

    /// How many accesses there were: the index of the next one.
    #[inline]
    pub(super) const fn made(&self) -> usize {
        self.made
    }

    pub(super) fn push(&mut self, access: Access) {
        if let Some(place) = self.list.get_mut(self.made) {
            *place = access;
        }
        self.made += 1;
    }

    pub(super) fn get(&self) -> Result<&[Access], TraceOverflow> {
        self.list.get(..self.made).ok_or(TraceOverflow { room: T, made: self.made })
    }
}

impl<const T: usize> fmt::Debug for Trace<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let held = &self.list[..self.made.min(T)];
        f.debug_struct("Trace").field("made", &self.made).field("held", &held).finish()
    }
}

/// More accesses than the trace has room for: the first ones are there, the others were only counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct TraceOverflow {
    /// How many accesses the trace holds.
    pub room: usize,
    /// How many there were.
    pub made: usize,
}

impl fmt::Display for TraceOverflow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { room, made } = self;
        write!(
            f,
            "{made} accesses, but the trace has room for {room}; give the fake a larger one, or forget_trace() before"
        )
    }
}

impl core::error::Error for TraceOverflow {}
