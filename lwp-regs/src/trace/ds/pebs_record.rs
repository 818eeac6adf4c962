//! A record of the PEBS buffer: the processor's state at an event.

use super::DsFormat;
use super::fields::{Fields, word_of};

/// The part of a PEBS record that every processor writes: flags, instruction pointer and general registers.
///
/// In the 32-bit format 40 bytes: ten fields of 4; in the 64-bit format 144 bytes: eighteen of 8. Later processors
/// append fields.
///
/// Source: Intel SDM volume 3B, "BTS and DS Save Area", Figures 17-7 and 17-10.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct PebsRecord {
    /// EFLAGS or RFLAGS, at 0.
    pub flags: u64,
    /// EIP or RIP, the second field: of the instruction after the one that caused the event.
    pub ip: u64,
    /// EAX, EBX, ECX, EDX, ESI, EDI, EBP and ESP, or their 64-bit forms, in this order.
    pub general: [u64; 8],
    /// R8 to R15; 0 in the 32-bit format.
    pub extended: [u64; 8],
}

impl PebsRecord {
    /// The record in the first 40 or 144 bytes of `bytes`; `None` if there are less.
    #[must_use]
    pub fn from_bytes(format: DsFormat, bytes: &[u8]) -> Option<Self> {
        Self::from_fields(Fields::new(format, word_of(bytes)))
    }

    /// The record with these fields.
    pub(super) fn from_fields<W: FnMut(u64) -> Option<u32>>(mut fields: Fields<W>) -> Option<Self> {
        let mut record = Self { flags: fields.next()?, ip: fields.next()?, ..Self::default() };
        for register in &mut record.general {
            *register = fields.next()?;
        }
        if fields.is_wide() {
            for register in &mut record.extended {
                *register = fields.next()?;
            }
        }
        Some(record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // BTS-09: 8 general registers, EIP and EFLAGS: 40 bytes
    #[test]
    fn forty_bytes() {
        let bytes: [u8; 40] = core::array::from_fn(|i| if i % 4 == 0 { i as u8 } else { 0 });
        let record = PebsRecord::from_bytes(DsFormat::Bits32, &bytes).unwrap();
        assert_eq!((record.flags, record.ip), (0, 4));
        assert_eq!(record.general, [8, 12, 16, 20, 24, 28, 32, 36]);
        assert_eq!(record.extended, [0; 8]);
        assert_eq!(PebsRecord::from_bytes(DsFormat::Bits32, &bytes[..39]), None);
    }

    #[test]
    fn one_hundred_and_forty_four_bytes() {
        let bytes: [u8; 144] = core::array::from_fn(|i| if i % 8 == 0 || i % 8 == 7 { i as u8 & 0xF8 } else { 0 });
        let both = |n: u64| n << 56 | n;
        let record = PebsRecord::from_bytes(DsFormat::Bits64, &bytes).unwrap();
        assert_eq!((record.flags, record.ip), (0, both(8)));
        assert_eq!(record.general, core::array::from_fn(|i| both(0x10 + 8 * i as u64)));
        assert_eq!(record.extended, core::array::from_fn(|i| both(0x50 + 8 * i as u64)));
        assert_eq!(PebsRecord::from_bytes(DsFormat::Bits64, &bytes[..143]), None);
    }
}
