//! Length of an instruction.

use crate::flat::Place;

/// Bytes of an instruction, 4 bits: 1 to 15, or 0 if the length is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Length(pub u8);

impl Length {
    /// Returns the number of bytes; `None` if it is not known.
    #[must_use]
    pub const fn known(self) -> Option<u8> {
        if self.0 == 0 { None } else { Some(self.0) }
    }
}

impl Place for Length {
    #[inline]
    fn bits(self) -> u64 {
        self.0.into()
    }

    #[inline]
    fn from_bits(bits: u64) -> Option<Self> {
        Some(Self(bits as u8))
    }
}
