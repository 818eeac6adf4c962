//! The Flags word of the control block.

use super::Features;
use super::LwpMsr0;

layout! {
    /// Flags, at offset 0 of the control block: what the hardware is really doing. Written by hardware while it loads the
    /// block, and only then.
    ///
    /// An event bit is set if the event is selected by a slot, implemented, and enabled in LWPMSR0; `en` if any event bit
    /// is. If none is, the word is 0 and LWP is not active.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "LWP Control Block", Figure 6. Bits 30:4 are taken as
    /// reserved; the figure's "1:30" collides with its own rows.
    pub struct FlagsWord: u32, Zero {
        /// LWP is active.
        #[inline]
        pub en: bool,
        /// Instructions retired are being counted.
        #[inline]
        pub ire: bool,
        /// Branches retired are being counted.
        #[inline]
        pub bre: bool,
        /// DCache misses are being counted.
        #[inline]
        pub dme: bool,
        #[bits(27)]
        __: u32,
        /// Threshold interrupts are enabled.
        #[inline]
        pub int: bool,
    }
}

// `features` reads Flags with the layout of LWPMSR0.
const _: () = assert!(
    FlagsWord::tock_field("IRE").shift == LwpMsr0::tock_field("IRE").shift
        && FlagsWord::tock_field("BRE").shift == LwpMsr0::tock_field("BRE").shift
        && FlagsWord::tock_field("DME").shift == LwpMsr0::tock_field("DME").shift
        && FlagsWord::tock_field("INT").shift == LwpMsr0::tock_field("INTERRUPT").shift
);

impl FlagsWord {
    /// The features whose bits are set.
    #[must_use]
    #[inline]
    pub const fn features(self) -> Features {
        Features::from_bits_truncate(self.into_bits())
    }

    /// The word that reports the active `features`: 0 when there is no event among them, else with `en` set.
    #[must_use]
    #[inline]
    pub const fn reporting(features: Features) -> Self {
        if features.intersection(Features::EVENTS).is_empty() {
            Self::new()
        } else {
            Self::from_bits(features.bits()).with_en(true)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Features, FlagsWord};

    // LWP-FLG-01, LWP-FLG-02, LWP-FLG-03, LWP-FLG-04, LWP-FLG-05, LWP-FLG-06
    #[test]
    fn positions() {
        assert_eq!(FlagsWord::new().with_en(true).into_bits(), 0x0000_0001);
        assert_eq!(FlagsWord::new().with_ire(true).into_bits(), 0x0000_0002);
        assert_eq!(FlagsWord::new().with_bre(true).into_bits(), 0x0000_0004);
        assert_eq!(FlagsWord::new().with_dme(true).into_bits(), 0x0000_0008);
        assert_eq!(FlagsWord::new().with_int(true).into_bits(), 0x8000_0000);
        assert_eq!(FlagsWord::RESERVED, 0x7FFF_FFF0);
    }

    // LWP-FLG-01: EN says that the active set is not empty
    #[test]
    fn reports_nothing_without_an_event() {
        assert_eq!(FlagsWord::reporting(Features::INT).into_bits(), 0);
        assert_eq!(FlagsWord::reporting(Features::INT | Features::DME).into_bits(), 0x8000_0009);
        assert_eq!(FlagsWord::from_bits(0x8000_0009).features(), Features::INT | Features::DME);
    }
}
