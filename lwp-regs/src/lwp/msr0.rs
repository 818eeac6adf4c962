//! LWPMSR0: what the system allows.

use super::{AvailableFeatures, EnabledFeatures, Features, LwpCaps};
use crate::access::GeneralProtection;
use crate::refused::Rule;
use core::fmt;

layout! {
    /// LWPMSR0, "LWP Feature Enable": what the system lets user software do with LWP. Reset value 0: nothing.
    ///
    /// Only what CPUID 8000_001C EDX reports can be set, feature by feature; anything else faults and changes nothing.
    /// Event bits may be set while `enabled` is 0 and have no effect then. User software reads bits 31:0 as EAX of the same
    /// leaf.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "LWPMSR0 - LWP Feature Enable", Table 3; bits 63:32 are not
    /// in the table and are taken as reserved.
    #[doc(alias = "0xC0000105")]
    #[doc(alias = "LWPMSR0")]
    #[doc(alias = "LWP_CFG")]
    pub struct LwpMsr0: u64, Fault {
        /// LWP can be used at all.
        #[inline]
        pub enabled: bool,
        /// LWP may count instructions retired.
        #[inline]
        pub ire: bool,
        /// LWP may count branches retired.
        #[inline]
        pub bre: bool,
        /// LWP may count DCache misses.
        #[inline]
        pub dme: bool,
        #[bits(27)]
        __: u64,
        /// LWP may interrupt when the threshold is crossed.
        #[inline]
        pub interrupt: bool,
        #[bits(32)]
        __: u64,
    }
    msr "LWPMSR0" = 0xC000_0105, read_write, caps = LwpCaps;
}

impl LwpMsr0 {
    /// Value after reset: LWP is off.
    pub const RESET: Self = Self::new();

    /// The bits that may be set on a processor with these features. Reserved bits are never among them.
    #[must_use]
    #[inline]
    pub const fn writable_mask(available: AvailableFeatures) -> u64 {
        Self::new().with_enabled(true).into_bits() | available.features().bits() as u64
    }

    /// What a WRMSR of `new` does: the register's new content. The old content does not matter to this register.
    ///
    /// # Errors
    ///
    /// [`GeneralProtection::Refused`] with the offending bits, when a bit is set that is reserved or whose feature
    /// `caps` does not have. The register keeps its content then.
    #[inline]
    pub const fn check_write(_old: Self, new: u64, caps: &LwpCaps) -> Result<Self, GeneralProtection> {
        match new & !Self::writable_mask(caps.available) {
            0 => Ok(Self::from_bits(new)),
            bits if bits & Self::RESERVED != 0 => {
                Err(GeneralProtection::refused("LWPMSR0", bits & Self::RESERVED, Rule::MustBeZero))
            }
            bits => Err(GeneralProtection::refused("LWPMSR0", bits, Rule::NotAvailable("the feature in CPUID EDX"))),
        }
    }

    /// The value that enables LWP with `subset` of what is available; what system software loads at start-up.
    ///
    /// Enabling LWP commits the system to context-switching its state. Enabling the interrupt commits it to handling
    /// it, which is why [`Features::INT`] needs a [`ThresholdHandler`].
    ///
    /// # Errors
    ///
    /// [`EnableError`] when a feature is not available, or the interrupt is asked for without a handler.
    #[inline]
    pub const fn enable(
        available: AvailableFeatures,
        subset: Features,
        handler: Option<ThresholdHandler>,
    ) -> Result<Self, EnableError> {
        let missing = subset.difference(available.features());
        if !missing.is_empty() {
            return Err(EnableError::NotAvailable(missing));
        }
        if subset.contains(Features::INT) && handler.is_none() {
            return Err(EnableError::NoHandler);
        }
        Ok(Self::from_bits(subset.bits() as u64).with_enabled(true))
    }

    /// The features whose bits are set, whether or not `enabled` is.
    #[must_use]
    #[inline]
    pub const fn features(self) -> Features {
        Features::from_bits_truncate(self.into_bits() as u32)
    }

    /// What user software may use while the register has this content; `None` while `enabled` is 0.
    #[must_use]
    #[inline]
    pub const fn enabled_features(self) -> Option<EnabledFeatures> {
        EnabledFeatures::from_eax(self.eax())
    }

    /// EAX of CPUID 8000_001C while the register has this content.
    #[must_use]
    #[inline]
    pub const fn eax(self) -> u32 {
        self.into_bits() as u32 & !Self::RESERVED as u32
    }
}

/// The system's word that it handles the threshold interrupt, wanted by [`LwpMsr0::enable`].
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ThresholdHandler(());

impl ThresholdHandler {
    /// To be called once the handler is installed.
    ///
    /// # Safety
    ///
    /// While LWP is enabled, the vector of the threshold interrupt has a gate to a handler that expects it.
    #[must_use]
    #[inline]
    #[allow(unsafe_code)] // the word is a promise that no type can check
    pub const unsafe fn installed() -> Self {
        Self(())
    }
}

/// Why a set of features cannot be enabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum EnableError {
    /// These features are not available; writing them would raise #GP.
    NotAvailable(Features),
    /// The interrupt was asked for without a handler.
    NoHandler,
}

impl fmt::Display for EnableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAvailable(features) => {
                write!(f, "{features:?} not available on this processor; ask for a subset of CPUID EDX")
            }
            Self::NoHandler => {
                f.write_str("the threshold interrupt needs a handler; install one and pass ThresholdHandler")
            }
        }
    }
}

impl core::error::Error for EnableError {}

#[cfg(test)]
#[allow(unsafe_code)] // promises handlers
mod tests {
    use super::*;
    use crate::lwp::caps::tests::caps_with;

    // LWP-MSR0-03, LWP-MSR0-04, LWP-MSR0-05, LWP-MSR0-06, LWP-MSR0-07, LWP-MSR0-08
    #[test]
    fn positions_and_reset() {
        assert_eq!(LwpMsr0::ADDRESS, 0xC000_0105);
        assert_eq!(LwpMsr0::RESET.into_bits(), 0);
        assert_eq!(LwpMsr0::new().with_enabled(true).into_bits(), 0x0000_0001);
        assert_eq!(LwpMsr0::new().with_ire(true).into_bits(), 0x0000_0002);
        assert_eq!(LwpMsr0::new().with_bre(true).into_bits(), 0x0000_0004);
        assert_eq!(LwpMsr0::new().with_dme(true).into_bits(), 0x0000_0008);
        assert_eq!(LwpMsr0::new().with_interrupt(true).into_bits(), 0x8000_0000);
        assert_eq!(LwpMsr0::RESERVED, 0xFFFF_FFFF_7FFF_FFF0);
    }

    // LWP-MSR0-01, LWP-CPU-06: every subset of what is available can be written and reads back
    #[test]
    fn every_available_subset_is_legal() {
        let caps = caps_with(Features::all());
        assert_eq!(LwpMsr0::writable_mask(caps.available), 0x8000_000F);
        for low in 0..32u64 {
            let value = low & 0xF | (low >> 4) << 31;
            assert_eq!(LwpMsr0::check_write(LwpMsr0::RESET, value, &caps).map(LwpMsr0::into_bits), Ok(value));
        }
    }

    // LWP-MSR0-07, LWP-MSR0-09, LWP-MSR0-12
    #[test]
    fn other_bits_fault_and_are_named() {
        let caps = caps_with(Features::BRE);
        let gp = |value| LwpMsr0::check_write(LwpMsr0::RESET, value, &caps).unwrap_err();
        let lacking =
            |bits| GeneralProtection::refused("LWPMSR0", bits, Rule::NotAvailable("the feature in CPUID EDX"));
        let reserved = |bits| GeneralProtection::refused("LWPMSR0", bits, Rule::MustBeZero);
        assert_eq!(gp(0x0000_0003), lacking(0x2));
        assert_eq!(gp(0x8000_0005), lacking(0x8000_0000));
        assert_eq!(gp(0x0000_0010), reserved(0x10));
        assert_eq!(gp(0x4000_0001), reserved(0x4000_0000));
        assert_eq!(gp(1 << 32), reserved(1 << 32));
    }

    // LWP-MSR0-16: event bits without Enabled are legal
    #[test]
    fn event_bits_without_enabled() {
        let msr0 = LwpMsr0::check_write(LwpMsr0::RESET, 0xE, &caps_with(Features::EVENTS)).unwrap();
        assert_eq!(msr0.features(), Features::EVENTS);
        assert!(!msr0.enabled());
        assert_eq!(msr0.enabled_features(), None);
        assert_eq!(msr0.with_enabled(true).enabled_features().unwrap().features(), Features::EVENTS);
    }

    // LWP-CPU-04, LWP-MSR0-11
    #[test]
    fn eax_is_the_image() {
        assert_eq!(LwpMsr0::from_bits(0x8000_0009).eax(), 0x8000_0009);
        assert_eq!(LwpMsr0::from_bits(u64::MAX).eax(), 0x8000_000F, "EAX[30:4] read as 0");
    }

    // LWP-MSR0-13, LWP-OVR-08; LWP-MSR0-14: without a handler bit 31 stays 0
    #[test]
    fn enabling_the_interrupt_needs_a_handler() {
        let available = AvailableFeatures::new(Features::IRE | Features::INT);
        let enable = |subset, handler| LwpMsr0::enable(available, subset, handler).map(LwpMsr0::into_bits);
        assert_eq!(enable(Features::IRE, None), Ok(0x0000_0003));
        assert_eq!(enable(Features::INT, None), Err(EnableError::NoHandler));
        // SAFETY: nothing interrupts in this test.
        let handler = unsafe { ThresholdHandler::installed() };
        assert_eq!(enable(Features::INT, Some(handler)), Ok(0x8000_0001));
        assert_eq!(enable(Features::BRE, None), Err(EnableError::NotAvailable(Features::BRE)));
    }

    #[test]
    fn tock_fields_are_the_same_bits() {
        let mut copy = LwpMsr0::RESET.to_tock();
        copy.modify(LwpMsr0::tock_field("ENABLED").val(1) + LwpMsr0::tock_field("DME").val(1));
        assert!(copy.is_set(LwpMsr0::tock_field("DME")));
        assert_eq!(LwpMsr0::from(copy).into_bits(), 0x9);
    }
}
