//! The two formats of the debug-store area.

use super::DsFeatures;

/// How wide the fields of the debug-store area and its records are.
///
/// Source: Intel SDM volume 3B, "BTS and DS Save Area" and "64 Bit Format of the DS Save Area", Figures 17-5 to 17-10.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum DsFormat {
    /// Fields of 4 bytes.
    Bits32,
    /// Fields of 8 bytes.
    Bits64,
}

impl DsFormat {
    /// The format that the processor uses: that of 64 bits in every mode where DTES64 is reported, otherwise the one of
    /// the mode.
    #[must_use]
    #[inline]
    pub const fn select(features: DsFeatures, ia32e_mode: bool) -> Self {
        if features.contains(DsFeatures::DTES64) || ia32e_mode { Self::Bits64 } else { Self::Bits32 }
    }

    /// Bytes of a field.
    #[must_use]
    #[inline]
    pub const fn field_bytes(self) -> usize {
        match self {
            Self::Bits32 => 4,
            Self::Bits64 => 8,
        }
    }

    /// Bytes of the buffer management area as this crate lays it out: 30H, and 80H with room for the reset values of
    /// eight PEBS counters (the manual's figure of the latter ends at 50H, with that of one).
    #[must_use]
    #[inline]
    pub const fn management_bytes(self) -> usize {
        match self {
            Self::Bits32 => 0x30,
            Self::Bits64 => 0x80,
        }
    }

    /// How many PEBS counters have a reset value in the area.
    #[must_use]
    #[inline]
    pub const fn reset_values(self) -> usize {
        match self {
            Self::Bits32 => 1,
            Self::Bits64 => 8,
        }
    }

    /// Bytes of a branch record: 12 or 24.
    #[must_use]
    #[inline]
    pub const fn bts_record_bytes(self) -> u64 {
        3 * self.field_bytes() as u64
    }

    /// Whether `address` can be stored in a field.
    #[must_use]
    #[inline]
    pub const fn holds(self, address: u64) -> bool {
        match self {
            Self::Bits32 => address <= u32::MAX as u64,
            Self::Bits64 => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{DsFeatures, DsFormat};

    // BTS-20: 12 and 24 bytes
    #[test]
    fn sizes() {
        assert_eq!([DsFormat::Bits32, DsFormat::Bits64].map(DsFormat::bts_record_bytes), [12, 24]);
        assert_eq!([DsFormat::Bits32, DsFormat::Bits64].map(DsFormat::management_bytes), [0x30, 0x80]);
    }

    #[test]
    fn selection() {
        assert_eq!(DsFormat::select(DsFeatures::DS, false), DsFormat::Bits32);
        assert_eq!(DsFormat::select(DsFeatures::DS, true), DsFormat::Bits64);
        assert_eq!(DsFormat::select(DsFeatures::DTES64, false), DsFormat::Bits64);
        assert!(!DsFormat::Bits32.holds(1 << 32) && DsFormat::Bits64.holds(1 << 32));
    }
}
