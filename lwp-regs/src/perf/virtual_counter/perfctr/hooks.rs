//! Where the system calls the driver: at a switch, at the end of a task, at an overflow.

use super::{CallError, Perfctr};
use crate::perf::virtual_counter::{CounterHardware, CounterSelect};

impl<T: Copy + PartialEq, C: Copy + PartialEq, S: CounterSelect, const N: usize, const OBJECTS: usize>
    Perfctr<T, C, S, N, OBJECTS>
{
    /// The processor goes from `prev` to `next`: suspends the counters of the one, then resumes those of the other. `None`
    /// is a task without counters. An overflow of `prev` whose interrupt has not come yet is noted for it; the interrupt
    /// then finds nothing. Returns what it has noted, a bit for each counter.
    ///
    /// # Errors
    ///
    /// A fault; the counters of `next` have not been resumed then. [`CallError::Inconsistent`], with
    /// [`Options::checks`](super::Options): the counters of `next` run already, or those of `prev` do not; nothing is done.
    pub fn switch<H>(&mut self, hw: &mut H, prev: Option<T>, next: Option<T>) -> Result<u32, CallError<H::Fault>>
    where
        H: CounterHardware<Counter = C, Select = S>,
    {
        if self.options.checks && !(self.runs(prev, true) && self.runs(next, false)) {
            return Err(CallError::Inconsistent);
        }
        let mut overflowed = 0;
        if let Some(object) = prev.and_then(|prev| self.object_of(prev)) {
            object.counters().suspend(hw).map_err(CallError::Fault)?;
            overflowed = object.counters().overflow(hw).map_err(CallError::Fault)?;
            object.page.overflowed |= overflowed;
        }
        if let Some(object) = next.and_then(|next| self.object_of(next)).filter(|object| !object.stopped) {
            object.counters().resume(hw).map_err(CallError::Fault)?;
        }
        Ok(overflowed)
    }

    /// Whether the counters of a task run, or do not, as they should. A task without any, or with stopped ones, is as it
    /// should.
    fn runs(&mut self, task: Option<T>, should: bool) -> bool {
        let object = task.and_then(|task| self.object_of(task));
        object.is_none_or(|object| object.stopped || object.page.counters.is_running() == should)
    }

    /// The task `current`, which runs, ends: stops its counters and takes them from it. Files keep the last sums.
    ///
    /// # Errors
    ///
    /// A fault. The task keeps its counters then.
    pub fn exit<H>(&mut self, hw: &mut H, current: T) -> Result<(), CallError<H::Fault>>
    where
        H: CounterHardware<Counter = C, Select = S>,
    {
        let own = |object: &Option<super::object::Object<T, C, S, N>>| {
            object.as_ref().is_some_and(|object| object.owner == Some(current))
        };
        let Some(place) = self.objects.iter().position(own) else { return Ok(()) };
        if let Some(object) = &mut self.objects[place] {
            object.counters().suspend(hw).map_err(CallError::Fault)?;
            (object.owner, object.stopped) = (None, true);
        }
        self.put(place);
        Ok(())
    }

    /// The overflow interrupt has come while `current` runs: which of its counters have overflowed, a bit each. All of them
    /// stand until [`iresume`](Self::iresume). 0 means that the interrupt was not for this task.
    ///
    /// # Errors
    ///
    /// A fault.
    pub fn interrupt<H>(&mut self, hw: &mut H, current: Option<T>) -> Result<u32, CallError<H::Fault>>
    where
        H: CounterHardware<Counter = C, Select = S>,
    {
        let Some(object) = current.and_then(|current| self.object_of(current)) else { return Ok(0) };
        let overflowed = object.counters().overflow(hw).map_err(CallError::Fault)?;
        object.page.overflowed |= overflowed;
        Ok(overflowed)
    }
}
