//! Counters and debug registers of a thread, and the hooks of the scheduler.

use super::{CounterHardware, CounterSelect, TaskCounters};

/// The part of a thread's state that belongs to monitoring: its debug registers and, if it has any, its counters.
///
/// Source: perfctr for Linux 2.4, `thread_struct` and `arch/i386/kernel/process.c`.
#[derive(Clone, Debug)]
pub struct Thread<C, S, const N: usize> {
    /// DR0 to DR7 while the thread does not run. Switching them is up to the scheduler.
    pub debugreg: [u64; 8],
    perfctr: Option<TaskCounters<C, S, N>>,
}

impl<C: Copy + PartialEq, S: CounterSelect, const N: usize> Thread<C, S, N> {
    /// A thread without counters, its debug registers 0.
    #[must_use]
    #[inline]
    pub const fn new() -> Self {
        Self { debugreg: [0; 8], perfctr: None }
    }

    /// Gives the thread counters, which count from the next time on that it is switched to, and returns those that it
    /// had; if the thread is running, these are still to be suspended.
    #[inline]
    pub const fn attach(&mut self, counters: TaskCounters<C, S, N>) -> Option<TaskCounters<C, S, N>> {
        self.perfctr.replace(counters)
    }

    /// Its counters.
    #[must_use]
    #[inline]
    pub const fn counters(&self) -> Option<&TaskCounters<C, S, N>> {
        self.perfctr.as_ref()
    }

    /// Its counters, to be sampled or resumed.
    #[inline]
    pub const fn counters_mut(&mut self) -> Option<&mut TaskCounters<C, S, N>> {
        self.perfctr.as_mut()
    }

    /// The processor goes from `prev` to `next`: suspends the counters of the one, then resumes those of the other.
    ///
    /// Returns which counters of `prev` have overflowed without their interrupt having come yet, a bit each, as
    /// [`TaskCounters::overflow`] does: `prev` is halted then, until [`TaskCounters::iresume`], and the interrupt, which
    /// comes while `next` runs, finds nothing.
    ///
    /// # Errors
    ///
    /// The fault that an access raised. The counters of `next` have not been resumed then. An overflow of `prev` is not
    /// reported again; [`TaskCounters::is_halted`] shows it.
    pub fn switch<H>(prev: &mut Self, next: &mut Self, hw: &mut H) -> Result<u32, H::Fault>
    where
        H: CounterHardware<Counter = C, Select = S>,
    {
        let mut overflowed = 0;
        if let Some(counters) = &mut prev.perfctr {
            counters.suspend(hw)?;
            overflowed = counters.overflow(hw)?;
        }
        if let Some(counters) = &mut next.perfctr {
            counters.resume(hw)?;
        }
        Ok(overflowed)
    }

    /// The thread that a fork makes of this one: with copies of the debug registers, and without counters.
    ///
    /// perfctr does not say in its documentation whether the child inherits counters. Here it does not: its counts would
    /// be those of two threads, and its program has not asked for them. It may be given its own by
    /// [`attach`](Self::attach).
    #[must_use]
    #[inline]
    pub const fn fork(&self) -> Self {
        Self { debugreg: self.debugreg, perfctr: None }
    }

    /// The thread, which is running, ends: stops its counters and gives them back with their last sums, for whoever
    /// still wants to read them.
    ///
    /// # Errors
    ///
    /// The fault that an access raised. The thread keeps its counters then.
    pub fn exit<H>(&mut self, hw: &mut H) -> Result<Option<TaskCounters<C, S, N>>, H::Fault>
    where
        H: CounterHardware<Counter = C, Select = S>,
    {
        if let Some(counters) = &mut self.perfctr {
            counters.suspend(hw)?;
        }
        Ok(self.perfctr.take())
    }
}

impl<C: Copy + PartialEq, S: CounterSelect, const N: usize> Default for Thread<C, S, N> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
#[path = "thread_tests.rs"]
mod tests;
