//! The two formats of the debug-store area.

use super::DsFeatures;
use crate::perf::architectural::Ia32PerfCapabilities;

/// How wide the fields of the debug-store area and its records are, and how many counters have a reset value in it.
///
/// Source: Intel SDM volume 3B, "BTS and DS Save Area" and "64 Bit Format of the DS Save Area", Figures 17-5 to 17-10;
/// reset values of PEBS formats 4 and 5: Linux, `intel_ds.h` (`MAX_PEBS_EVENTS_FMT4` 8, `MAX_PEBS_EVENTS` 32,
/// `MAX_FIXED_PEBS_EVENTS` 16) and "perf/x86/intel: Support PEBS record format 5" ("8 general-purpose counters followed by 4
/// fixed-function counters"; "32 general-purpose counters followed by 16 fixed-function counters").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum DsFormat {
    /// Fields of 4 bytes.
    Bits32,
    /// Fields of 8 bytes, with the reset values of 8 general-purpose counters: PEBS formats 0 to 3.
    Bits64,
    /// Fields of 8 bytes, with the reset values of 8 general-purpose and 4 fixed-function counters: PEBS format 4 (Ice Lake).
    Bits64Format4,
    /// Fields of 8 bytes, with the reset values of 32 general-purpose and 16 fixed-function counters: PEBS format 5 and later.
    Bits64Format5,
}

impl DsFormat {
    /// The format that the processor uses: that of 64 bits in every mode where DTES64 is reported, otherwise the one of
    /// the mode.
    #[must_use]
    #[inline]
    pub const fn select(features: DsFeatures, ia32e_mode: bool) -> Self {
        if features.contains(DsFeatures::DTES64) || ia32e_mode { Self::Bits64 } else { Self::Bits32 }
    }

    /// The same with the reset values that PEBS of these capabilities reads. Without PEBS it does not matter.
    #[must_use]
    #[inline]
    pub const fn with_pebs(self, capabilities: Ia32PerfCapabilities) -> Self {
        match (self, capabilities.pebs_format().get()) {
            (Self::Bits32, _) => Self::Bits32,
            (_, 0..=3) => Self::Bits64,
            (_, 4) => Self::Bits64Format4,
            (_, 5..) => Self::Bits64Format5,
        }
    }

    /// Whether fields have 8 bytes.
    #[must_use]
    #[inline]
    pub const fn is_64(self) -> bool {
        !matches!(self, Self::Bits32)
    }

    /// Bytes of a field.
    #[must_use]
    #[inline]
    pub const fn field_bytes(self) -> usize {
        if self.is_64() { 8 } else { 4 }
    }

    /// Bytes of the buffer management area as this crate lays it out: 30H, 80H (the manual's figure of this one ends at
    /// 50H, with one reset value), A0H, 1C0H.
    #[must_use]
    #[inline]
    pub const fn management_bytes(self) -> usize {
        match self {
            Self::Bits32 => 0x30,
            _ => 0x40 + 8 * (self.reset_values() + self.fixed_reset_values()),
        }
    }

    /// How many general-purpose counters have a reset value in the area.
    #[must_use]
    #[inline]
    pub const fn reset_values(self) -> usize {
        match self {
            Self::Bits32 => 1,
            Self::Bits64 | Self::Bits64Format4 => 8,
            Self::Bits64Format5 => 32,
        }
    }

    /// How many fixed-function counters have a reset value in the area, behind the others.
    #[must_use]
    #[inline]
    pub const fn fixed_reset_values(self) -> usize {
        match self {
            Self::Bits32 | Self::Bits64 => 0,
            Self::Bits64Format4 => 4,
            Self::Bits64Format5 => 16,
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
        self.is_64() || address <= u32::MAX as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::U4;

    // BTS-20: 12 and 24 bytes
    #[test]
    fn sizes() {
        assert_eq!([DsFormat::Bits32, DsFormat::Bits64].map(DsFormat::bts_record_bytes), [12, 24]);
        assert_eq!([DsFormat::Bits32, DsFormat::Bits64].map(DsFormat::management_bytes), [0x30, 0x80]);
    }

    // Linux: struct debug_store has eight pointers and pebs_event_reset of 8, then 8 + 4, then 32 + 16 counters; from format
    // 4 to format 5 "the size of struct debug_store increases 288B"
    #[test]
    fn reset_values_by_pebs_format() {
        let by = |format| {
            let capabilities =
                Ia32PerfCapabilities::new().with_pebs_format(U4::masked(format)).with_pebs_baseline(true);
            DsFormat::Bits64.with_pebs(capabilities)
        };
        let counters = |format| (by(format).reset_values(), by(format).fixed_reset_values());
        assert_eq!([3, 4, 5, 6].map(counters), [(8, 0), (8, 4), (32, 16), (32, 16)]);
        assert_eq!([3, 4, 5].map(|format| by(format).management_bytes()), [0x80, 0xA0, 0xA0 + 288]);
        assert_eq!(by(5).with_pebs(Ia32PerfCapabilities::new()), DsFormat::Bits64);
        assert_eq!(DsFormat::Bits32.with_pebs(Ia32PerfCapabilities::from_bits(0x500)), DsFormat::Bits32);
        assert_eq!(by(5).bts_record_bytes(), 24);
    }

    #[test]
    fn selection() {
        assert_eq!(DsFormat::select(DsFeatures::DS, false), DsFormat::Bits32);
        assert_eq!(DsFormat::select(DsFeatures::DS, true), DsFormat::Bits64);
        assert_eq!(DsFormat::select(DsFeatures::DTES64, false), DsFormat::Bits64);
        assert!(!DsFormat::Bits32.holds(1 << 32) && DsFormat::Bits64.holds(1 << 32));
    }
}
