//! What the system allows.

use crate::lwp::{AvailableFeatures, EnableError, Features, LwpMsr0, ThresholdHandler};

/// What the system lets user software do with LWP, before it is known what the processor has.
///
/// Enabling LWP commits the system to switching its state with each thread; wanting the interrupt, to handling it.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[must_use = "a policy does nothing until `Processor::enable`"]
pub struct Policy {
    required: Features,
    wanted: Features,
    handler: Option<ThresholdHandler>,
}

impl Policy {
    /// LWP without any event.
    #[inline]
    pub const fn new() -> Self {
        Self { required: Features::empty(), wanted: Features::empty(), handler: None }
    }

    /// These features too. Where one of them is missing, LWP is not enabled.
    #[inline]
    pub const fn require(mut self, features: Features) -> Self {
        self.required = self.required.union(features);
        self
    }

    /// These features too, as far as the processor has them.
    #[inline]
    pub const fn want(mut self, features: Features) -> Self {
        self.wanted = self.wanted.union(features);
        self
    }

    /// The threshold interrupt too, if the processor has it: `handler` is the system's word that it is handled. To do
    /// without LWP where it is missing, [`require`](Self::require) [`Features::INT`] as well.
    #[inline]
    pub const fn interrupt(mut self, handler: ThresholdHandler) -> Self {
        self.handler = Some(handler);
        self.want(Features::INT)
    }

    /// The value of LWPMSR0 for a processor that has these features.
    ///
    /// # Errors
    ///
    /// [`EnableError`] if a required feature is missing, or the interrupt is asked for without a handler.
    #[inline]
    pub const fn choose(&self, available: AvailableFeatures) -> Result<LwpMsr0, EnableError> {
        let there = self.wanted.intersection(available.features());
        LwpMsr0::enable(available, self.required.union(there), self.handler)
    }
}

#[cfg(test)]
#[allow(unsafe_code)] // promises handlers
mod tests {
    use super::*;

    const SOME: AvailableFeatures = AvailableFeatures::new(Features::IRE.union(Features::INT));

    fn chosen(policy: Policy) -> Result<u64, EnableError> {
        policy.choose(SOME).map(LwpMsr0::into_bits)
    }

    // LWP-MSR0-13: its level of support, stated once for all processors
    #[test]
    fn what_is_wanted_may_be_missing_and_what_is_required_may_not() {
        assert_eq!(chosen(Policy::new()), Ok(0x0000_0001));
        assert_eq!(chosen(Policy::new().want(Features::EVENTS)), Ok(0x0000_0003));
        assert_eq!(chosen(Policy::new().require(Features::IRE)), Ok(0x0000_0003));
        let both = Features::IRE | Features::DME;
        assert_eq!(chosen(Policy::new().require(both)), Err(EnableError::NotAvailable(Features::DME)));
    }

    // LWP-OVR-08, LWP-MSR0-14
    #[test]
    fn the_interrupt_is_enabled_with_a_handler_only() {
        // SAFETY: nothing interrupts in this test.
        let handler = unsafe { ThresholdHandler::installed() };
        assert_eq!(chosen(Policy::new().interrupt(handler)), Ok(0x8000_0001));
        assert_eq!(chosen(Policy::new().want(Features::INT)), Err(EnableError::NoHandler));
        assert_eq!(chosen(Policy::new().require(Features::INT)), Err(EnableError::NoHandler));
        let none = AvailableFeatures::new(Features::IRE);
        let policy = Policy::new().interrupt(handler);
        assert_eq!(policy.choose(none).map(LwpMsr0::into_bits), Ok(0x0000_0001), "no interrupt, but LWP");
        let missing = Err(EnableError::NotAvailable(Features::INT));
        assert_eq!(policy.require(Features::INT).choose(none), missing);
    }
}
