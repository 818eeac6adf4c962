//! The address of a control block.

use core::fmt;
use core::num::NonZeroU64;

/// Linear address of a control block: not zero (zero means "no block") and a multiple of 16.
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "LWP Control Instructions", LLWPCB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LwpcbAddr(NonZeroU64);

impl LwpcbAddr {
    /// Alignment of a control block in bytes.
    pub const ALIGN: u64 = 16;

    /// Checks an address.
    ///
    /// # Errors
    ///
    /// [`LwpcbAddrError`] for 0 and for an address that is not a multiple of 16.
    pub const fn new(address: u64) -> Result<Self, LwpcbAddrError> {
        if address & (Self::ALIGN - 1) != 0 {
            return Err(LwpcbAddrError::Misaligned(address));
        }
        match NonZeroU64::new(address) {
            Some(address) => Ok(Self(address)),
            None => Err(LwpcbAddrError::Zero),
        }
    }

    /// The address.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0.get()
    }
}

impl TryFrom<u64> for LwpcbAddr {
    type Error = LwpcbAddrError;

    fn try_from(address: u64) -> Result<Self, LwpcbAddrError> {
        Self::new(address)
    }
}

impl From<LwpcbAddr> for u64 {
    fn from(address: LwpcbAddr) -> Self {
        address.get()
    }
}

/// Why an address cannot be that of a control block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LwpcbAddrError {
    /// 0 disables LWP.
    Zero,
    /// The address is not a multiple of 16.
    Misaligned(u64),
}

impl fmt::Display for LwpcbAddrError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Zero => f.write_str("address 0 means no control block; to disable LWP, say so explicitly"),
            Self::Misaligned(address) => {
                write!(f, "control block at {address:#x} is misaligned; place it on a 16-byte boundary")
            }
        }
    }
}

impl core::error::Error for LwpcbAddrError {}

#[cfg(test)]
mod tests {
    use super::{LwpcbAddr, LwpcbAddrError};

    #[test]
    fn sixteen_byte_aligned_and_not_zero() {
        assert_eq!(LwpcbAddr::new(0), Err(LwpcbAddrError::Zero));
        assert_eq!(LwpcbAddr::new(8), Err(LwpcbAddrError::Misaligned(8)));
        assert_eq!(LwpcbAddr::new(u64::MAX), Err(LwpcbAddrError::Misaligned(u64::MAX)));
        assert_eq!(LwpcbAddr::new(16).map(LwpcbAddr::get), Ok(16));
    }
}
