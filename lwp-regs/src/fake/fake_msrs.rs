//! The fake itself.

use super::plan::Plan;
use super::register::Register;
use super::time::Time;
use super::trace::Trace;
use crate::access::{Cpuid, GeneralProtection};
#[cfg(feature = "debug")]
use crate::debug::{DebugCaps, DebugRegisterFile};
use core::fmt;

/// The model-specific registers of a processor in a variable, with RDPMC, RDTSC, CPUID and the debug registers beside
/// them. Room for `N` registers and a trace of `T` accesses; what fails, fails with `F`.
///
/// [`new`](Self::new) makes the usual one: faults are [`GeneralProtection`], the trace holds 64 accesses. For other types
/// or sizes there is `Default`: `FakeMsrs::<4, DebugFault, 500>::default()`.
///
/// See the [module](super) for what it does and for an example.
#[derive(Clone)]
pub struct FakeMsrs<'a, const N: usize, F = GeneralProtection, const T: usize = 64> {
    pub(super) registers: [Option<Register<'a, F>>; N],
    pub(super) trace: Trace<T>,
    pub(super) plan: Plan<F>,
    pub(super) identity: Option<&'a dyn Cpuid>,
    #[cfg(feature = "debug")]
    pub(super) debug: DebugRegisterFile,
    pub(super) time: Time,
}

impl<const N: usize> FakeMsrs<'_, N> {
    /// A processor without registers, whose accesses are traced and do not fail otherwise.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl<const N: usize, F: Clone, const T: usize> Default for FakeMsrs<'_, N, F, T> {
    fn default() -> Self {
        Self {
            registers: [const { None }; N],
            trace: Trace::new(),
            plan: Plan::none(),
            identity: None,
            #[cfg(feature = "debug")]
            debug: DebugRegisterFile::new(DebugCaps::INTEL_64),
            time: Time::default(),
        }
    }
}

impl<const N: usize, F: fmt::Debug, const T: usize> fmt::Debug for FakeMsrs<'_, N, F, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FakeMsrs")
            .field("registers", &self.registers)
            .field("trace", &self.trace)
            .finish_non_exhaustive()
    }
}
