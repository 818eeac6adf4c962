//! The formats of PEBS records.

use super::DsFormat;
use crate::perf::architectural::Ia32PerfCapabilities;

/// What a PEBS record consists of, as `IA32_PERF_CAPABILITIES` reports it: PEBS_FORMAT, bits 11:8, and PEBS_BASELINE,
/// bit 14.
///
/// Source: Intel SDM volume 3B, "Adaptive PEBS" and the figures of PEBS records; Linux, `arch/x86/events/intel/ds.c`
/// (`intel_ds_init` and the `pebs_record_*` structures).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum PebsFormat {
    /// Format 0: flags, instruction pointer and general registers. Core 2.
    Registers,
    /// Format 1: further the counters that have overflowed, and data address, source and latency of a load. Nehalem.
    Loads,
    /// Format 2: further the address of the instruction itself, and information about transactions. Haswell.
    Transactions,
    /// Format 3: further the time-stamp counter. Skylake.
    Timed,
    /// Adaptive PEBS, format 4 and later with PEBS_BASELINE: a basic group of 32 bytes, then the groups that
    /// `MSR_PEBS_DATA_CFG` selects. A record states its groups and its size. Ice Lake, Tremont.
    Adaptive,
}

impl PebsFormat {
    /// The format of a processor with these capabilities; `None` for one that this crate does not know: a later format
    /// without PEBS_BASELINE, or an earlier one with it.
    #[must_use]
    #[inline]
    pub const fn from_capabilities(capabilities: Ia32PerfCapabilities) -> Option<Self> {
        match (capabilities.pebs_format().get(), capabilities.pebs_baseline()) {
            (0, false) => Some(Self::Registers),
            (1, false) => Some(Self::Loads),
            (2, false) => Some(Self::Transactions),
            (3, false) => Some(Self::Timed),
            (4.., true) => Some(Self::Adaptive),
            _ => None,
        }
    }

    /// Bytes of a record; of an adaptive one the least, which is the basic group. In a 32-bit area only format 0 is known.
    #[must_use]
    #[inline]
    pub const fn record_bytes(self, area: DsFormat) -> u64 {
        match (self, area) {
            (Self::Adaptive, _) => 4 * 8,
            (_, DsFormat::Bits32) => 10 * 4,
            (Self::Registers, _) => 18 * 8,
            (Self::Loads, _) => 22 * 8,
            (Self::Transactions, _) => 24 * 8,
            (Self::Timed, _) => 25 * 8,
        }
    }

    /// Whether a processor of this format writes records of `bytes` bytes in such an area.
    #[must_use]
    #[inline]
    pub const fn has_records_of(self, area: DsFormat, bytes: u64) -> bool {
        let known = self.record_bytes(area);
        match self {
            // The size stands in 16 bits of the record.
            Self::Adaptive => bytes >= known && bytes <= 0xFFFF && bytes.is_multiple_of(8),
            _ => bytes == known,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::U4;

    fn format(pebs_format: u8, baseline: bool) -> Option<PebsFormat> {
        let capabilities =
            Ia32PerfCapabilities::new().with_pebs_format(U4::masked(pebs_format)).with_pebs_baseline(baseline);
        PebsFormat::from_capabilities(capabilities)
    }

    #[test]
    fn both_fields_are_asked() {
        let fixed = [PebsFormat::Registers, PebsFormat::Loads, PebsFormat::Transactions, PebsFormat::Timed];
        for (number, expected) in (0..4).zip(fixed) {
            assert_eq!((format(number, false), format(number, true)), (Some(expected), None));
        }
        for number in 4..16 {
            assert_eq!((format(number, false), format(number, true)), (None, Some(PebsFormat::Adaptive)));
        }
    }

    #[test]
    fn sizes() {
        let bytes = |format: PebsFormat| format.record_bytes(DsFormat::Bits64);
        let fixed = [PebsFormat::Registers, PebsFormat::Loads, PebsFormat::Transactions, PebsFormat::Timed];
        assert_eq!(fixed.map(bytes), [144, 176, 192, 200]);
        assert_eq!(bytes(PebsFormat::Adaptive), 32);
        assert_eq!(PebsFormat::Registers.record_bytes(DsFormat::Bits32), 40);
        let adaptive = |bytes| PebsFormat::Adaptive.has_records_of(DsFormat::Bits64, bytes);
        assert!(adaptive(32) && adaptive(176) && !adaptive(24) && !adaptive(36) && !adaptive(0x1_0000));
        assert!(!PebsFormat::Timed.has_records_of(DsFormat::Bits64, 144));
    }
}
