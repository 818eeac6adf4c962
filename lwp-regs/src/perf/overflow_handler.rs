//! The word of the system that overflow interrupts are handled.
#![allow(unsafe_code)] // the word is a promise that no type can check

/// The system's word that it handles overflow interrupts on this processor. The builders of all event selects want it
/// for the bit that makes a counter interrupt.
///
/// [`OverflowSetup`](crate::perf::p6::overflow::OverflowSetup) gives one at its last step.
#[derive(Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct OverflowHandler(());

impl OverflowHandler {
    /// To be called by who has installed the handler in another way than by
    /// [`OverflowSetup`](crate::perf::p6::overflow::OverflowSetup).
    ///
    /// # Safety
    ///
    /// While a counter may interrupt, the vector in the local APIC's entry for performance counters has a gate to a
    /// handler that expects the interrupt.
    #[must_use]
    #[inline]
    pub const unsafe fn installed() -> Self {
        Self(())
    }

    /// For the set-up that has installed it.
    #[inline]
    pub(crate) const fn set_up() -> Self {
        Self(())
    }
}
