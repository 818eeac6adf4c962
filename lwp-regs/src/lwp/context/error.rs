//! Why a saved state is not one of hardware's.

use crate::lwp::EventId;
use core::fmt;

/// What is wrong with a saved state: hardware would not produce it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum ContextError {
    /// The control block's address is not a multiple of 16.
    PointerMisaligned(u64),
    /// These reserved bits are set in a word.
    ReservedBits {
        /// The word's number.
        word: u8,
        /// The bits.
        bits: u64,
    },
    /// A session is said to run, but there is no control block.
    SessionWithoutPointer,
    /// No session runs, so this word should be 0.
    WithoutSession {
        /// The word's number.
        word: u8,
    },
    /// The head (in bytes) is not a multiple of 32.
    HeadMisaligned(u32),
    /// The event chosen last is none of the three.
    NoSuchEventIndex,
    /// A record is said to be pending, but there is none.
    PendingWithoutRecord,
    /// The record is of an event that version 1 does not have.
    UnknownEvent(EventId),
    /// The record has a bit set that hardware writes as 0, or a core's number.
    RecordMalformed,
    /// LWPMSR0 does not enable LWP, but there is a control block.
    PointerWhileDisabled,
}

impl fmt::Display for ContextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::PointerMisaligned(address) => {
                write!(f, "word 0: control block at {address:#x}; hardware has multiples of 16 only")
            }
            Self::ReservedBits { word, bits } => write!(f, "word {word}: bits {bits:#x} are reserved; set them to 0"),
            Self::SessionWithoutPointer => f.write_str("word 1: a session, but word 0 names no control block"),
            Self::WithoutSession { word } => {
                write!(f, "word {word}: must be 0, since word 1 says that no session runs yet")
            }
            Self::HeadMisaligned(head) => write!(f, "word 1: head {head:#x}; records begin at multiples of 32"),
            Self::NoSuchEventIndex => f.write_str("word 3: event index 3 was chosen last; there are 0, 1 and 2"),
            Self::PendingWithoutRecord => f.write_str("word 1: a record is pending, but word 4 has EventId 0"),
            Self::UnknownEvent(event) => write!(f, "word 4: a record of {event}; version 1 stores events 1 to 3"),
            Self::RecordMalformed => {
                f.write_str("words 4 to 7: bits set that are reserved in this record, or a core; set them to 0")
            }
            Self::PointerWhileDisabled => {
                f.write_str("word 8: LWPMSR0 disables LWP, but word 0 names a control block; one of them is wrong")
            }
        }
    }
}

impl core::error::Error for ContextError {}
