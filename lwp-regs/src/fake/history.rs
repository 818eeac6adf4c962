//! What has happened to the fake.

use super::register::Register;
use super::trace::Trace;
use super::{Access, FakeMsrs, TraceOverflow};
use core::fmt;

/// What has happened.
impl<const N: usize, F: Clone, const T: usize> FakeMsrs<'_, N, F, T> {
    /// Every access since the trace was forgotten, in order, those that faulted too. CPUID is not among them.
    ///
    /// # Errors
    ///
    /// [`TraceOverflow`] if there were more than `T`.
    pub fn trace(&self) -> Result<&[Access], TraceOverflow> {
        self.trace.get()
    }

    /// How many accesses there were since the trace was forgotten, however many it holds.
    #[must_use]
    #[inline]
    pub const fn accesses(&self) -> usize {
        self.trace.made()
    }

    /// Begins a new trace: the next access has index 0.
    pub fn forget_trace(&mut self) {
        self.trace = Trace::new();
    }

    /// The accesses were exactly these, in this order.
    ///
    /// # Panics
    ///
    /// If not, naming the first that differs; and if there were more than `T`.
    #[track_caller]
    pub fn assert_trace(&self, expected: &[Access]) {
        let made = match self.trace() {
            Ok(made) => made,
            Err(overflow) => panic!("{overflow}"),
        };
        let count = made.len();
        for index in 0..count.max(expected.len()) {
            let (wanted, got) = (Named(self, expected.get(index)), Named(self, made.get(index)));
            assert!(wanted.1 == got.1, "access {index} of {count}: expected {wanted}, got {got}");
        }
    }

    /// Begins an access: it is traced, and fails if it is planned to.
    pub(super) fn begin(&mut self, access: Access) -> Result<(), F> {
        let index = self.trace.made();
        self.trace.push(access);
        self.plan.check(index, access)?;
        match access.number().and_then(|number| self.register(number)) {
            Some(Register { fault: Some(fault), .. }) => Err(fault.clone()),
            _ => Ok(()),
        }
    }
}

/// An access with the name of its register, if there is one.
struct Named<'f, 'a, const N: usize, F, const T: usize>(&'f FakeMsrs<'a, N, F, T>, Option<&'f Access>);

impl<const N: usize, F: Clone, const T: usize> fmt::Display for Named<'_, '_, N, F, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(fake, Some(access)) = self else { return f.write_str("nothing") };
        let name = access.number().and_then(|number| fake.registers().find(|register| register.number == number));
        match name {
            Some(register) => write!(f, "{access} ({})", register.name),
            None => access.fmt(f),
        }
    }
}
