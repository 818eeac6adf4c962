//! A branch record of the BTS buffer.

use super::DsFormat;
use super::fields::{Fields, word_of};

layout! {
    /// The third field of a branch record.
    ///
    /// Source: Intel SDM volume 3B, "BTS and DS Save Area", Figures 17-6 and 17-9.
    pub struct BtsFlags: u64, Ignored {
        #[bits(4)]
        __: u64,
        /// The branch was predicted. Processors of the Core and Atom microarchitectures do not report it.
        #[inline]
        pub predicted: bool,
        #[bits(59)]
        __: u64,
    }
}

/// A branch, interrupt or exception, as the processor stored it in the BTS buffer.
///
/// In the 32-bit format 12 bytes: three fields of 4; in the 64-bit format 24 bytes: three of 8.
///
/// Source: Intel SDM volume 3B, "BTS and DS Save Area", Figures 17-6 and 17-9.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct BtsRecord {
    /// Linear address of the instruction from which the branch, interrupt or exception was taken.
    pub from: u64,
    /// Linear address of the branch's target, or of the first instruction of the service routine.
    pub to: u64,
    /// Whether it was predicted.
    pub flags: BtsFlags,
}

impl BtsRecord {
    /// The record in the first 12 or 24 bytes of `bytes`; `None` if there are less.
    #[must_use]
    pub fn from_bytes(format: DsFormat, bytes: &[u8]) -> Option<Self> {
        Self::from_fields(Fields::new(format, word_of(bytes)))
    }

    /// The record with these fields.
    pub(super) fn from_fields<W: FnMut(u64) -> Option<u32>>(mut fields: Fields<W>) -> Option<Self> {
        Some(Self { from: fields.next()?, to: fields.next()?, flags: BtsFlags::from_bits(fields.next()?) })
    }

    /// The record as it stands in the buffer; in the 32-bit format the first 12 bytes, with the low halves of the
    /// fields.
    #[must_use]
    pub fn to_bytes(&self, format: DsFormat) -> [u8; 24] {
        let mut bytes = [0; 24];
        let width = format.field_bytes();
        let fields = [self.from, self.to, self.flags.into_bits()];
        for (place, field) in bytes.chunks_exact_mut(width).zip(fields) {
            place.copy_from_slice(&field.to_le_bytes()[..width]);
        }
        bytes
    }

    /// Whether the place holds no record: all of it is 0, as [`DsStore`](super::DsStore) leaves it.
    #[must_use]
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.from == 0 && self.to == 0 && self.flags.into_bits() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // BTS-20, BTS-21, BTS-22, BTS-23: 12 bytes; from, to, and bit 4 of the third word, in both polarities
    #[test]
    fn twelve_bytes() {
        let mut bytes = [0x78, 0x56, 0x34, 0x12, 0xF0, 0xDE, 0xBC, 0x9A, 0x10, 0, 0, 0];
        let record = BtsRecord::from_bytes(DsFormat::Bits32, &bytes).unwrap();
        assert_eq!((record.from, record.to, record.flags.predicted()), (0x1234_5678, 0x9ABC_DEF0, true));
        assert_eq!(record.to_bytes(DsFormat::Bits32)[..12], bytes);
        bytes[8] = 0xEF;
        let record = BtsRecord::from_bytes(DsFormat::Bits32, &bytes).unwrap();
        assert!(!record.flags.predicted());
        assert_eq!(record.to_bytes(DsFormat::Bits32)[8], 0xEF, "bits without a name survive");
        assert_eq!(BtsRecord::from_bytes(DsFormat::Bits32, &bytes[..11]), None);
    }

    // BTS-20, BTS-21, BTS-22, BTS-23: 24 bytes; the flag is at byte 10H
    #[test]
    fn twenty_four_bytes() {
        let mut bytes = [0; 24];
        bytes[..8].copy_from_slice(&0xFFFF_FFFF_8100_0010u64.to_le_bytes());
        bytes[8..16].copy_from_slice(&0xFFFF_FFFF_8100_0400u64.to_le_bytes());
        bytes[0x10] = 0x10;
        let record = BtsRecord::from_bytes(DsFormat::Bits64, &bytes).unwrap();
        assert_eq!((record.from, record.to), (0xFFFF_FFFF_8100_0010, 0xFFFF_FFFF_8100_0400));
        assert!(record.flags.predicted());
        assert_eq!(record.to_bytes(DsFormat::Bits64), bytes);
        assert_eq!(BtsRecord::from_bytes(DsFormat::Bits64, &bytes[..23]), None);
        assert!(!record.is_empty() && BtsRecord::default().is_empty());
    }

    #[test]
    fn positions() {
        assert_eq!(BtsFlags::new().with_predicted(true).into_bits(), 0x10);
    }
}
