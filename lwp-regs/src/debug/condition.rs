//! R/Wn, LENn, and Ln and Gn of DR7: what a breakpoint waits for.

use bitflags::bitflags;

/// R/Wn of DR7: the operation that a breakpoint waits for. Every encoding has its variant, so that none is lost.
///
/// Source: Intel SDM volume 3B, "Debug Control Register (DR7)".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Condition {
    /// 00: an instruction is about to be executed at the address.
    Execute = 0b00,
    /// 01: data are written.
    Write = 0b01,
    /// 10: an I/O port is read or written. Defined only while CR4.DE is 1.
    Io = 0b10,
    /// 11: data are read or written, but not fetched as instruction.
    ReadWrite = 0b11,
}

impl Condition {
    /// The condition of the two bits of R/Wn; higher ones are ignored.
    #[must_use]
    #[inline]
    pub const fn from_bits(rw: u8) -> Self {
        match rw & 0b11 {
            0b00 => Self::Execute,
            0b01 => Self::Write,
            0b10 => Self::Io,
            _ => Self::ReadWrite,
        }
    }

    /// Its two bits.
    #[must_use]
    #[inline]
    pub const fn into_bits(self) -> u8 {
        self as u8
    }

    /// Whether the manual defines the encoding while CR4.DE is as given: [`Io`](Self::Io) needs CR4.DE.
    #[must_use]
    #[inline]
    pub const fn is_defined(self, cr4_de: bool) -> bool {
        cr4_de || !matches!(self, Self::Io)
    }
}

/// LENn of DR7: how many bytes a breakpoint covers. Every encoding has its variant, so that none is lost.
///
/// Source: Intel SDM volume 3B, "Debug Control Register (DR7)".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Length {
    /// 00: one byte.
    One = 0b00,
    /// 01: two bytes.
    Two = 0b01,
    /// 10: eight bytes. Undefined on processors without 64-bit mode.
    Eight = 0b10,
    /// 11: four bytes.
    Four = 0b11,
}

impl Length {
    /// The length of the two bits of LENn; higher ones are ignored.
    #[must_use]
    #[inline]
    pub const fn from_bits(len: u8) -> Self {
        match len & 0b11 {
            0b00 => Self::One,
            0b01 => Self::Two,
            0b10 => Self::Eight,
            _ => Self::Four,
        }
    }

    /// Its two bits.
    #[must_use]
    #[inline]
    pub const fn into_bits(self) -> u8 {
        self as u8
    }

    /// The length of this many bytes: 1, 2, 4 or 8.
    #[must_use]
    #[inline]
    pub const fn of(bytes: u64) -> Option<Self> {
        match bytes {
            1 => Some(Self::One),
            2 => Some(Self::Two),
            4 => Some(Self::Four),
            8 => Some(Self::Eight),
            _ => None,
        }
    }

    /// The number of bytes.
    #[must_use]
    #[inline]
    pub const fn bytes(self) -> u64 {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Four => 4,
            Self::Eight => 8,
        }
    }
}

bitflags! {
    /// Ln and Gn of DR7: for whom a breakpoint is enabled. With neither it is off.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    pub struct Enable: u8 {
        /// Ln: for the current task. The processor clears it on every hardware task switch.
        const LOCAL = 1;
        /// Gn: for all tasks.
        const GLOBAL = 2;
    }
}

set_format!(Enable);

#[cfg(test)]
mod tests {
    use super::{Condition, Length};

    // DBG-26: the four conditions and what CR4.DE has to do with them
    #[test]
    fn conditions() {
        let table = [
            (0b00, Condition::Execute, true),
            (0b01, Condition::Write, true),
            (0b10, Condition::Io, false),
            (0b11, Condition::ReadWrite, true),
        ];
        for (rw, condition, defined_without_de) in table {
            assert_eq!(Condition::from_bits(rw), condition);
            assert_eq!(condition.into_bits(), rw);
            assert!(condition.is_defined(true));
            assert_eq!(condition.is_defined(false), defined_without_de, "{condition:?}");
        }
    }

    // DBG-27: 00 is 1 byte, 01 is 2, 11 is 4, 10 is 8
    #[test]
    fn lengths() {
        for (len, bytes) in [(0b00, 1), (0b01, 2), (0b11, 4), (0b10, 8)] {
            assert_eq!(Length::from_bits(len).bytes(), bytes);
            assert_eq!(Length::from_bits(len).into_bits(), len);
            assert_eq!(Length::of(bytes), Some(Length::from_bits(len)));
        }
        assert!([0, 3, 5, 16, u64::MAX].into_iter().all(|bytes| Length::of(bytes).is_none()));
    }
}
