//! The address of a control block.

use core::fmt;
use core::num::NonZeroU64;

/// Linear address of a control block: not zero (zero means "no block") and a multiple of 16.
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "LWP Control Instructions", LLWPCB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LwpcbAddr(NonZeroU64);

impl LwpcbAddr {
    /// Alignment of a control block in bytes.
    pub const ALIGN: u64 = 16;
    /// Size of a page in bytes.
    pub const PAGE_BYTES: u64 = 4096;

    /// Checks an address.
    ///
    /// # Errors
    ///
    /// [`LwpcbAddrError`] for 0 and for an address that is not a multiple of 16.
    #[inline]
    pub const fn new(address: u64) -> Result<Self, LwpcbAddrError> {
        if address & (Self::ALIGN - 1) != 0 {
            return Err(LwpcbAddrError::Misaligned(address));
        }
        match NonZeroU64::new(address) {
            Some(address) => Ok(Self(address)),
            None => Err(LwpcbAddrError::Zero),
        }
    }

    /// The first place for a block of `bytes` bytes ([`LwpCaps::lwpcb_size`](super::LwpCaps::lwpcb_size)) at or above
    /// `address` that is aligned and within one page. `None` at the end of the address space.
    ///
    /// One page is advised, not required: a block that crosses into another works, and its accesses can fault twice.
    #[must_use]
    #[inline]
    pub const fn within_page(address: u64, bytes: u8) -> Option<Self> {
        // 0 is no address of a block.
        let from = if address == 0 { 1 } else { address };
        let Some(aligned) = from.checked_next_multiple_of(Self::ALIGN) else {
            return None;
        };
        let left = Self::PAGE_BYTES - aligned % Self::PAGE_BYTES;
        let place = if left < bytes as u64 { aligned.checked_add(left) } else { Some(aligned) };
        match place {
            Some(place) => match Self::new(place) {
                Ok(place) => Some(place),
                Err(_) => None,
            },
            None => None,
        }
    }

    /// Whether a block of `bytes` bytes here lies in two pages.
    #[must_use]
    #[inline]
    pub const fn crosses_page(self, bytes: u8) -> bool {
        self.get() % Self::PAGE_BYTES + bytes as u64 > Self::PAGE_BYTES
    }

    /// The address.
    #[must_use]
    #[inline]
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
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
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

    // LWP-LLW-03
    #[test]
    fn sixteen_byte_aligned_and_not_zero() {
        assert_eq!(LwpcbAddr::new(0), Err(LwpcbAddrError::Zero));
        assert_eq!(LwpcbAddr::new(8), Err(LwpcbAddrError::Misaligned(8)));
        assert_eq!(LwpcbAddr::new(u64::MAX), Err(LwpcbAddrError::Misaligned(u64::MAX)));
        assert_eq!(LwpcbAddr::new(16).map(LwpcbAddr::get), Ok(16));
    }
    // LWP-LLW-05: advised, not required
    #[test]
    fn a_block_is_placed_within_one_page() {
        let place = |address| LwpcbAddr::within_page(address, 64).map(LwpcbAddr::get);
        assert_eq!(place(0), Some(0x10), "0 is not the address of a block");
        assert_eq!(place(0x1001), Some(0x1010));
        assert_eq!(place(0x1FC0), Some(0x1FC0), "64 bytes are left");
        assert_eq!(place(0x1FC1), Some(0x2000), "48 bytes are left");
        assert_eq!(place(u64::MAX - 63), Some(u64::MAX - 63));
        assert_eq!(place(u64::MAX - 62), None);
        assert_eq!(LwpcbAddr::new(0x1FC0).map(|block| block.crosses_page(64)), Ok(false));
        assert_eq!(LwpcbAddr::new(0x1FD0).map(|block| block.crosses_page(64)), Ok(true), "but it is an address");
    }
}
