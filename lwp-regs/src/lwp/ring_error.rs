//! Why a ring buffer cannot be read.

use super::ViewError;
use core::fmt;

/// What is wrong with a ring buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum RingError {
    /// The processor writes records of another size (in bytes).
    Stride(u8),
    /// The buffer has not the size that the control block says, or no valid one.
    Size {
        /// The size of the buffer, in bytes.
        size: u32,
        /// The size in the control block, in bytes.
        expected: u32,
    },
    /// The control block describes a buffer somewhere else.
    Base {
        /// Where the buffer is, its linear address.
        base: u64,
        /// The address in the control block.
        expected: u64,
    },
    /// The head in the control block is no place in the buffer.
    Head {
        /// The head, in bytes.
        head: u32,
        /// The buffer's size, in bytes.
        size: u32,
    },
    /// The tail in the control block is no place in the buffer.
    Tail {
        /// The tail, in bytes.
        tail: u32,
        /// The buffer's size, in bytes.
        size: u32,
    },
    /// More records should be dropped than there are.
    Advance {
        /// The number asked for.
        records: u32,
        /// The number there is.
        available: u32,
    },
    /// The control block refused the new tail: its size field changed during the session.
    Block(ViewError),
}

impl fmt::Display for RingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Stride(bytes) => {
                write!(f, "records of {bytes} bytes; only those of version 1, 32 bytes, are understood")
            }
            Self::Size { size, expected } => {
                write!(f, "buffer of {size} bytes, control block says {expected}; ")?;
                f.write_str("both must be equal, a multiple of 32 and at least 64")
            }
            Self::Base { base, expected } => {
                write!(f, "buffer at {base:#x}, control block says {expected:#x}; build the block with this buffer")
            }
            Self::Head { head, size } => {
                write!(
                    f,
                    "head {head:#x} is not an offset in a buffer of {size:#x} bytes; the block is damaged, disable LWP"
                )
            }
            Self::Tail { tail, size } => {
                write!(
                    f,
                    "tail {tail:#x} is not an offset in a buffer of {size:#x} bytes; set it to a multiple of 32 below"
                )
            }
            Self::Advance { records, available } => {
                write!(f, "cannot drop {records} records of {available}; ask `available` first")
            }
            Self::Block(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for RingError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Block(error) => Some(error),
            _ => None,
        }
    }
}
