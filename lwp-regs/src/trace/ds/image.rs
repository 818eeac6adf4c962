//! The buffer management area as data.

use super::{DsBuffer, DsFormat};

/// The content of the buffer management area, in either format.
///
/// | field | 32-bit | 64-bit |
/// |---|---|---|
/// | BTS buffer base, index, absolute maximum, interrupt threshold | 0, 4, 8, CH | 0, 8, 10H, 18H |
/// | PEBS buffer base, index, absolute maximum, interrupt threshold | 10H, 14H, 18H, 1CH | 20H, 28H, 30H, 38H |
/// | PEBS counter reset values, 8 bytes each | 20H (one) | 40H (eight, or as [`DsFormat`] says) |
///
/// Source: Intel SDM volume 3B, "BTS and DS Save Area", Figures 17-5 and 17-8; reset values after the first: Linux,
/// `intel_ds.h`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct DsImage {
    /// The BTS buffer.
    pub bts: DsBuffer,
    /// The PEBS buffer.
    pub pebs: DsBuffer,
    /// What a counter is set to after each of its PEBS records. Those that the format has no room for are not stored.
    pub pebs_counter_reset: PebsReset,
}

/// What each counter is set to after each of its PEBS records: minus the number of events from one to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct PebsReset {
    /// General-purpose counter n.
    pub general: [u64; 32],
    /// Fixed-function counter n.
    pub fixed: [u64; 16],
}

impl PebsReset {
    /// Every counter is set to 0.
    pub const ZERO: Self = Self { general: [0; 32], fixed: [0; 16] };

    /// The first general-purpose counters are set to `values`, the others to 0.
    #[must_use]
    #[inline]
    pub const fn general<const N: usize>(values: [u64; N]) -> Self {
        let mut reset = Self::ZERO;
        let mut counter = 0;
        while counter < N && counter < reset.general.len() {
            reset.general[counter] = values[counter];
            counter += 1;
        }
        reset
    }
}

impl DsImage {
    /// Offset of the first reset value.
    #[inline]
    pub(super) const fn reset_offset(format: DsFormat) -> usize {
        8 * format.field_bytes()
    }

    #[inline]
    const fn pointers(&self) -> [u64; 8] {
        let (bts, pebs) = (&self.bts, &self.pebs);
        [
            bts.base,
            bts.index,
            bts.absolute_maximum,
            bts.interrupt_threshold,
            pebs.base,
            pebs.index,
            pebs.absolute_maximum,
            pebs.interrupt_threshold,
        ]
    }

    /// Bytes of the longest area.
    pub const MAX_BYTES: usize = 0x1C0;

    /// The area as the processor reads it, in bytes; those past [`DsFormat::management_bytes`] are not part of the format
    /// and are 0. Of addresses, the 32-bit format stores the low half.
    #[must_use]
    pub fn to_bytes(&self, format: DsFormat) -> [u8; Self::MAX_BYTES] {
        let mut bytes = [0; Self::MAX_BYTES];
        let width = format.field_bytes();
        for (place, pointer) in bytes.chunks_exact_mut(width).zip(self.pointers()) {
            place.copy_from_slice(&pointer.to_le_bytes()[..width]);
        }
        let general = self.pebs_counter_reset.general.iter().take(format.reset_values());
        let resets = general.chain(self.pebs_counter_reset.fixed.iter().take(format.fixed_reset_values()));
        for (place, reset) in bytes[Self::reset_offset(format)..].chunks_exact_mut(8).zip(resets) {
            place.copy_from_slice(&reset.to_le_bytes());
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IMAGE: DsImage = DsImage {
        bts: DsBuffer { base: 0x11, index: 0x12, absolute_maximum: 0x13, interrupt_threshold: 0x14 },
        pebs: DsBuffer { base: 0x21, index: 0x22, absolute_maximum: 0x23, interrupt_threshold: 0x24 },
        pebs_counter_reset: PebsReset::general([0xFFFF_FFFF_FFFF_FF31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38]),
    };

    fn word(bytes: &[u8; 0x1C0], offset: usize) -> u32 {
        u32::from_le_bytes(bytes[offset..offset + 4].try_into().unwrap())
    }

    // BTS-13, BTS-14, BTS-15, BTS-16, BTS-17, BTS-18: each field at its offset, 32-bit
    #[test]
    fn fields_of_32_bits() {
        let bytes = IMAGE.to_bytes(DsFormat::Bits32);
        let pointers = [0x0, 0x4, 0x8, 0xC, 0x10, 0x14, 0x18, 0x1C].map(|offset| word(&bytes, offset));
        assert_eq!(pointers, [0x11, 0x12, 0x13, 0x14, 0x21, 0x22, 0x23, 0x24]);
        assert_eq!([word(&bytes, 0x20), word(&bytes, 0x24)], [0xFFFF_FF31, 0xFFFF_FFFF]);
        assert!(bytes[0x28..].iter().all(|&byte| byte == 0), "reserved to 30H");
    }

    // BTS-13, BTS-14, BTS-15, BTS-16, BTS-17, BTS-18: each field at its offset, 64-bit
    #[test]
    fn fields_of_64_bits() {
        let bytes = IMAGE.to_bytes(DsFormat::Bits64);
        let pointers = [0x0, 0x8, 0x10, 0x18, 0x20, 0x28, 0x30, 0x38].map(|offset| word(&bytes, offset));
        assert_eq!(pointers, [0x11, 0x12, 0x13, 0x14, 0x21, 0x22, 0x23, 0x24]);
        let resets = [0x40, 0x48, 0x50, 0x58, 0x60, 0x68, 0x70, 0x78].map(|offset| word(&bytes, offset));
        assert_eq!(resets, [0xFFFF_FF31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38]);
        assert_eq!(word(&bytes, 0x44), 0xFFFF_FFFF);
        assert!(bytes[0x80..].iter().all(|&byte| byte == 0));
    }

    // format 4: fixed counter 0 at 40H + 8 * 8; format 5: at 40H + 32 * 8 (Linux, intel_pmu_pebs_enable: base of the fixed
    // counters is MAX_PEBS_EVENTS_FMT4 or MAX_PEBS_EVENTS)
    #[test]
    fn reset_values_of_formats_4_and_5() {
        let mut reset = PebsReset::ZERO;
        reset.general = core::array::from_fn(|counter| 0x100 + counter as u64);
        reset.fixed = core::array::from_fn(|counter| 0x200 + counter as u64);
        let image = DsImage { pebs_counter_reset: reset, ..IMAGE };
        let bytes = image.to_bytes(DsFormat::Bits64Format4);
        let words = [0x40, 0x78, 0x80, 0x98, 0xA0].map(|offset| word(&bytes, offset));
        assert_eq!(words, [0x100, 0x107, 0x200, 0x203, 0]);
        let bytes = image.to_bytes(DsFormat::Bits64Format5);
        let words = [0x38, 0x40, 0x138, 0x140, 0x1B8].map(|offset| word(&bytes, offset));
        assert_eq!(words, [0x24, 0x100, 0x11F, 0x200, 0x20F]);
        assert_eq!(DsImage::MAX_BYTES, DsFormat::Bits64Format5.management_bytes());
    }
}
