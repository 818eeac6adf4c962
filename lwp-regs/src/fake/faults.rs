//! What fails in the fake.

use super::plan::Plan;
use super::{Access, FakeMsrs};

/// What fails. An access has the index that it has in the trace: 0 is the first since the trace was forgotten.
impl<const N: usize, F: Clone, const T: usize> FakeMsrs<'_, N, F, T> {
    /// The access with this index fails; it has no effect. Any other plan by index is given up.
    pub fn fail_at(&mut self, index: usize, fault: impl Into<F>) {
        self.plan = Plan::failing(index, index.saturating_add(1), fault.into());
    }

    /// The access with this index fails, and so does each one after it: cleaning up does too.
    pub fn fail_from(&mut self, index: usize, fault: impl Into<F>) {
        self.plan = Plan::failing(index, usize::MAX, fault.into());
    }

    /// Each access to the register with this number fails.
    ///
    /// # Panics
    ///
    /// If it is not defined; accesses to it fail anyway.
    #[track_caller]
    pub fn fail_number(&mut self, number: u32, fault: impl Into<F>) {
        self.defined(number).fault = Some(fault.into());
    }

    /// Nothing is made to fail any more.
    pub fn heal(&mut self) {
        self.plan = Plan::none();
        self.registers.iter_mut().flatten().for_each(|register| register.fault = None);
    }

    /// The first access that failed by [`fail_at`](Self::fail_at) or [`fail_from`](Self::fail_from), if software has got
    /// there.
    #[must_use]
    #[inline]
    pub const fn failed(&self) -> Option<Access> {
        self.plan.failed()
    }

    /// Runs `run` on copies of the fake as it is now: in the first run access 0 fails with `fault`, in the second access
    /// 1, and so on, until a run gets to its end without a failure. Returns the number of runs that did have one, which
    /// is the number of accesses of the last run.
    ///
    /// `run` calls the software under test and says what has to hold afterwards; [`failed`](Self::failed) tells it
    /// whether an access failed and which.
    #[must_use = "if there was no fault point, nothing has been shown"]
    pub fn every_fault_point(&self, fault: impl Into<F>, mut run: impl FnMut(&mut Self)) -> usize {
        let fault = fault.into();
        let mut index = 0;
        loop {
            let mut copy = self.clone();
            copy.forget_trace();
            copy.fail_at(index, fault.clone());
            run(&mut copy);
            if copy.failed().is_none() {
                return index;
            }
            index += 1;
        }
    }
}
