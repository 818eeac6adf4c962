//! A record of the PEBS buffer: the processor's state at an event.

use super::fields::{Fields, word_of};
use super::{DsFormat, PebsFormat};

/// What a PEBS record of any format says about where the program was; its further fields are in the bytes of the record.
///
/// Source: Intel SDM volume 3B, "BTS and DS Save Area", Figures 17-7 and 17-10, and "Adaptive PEBS"; Linux,
/// `arch/x86/include/asm/perf_event.h` (`struct pebs_basic`, `struct pebs_gprs`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct PebsRecord {
    /// EIP or RIP: of the instruction after the one that caused the event; in an adaptive record of the instruction itself.
    pub ip: u64,
    /// Flags and general registers; `None` in an adaptive record without their group.
    pub registers: Option<PebsRegisters>,
    /// The basic group of an adaptive record; `None` in the other formats.
    pub basic: Option<PebsBasic>,
}

/// Flags and general registers at a precise event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct PebsRegisters {
    /// EFLAGS or RFLAGS.
    pub flags: u64,
    /// EAX, EBX, ECX, EDX, ESI, EDI, EBP and ESP, or their 64-bit forms, in this order.
    pub general: [u64; 8],
    /// R8 to R15; 0 in the 32-bit format.
    pub extended: [u64; 8],
}

/// The group with which every adaptive record begins: 32 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct PebsBasic {
    /// Bits 31:0 of the first field: the groups that follow, as `MSR_PEBS_DATA_CFG` numbers them.
    pub groups: u32,
    /// Bits 47:32: the latency of retirement in core clocks, where the processor reports it.
    pub retire_latency: u16,
    /// Bits 63:48: bytes of the record.
    pub bytes: u16,
    /// The counters whose overflow caused the record, a bit each.
    pub counters: u64,
    /// The time-stamp counter.
    pub tsc: u64,
}

impl PebsBasic {
    /// Bit of the group of memory information: 32 bytes.
    pub const MEMORY: u32 = 1 << 0;
    /// Bit of the group of the general registers: 144 bytes.
    pub const REGISTERS: u32 = 1 << 1;
    /// Bit of the group of the XMM registers: 256 bytes.
    pub const XMM: u32 = 1 << 2;
    /// Bit of the group of last-branch records: 24 bytes each.
    pub const LBR: u32 = 1 << 3;
    /// Bytes of the group of memory information.
    const MEMORY_FIELDS: usize = 4;
}

impl PebsRecord {
    /// The record of this format at the beginning of `bytes`, in an area of the format `area`; `None` if there are less
    /// bytes than the fields above take.
    #[must_use]
    pub fn from_bytes(area: DsFormat, format: PebsFormat, bytes: &[u8]) -> Option<Self> {
        Self::from_words(area, format, word_of(bytes))
    }

    /// The record of the 32-bit words that `word` gives by their offset.
    pub(super) fn from_words(area: DsFormat, format: PebsFormat, word: impl FnMut(u64) -> Option<u32>) -> Option<Self> {
        match format {
            PebsFormat::Adaptive => Self::adaptive(Fields::new(DsFormat::Bits64, word)),
            _ => Self::fixed(Fields::new(area, word)),
        }
    }

    fn fixed<W: FnMut(u64) -> Option<u32>>(mut fields: Fields<W>) -> Option<Self> {
        let (flags, ip) = (fields.next()?, fields.next()?);
        let mut registers = PebsRegisters { flags, ..PebsRegisters::default() };
        for register in &mut registers.general {
            *register = fields.next()?;
        }
        if fields.is_wide() {
            for register in &mut registers.extended {
                *register = fields.next()?;
            }
        }
        Some(Self { ip, registers: Some(registers), basic: None })
    }

    fn adaptive<W: FnMut(u64) -> Option<u32>>(mut fields: Fields<W>) -> Option<Self> {
        let [first, ip, counters, tsc] = [fields.next()?, fields.next()?, fields.next()?, fields.next()?];
        let (groups, retire_latency, bytes) = (first as u32, (first >> 32) as u16, (first >> 48) as u16);
        let basic = PebsBasic { groups, retire_latency, bytes, counters, tsc };
        if groups & PebsBasic::REGISTERS == 0 {
            return Some(Self { ip, registers: None, basic: Some(basic) });
        }
        if groups & PebsBasic::MEMORY != 0 {
            for _ in 0..PebsBasic::MEMORY_FIELDS {
                fields.next()?;
            }
        }
        let (flags, _ip) = (fields.next()?, fields.next()?);
        let mut stored = [0; 8];
        for register in &mut stored {
            *register = fields.next()?;
        }
        // The order of this group: AX, CX, DX, BX, SP, BP, SI, DI.
        let [ax, cx, dx, bx, sp, bp, si, di] = stored;
        let mut registers = PebsRegisters { flags, general: [ax, bx, cx, dx, si, di, bp, sp], extended: [0; 8] };
        for register in &mut registers.extended {
            *register = fields.next()?;
        }
        Some(Self { ip, registers: Some(registers), basic: Some(basic) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fixed(area: DsFormat, bytes: &[u8]) -> Option<PebsRecord> {
        PebsRecord::from_bytes(area, PebsFormat::Registers, bytes)
    }

    // BTS-09: 8 general registers, EIP and EFLAGS: 40 bytes
    #[test]
    fn forty_bytes() {
        let bytes: [u8; 40] = core::array::from_fn(|i| if i % 4 == 0 { i as u8 } else { 0 });
        let record = fixed(DsFormat::Bits32, &bytes).unwrap();
        let registers = record.registers.unwrap();
        assert_eq!((registers.flags, record.ip, record.basic), (0, 4, None));
        assert_eq!(registers.general, [8, 12, 16, 20, 24, 28, 32, 36]);
        assert_eq!(registers.extended, [0; 8]);
        assert_eq!(fixed(DsFormat::Bits32, &bytes[..39]), None);
    }

    #[test]
    fn one_hundred_and_forty_four_bytes() {
        let bytes: [u8; 144] = core::array::from_fn(|i| if i % 8 == 0 || i % 8 == 7 { i as u8 & 0xF8 } else { 0 });
        let both = |n: u64| n << 56 | n;
        let record = fixed(DsFormat::Bits64, &bytes).unwrap();
        let registers = record.registers.unwrap();
        assert_eq!((registers.flags, record.ip), (0, both(8)));
        assert_eq!(registers.general, core::array::from_fn(|i| both(0x10 + 8 * i as u64)));
        assert_eq!(registers.extended, core::array::from_fn(|i| both(0x50 + 8 * i as u64)));
        assert_eq!(fixed(DsFormat::Bits64, &bytes[..143]), None);
    }

    /// A record of 64-bit fields.
    fn adaptive<const N: usize>(fields: [u64; N]) -> Option<PebsRecord> {
        let mut bytes = [0; 256];
        for (place, field) in bytes.chunks_exact_mut(8).zip(fields) {
            place.copy_from_slice(&field.to_le_bytes());
        }
        PebsRecord::from_bytes(DsFormat::Bits64, PebsFormat::Adaptive, &bytes[..8 * N])
    }

    // an adaptive record begins with 32 bytes of its own, not with the flags
    #[test]
    fn the_basic_group() {
        let record = adaptive([0x0020_0007_0000_0000, 0x40_1000, 0x1_0000_0002, 0x1234]).unwrap();
        assert_eq!((record.ip, record.registers), (0x40_1000, None));
        let basic = PebsBasic { groups: 0, retire_latency: 7, bytes: 32, counters: 0x1_0000_0002, tsc: 0x1234 };
        assert_eq!(record.basic, Some(basic));
        assert_eq!(adaptive([0x0020_0000_0000_0000, 1, 2]), None);
    }

    #[test]
    fn the_group_of_registers() {
        let mut fields: [u64; 26] = core::array::from_fn(|i| i as u64);
        fields[0] = 0x00D0_0000_0000_0003; // memory information is between the basic group and this one
        let registers = adaptive(fields).unwrap().registers.unwrap();
        assert_eq!(registers.flags, 8);
        assert_eq!(registers.general, [10, 13, 11, 12, 16, 17, 15, 14]);
        assert_eq!(registers.extended, [18, 19, 20, 21, 22, 23, 24, 25]);
    }
}
