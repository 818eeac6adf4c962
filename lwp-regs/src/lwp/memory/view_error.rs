//! Why a control block cannot be looked at or written.

use crate::lwp::{LwpcbAddrError, MAX_SLOTS};
use core::fmt;

/// Why a view or a write through it is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum ViewError {
    /// There cannot be a block at this address.
    Address(LwpcbAddrError),
    /// More slots than a block can have.
    Slots(usize),
    /// The tail is misaligned or outside the buffer.
    Tail {
        /// The tail, in bytes.
        tail: u32,
        /// The buffer's size, in bytes.
        size: u32,
    },
}

impl fmt::Display for ViewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(error) => error.fmt(f),
            Self::Slots(slots) => write!(f, "{slots} slots; a control block has at most {MAX_SLOTS}"),
            Self::Tail { tail, size } => {
                write!(f, "tail {tail:#x} not written; give a multiple of 32 below the buffer's {size:#x} bytes")
            }
        }
    }
}

impl core::error::Error for ViewError {}
