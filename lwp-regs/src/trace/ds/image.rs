//! The buffer management area as data.

use super::{DsBuffer, DsFormat};

/// The content of the buffer management area, in either format.
///
/// | field | 32-bit | 64-bit |
/// |---|---|---|
/// | BTS buffer base, index, absolute maximum, interrupt threshold | 0, 4, 8, CH | 0, 8, 10H, 18H |
/// | PEBS buffer base, index, absolute maximum, interrupt threshold | 10H, 14H, 18H, 1CH | 20H, 28H, 30H, 38H |
/// | PEBS counter reset values, 8 bytes each | 20H (one) | 40H (eight) |
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
    /// What counter n is set to after each of its PEBS records. In the 32-bit format only the first is stored.
    pub pebs_counter_reset: [u64; 8],
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

    /// The area as the processor reads it, in bytes; the last ones are not part of the 32-bit format and are 0. Of
    /// addresses, the 32-bit format stores the low half.
    #[must_use]
    pub fn to_bytes(&self, format: DsFormat) -> [u8; 0x80] {
        let mut bytes = [0; 0x80];
        let width = format.field_bytes();
        for (place, pointer) in bytes.chunks_exact_mut(width).zip(self.pointers()) {
            place.copy_from_slice(&pointer.to_le_bytes()[..width]);
        }
        let resets = &self.pebs_counter_reset[..format.reset_values()];
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
        pebs_counter_reset: [0xFFFF_FFFF_FFFF_FF31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38],
    };

    fn word(bytes: &[u8; 0x80], offset: usize) -> u32 {
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
    }
}
