//! How branch records are written in the LBR registers.

/// The format of the LBR stack, as `IA32_PERF_CAPABILITIES`\[5:0\] reports it.
///
/// Source: Intel SDM volume 3B, "LBR Stack and Intel 64 Processors" (formats 0 to 5); the registers of format 0: ibid.,
/// "Last Branch, Interrupt, and Exception Recording (Intel Core Solo and Intel Core Duo Processors)"; formats 6 and 7:
/// Linux, `arch/x86/events/perf_event.h` and `lbr.c`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum LbrFormat {
    /// 000000B: 32-bit offsets in the current code segment, both in one register ([`FromAndTo`](super::FromAndTo)).
    Offset32,
    /// 000001B: linear addresses (LIP).
    LinearIp,
    /// 000010B: offsets, 64 bits (effective address, EIP).
    EffectiveIp,
    /// 000011B: offsets, and the misprediction in the source register.
    EffectiveIpFlags,
    /// 000100B: as 000011B, and TSX information in the source register.
    EffectiveIpTsx,
    /// 000101B: offsets; misprediction, TSX information and elapsed cycles in `MSR_LBR_INFO_x`. Skylake.
    Info,
    /// 000110B: the misprediction in the source register, elapsed cycles in the destination register. Goldmont.
    Time,
    /// 000111B: as 000101B without TSX information. Goldmont Plus.
    InfoWithoutTsx,
    /// A format that this crate does not know: bits 5:0.
    Unknown(u8),
}

/// Which address a format records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum AddressKind {
    /// Bits 31:0 of the offset in the code segment.
    Offset32,
    /// The linear address: base of the code segment plus offset.
    Linear,
    /// The offset in the code segment.
    Effective,
}

/// In which mode the processor is when it writes a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum CodeMode {
    /// 64-bit mode.
    Bits64,
    /// Any other mode: bits 63:32 of an address are stored as 0.
    Other,
}

impl AddressKind {
    /// What a record holds for the instruction at `offset` of a code segment that begins at `base`.
    ///
    /// Source: Intel SDM volume 3B, "LBR Stack and Intel 64 Processors"; [`CodeMode`] also holds for the last exception
    /// record, ibid., "LBR and Legacy 32-bit/IA-32e Mode".
    #[must_use]
    #[inline]
    pub const fn address(self, base: u64, offset: u64, mode: CodeMode) -> u64 {
        let address = match self {
            Self::Offset32 => offset as u32 as u64,
            Self::Linear => base.wrapping_add(offset),
            Self::Effective => offset,
        };
        match mode {
            CodeMode::Bits64 => address,
            CodeMode::Other => address as u32 as u64,
        }
    }
}

impl LbrFormat {
    /// Bits of `IA32_PERF_CAPABILITIES` that hold the format.
    pub const MASK: u64 = 0x3F;

    /// The format in `IA32_PERF_CAPABILITIES` (345H), whose other bits do not matter.
    #[must_use]
    #[inline]
    pub const fn from_perf_capabilities(register: u64) -> Self {
        match (register & Self::MASK) as u8 {
            0 => Self::Offset32,
            1 => Self::LinearIp,
            2 => Self::EffectiveIp,
            3 => Self::EffectiveIpFlags,
            4 => Self::EffectiveIpTsx,
            5 => Self::Info,
            6 => Self::Time,
            7 => Self::InfoWithoutTsx,
            unknown => Self::Unknown(unknown),
        }
    }

    /// `IA32_PERF_CAPABILITIES`\[5:0\].
    #[must_use]
    #[inline]
    pub const fn code(self) -> u8 {
        match self {
            Self::Offset32 => 0,
            Self::LinearIp => 1,
            Self::EffectiveIp => 2,
            Self::EffectiveIpFlags => 3,
            Self::EffectiveIpTsx => 4,
            Self::Info => 5,
            Self::Time => 6,
            Self::InfoWithoutTsx => 7,
            Self::Unknown(code) => code & Self::MASK as u8,
        }
    }

    /// Which address is recorded. `None` for formats 6 and 7, of which the project's sources do not tell, and for
    /// unknown ones.
    #[must_use]
    #[inline]
    pub const fn address_kind(self) -> Option<AddressKind> {
        match self {
            Self::Offset32 => Some(AddressKind::Offset32),
            Self::LinearIp => Some(AddressKind::Linear),
            Self::EffectiveIp | Self::EffectiveIpFlags | Self::EffectiveIpTsx | Self::Info => {
                Some(AddressKind::Effective)
            }
            Self::Time | Self::InfoWithoutTsx | Self::Unknown(_) => None,
        }
    }

    /// Whether each entry has an `MSR_LBR_INFO_x`.
    #[must_use]
    #[inline]
    pub const fn has_info(self) -> bool {
        matches!(self, Self::Info | Self::InfoWithoutTsx)
    }

    /// Whether an entry is one register, which holds source and destination.
    #[must_use]
    #[inline]
    pub const fn is_one_register(self) -> bool {
        matches!(self, Self::Offset32)
    }

    /// Whether records can be decoded.
    #[must_use]
    #[inline]
    pub const fn is_known(self) -> bool {
        !matches!(self, Self::Unknown(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // LBR-10, LBR-20: the low six bits, and nothing else; Skylake is 000101B
    #[test]
    fn six_bits_tell_the_format() {
        let format = LbrFormat::from_perf_capabilities;
        assert_eq!(format(0b00_0000), LbrFormat::Offset32);
        assert_eq!(format(0b00_0001), LbrFormat::LinearIp);
        assert_eq!(format(0b00_0010), LbrFormat::EffectiveIp);
        assert_eq!(format(0b00_0011), LbrFormat::EffectiveIpFlags);
        assert_eq!(format(0b00_0100), LbrFormat::EffectiveIpTsx);
        assert_eq!(format(0b00_0101), LbrFormat::Info);
        assert_eq!(format(0b00_0110), LbrFormat::Time);
        assert_eq!(format(0b00_0111), LbrFormat::InfoWithoutTsx);
        assert_eq!(format(0b11_1111), LbrFormat::Unknown(0x3F));
        assert_eq!(format(0xFFFF_FFFF_FFFF_FFC5), LbrFormat::Info);
        for code in 0..64 {
            assert_eq!(u64::from(format(code).code()), code);
        }
    }

    // LBR-09, LBR-18: outside 64-bit mode the upper half is 0
    // LBR-11, LBR-12, LBR-13, LBR-16: an instruction at offset FFFF8000_12345678 of a segment that begins at 1000
    #[test]
    fn address_by_format() {
        let address = |code, mode| {
            let kind = LbrFormat::from_perf_capabilities(code).address_kind().unwrap();
            kind.address(0x1000, 0xFFFF_8000_1234_5678, mode)
        };
        assert_eq!(address(0, CodeMode::Bits64), 0x0000_0000_1234_5678);
        assert_eq!(address(1, CodeMode::Bits64), 0xFFFF_8000_1234_6678);
        assert_eq!(address(2, CodeMode::Bits64), 0xFFFF_8000_1234_5678);
        assert_eq!(address(3, CodeMode::Bits64), 0xFFFF_8000_1234_5678);
        assert_eq!(address(0, CodeMode::Other), 0x1234_5678);
        assert_eq!(address(1, CodeMode::Other), 0x1234_6678);
        assert_eq!(address(2, CodeMode::Other), 0x1234_5678);
    }
}
