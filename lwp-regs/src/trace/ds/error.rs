//! Why a debug-store area is refused.

use super::PageAttributes;
use core::fmt;

/// A part of the debug-store area.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum DsPart {
    /// The buffer management area.
    Management,
    /// The BTS buffer.
    Bts,
    /// The PEBS buffer.
    Pebs,
}

impl fmt::Display for DsPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Management => "buffer management area",
            Self::Bts => "BTS buffer",
            Self::Pebs => "PEBS buffer",
        })
    }
}

/// A rule about the debug-store area that is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum DsError {
    /// The local APIC is disabled, so nothing can interrupt.
    NoApic,
    /// Neither buffer was asked for.
    NoBuffer,
    /// The part does not begin where it has to be aligned to.
    Misaligned {
        /// Which part.
        part: DsPart,
        /// Where it begins.
        base: u64,
        /// The alignment in bytes.
        alignment: u64,
    },
    /// The part has less than these bytes.
    TooSmall {
        /// Which part.
        part: DsPart,
        /// What it needs.
        needed: u64,
    },
    /// The part ends beyond the addresses that its format can hold.
    TooHigh {
        /// Which part.
        part: DsPart,
        /// Where it begins.
        base: u64,
    },
    /// Two parts share memory.
    Overlap(DsPart, DsPart),
    /// No page is given for this address of the part, in the order of addresses and without gap.
    NotContiguous {
        /// Which part.
        part: DsPart,
        /// The first address without a page.
        linear: u64,
    },
    /// A page of the part lacks what it needs.
    Page {
        /// Which part.
        part: DsPart,
        /// Where the page begins.
        linear: u64,
        /// What it lacks.
        missing: PageAttributes,
    },
    /// Bit 20 of this address is 1, and the system may enter A20M mode.
    A20 {
        /// Which part.
        part: DsPart,
        /// The first such address.
        linear: u64,
    },
    /// The threshold is not after the first record and before the last.
    Threshold {
        /// Which buffer.
        part: DsPart,
        /// Records before the threshold.
        after: u64,
        /// Records of the buffer.
        records: u64,
    },
    /// Behind the PEBS threshold there is less room than records can occur until the interrupt is served.
    Latency {
        /// Records that can occur.
        waiting: u64,
        /// Records that there is room for.
        room: u64,
    },
    /// The PEBS records are said to have a size that the processor's format does not have.
    PebsRecordBytes(u64),
    /// The memory that is to be used is not the memory that was checked.
    OtherMemory {
        /// Which part.
        part: DsPart,
        /// Where the memory is; 0 if there is none.
        address: u64,
    },
}

impl fmt::Display for DsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NoApic => f.write_str("the local APIC is disabled; the debug store needs its interrupt"),
            Self::NoBuffer => f.write_str("the debug store has no buffer; ask for a BTS or a PEBS buffer"),
            Self::Misaligned { part, base, alignment } => {
                write!(f, "{part} at {base:#x} is misaligned; place it on a multiple of {alignment} bytes")
            }
            Self::TooSmall { part, needed } => write!(f, "{part} is too small; it needs {needed} bytes"),
            Self::TooHigh { part, base } => {
                write!(f, "{part} at {base:#x} ends beyond the addresses of its format; place it lower")
            }
            Self::Overlap(one, other) => write!(f, "{one} and {other} overlap; give each its own memory"),
            Self::NotContiguous { part, linear } => {
                write!(f, "{part} has no page at {linear:#x}; map it to contiguous linear addresses")
            }
            Self::Page { part, linear, missing } => {
                write!(f, "page {linear:#x} of the {part} lacks {missing:?}; the processor cannot take a fault there")
            }
            Self::A20 { part, linear } => {
                write!(f, "{part}: bit 20 of {linear:#x} is 1; A20M mode would move it, so place it elsewhere")
            }
            Self::Threshold { part, after, records } => write!(
                f,
                "{part}: a threshold after {after} of {records} records is out of range; use 1 to one less than there are"
            ),
            Self::Latency { waiting, room } => write!(
                f,
                "PEBS buffer: {waiting} records may occur until the interrupt is served, with room for {room}; enlarge it"
            ),
            Self::PebsRecordBytes(bytes) => {
                write!(f, "PEBS records of {bytes} bytes do not exist; take the size of the processor's format")
            }
            Self::OtherMemory { part, address } => {
                write!(f, "{part}: memory at {address:#x} is not what was checked; check and use the same")
            }
        }
    }
}

impl core::error::Error for DsError {}

/// An index in the management area that cannot be believed: software has spoilt the area.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum DsIndexError {
    /// The index is not in the buffer.
    Outside {
        /// Which buffer.
        part: DsPart,
        /// The index.
        index: u64,
        /// First byte of the buffer.
        base: u64,
        /// First byte past it.
        absolute_maximum: u64,
    },
    /// The index is not at a record.
    BetweenRecords {
        /// Which buffer.
        part: DsPart,
        /// The index.
        index: u64,
        /// Bytes of a record.
        record_bytes: u64,
    },
    /// The area no longer describes the buffer that was set up.
    OtherBuffer {
        /// Which buffer.
        part: DsPart,
        /// Its base, as the area has it.
        base: u64,
        /// Its absolute maximum, as the area has it.
        absolute_maximum: u64,
    },
}

impl fmt::Display for DsIndexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Outside { part, index, base, absolute_maximum } => {
                write!(f, "{part}: index {index:#x} is outside {base:#x}..{absolute_maximum:#x}; set the area up again")
            }
            Self::BetweenRecords { part, index, record_bytes } => {
                write!(f, "{part}: index {index:#x} is between records of {record_bytes} bytes; set the area up again")
            }
            Self::OtherBuffer { part, base, absolute_maximum } => {
                write!(
                    f,
                    "{part}: the area says {base:#x}..{absolute_maximum:#x}, another buffer; set the area up again"
                )
            }
        }
    }
}

impl core::error::Error for DsIndexError {}
