//! The capture file: the format of `lwp-sim capture`.
//!
//! All numbers are little endian. A file is the magic [`MAGIC`], the version (32 bits), and frames:
//! one `H`, any number of `B`, one `T`; then the footer.
//!
//! # Frames
//! | bytes | content |
//! |---|---|
//! | 1 | kind: `H` header, `B` block of instructions, `T` trailer |
//! | 4 | number of the frame, from 0 |
//! | 4 | bytes of the payload when decompressed, at most [`MAX_PAYLOAD`] |
//! | 4 | bytes of the payload as stored |
//! | 4 | CRC-32 (IEEE) over the 13 bytes above and the stored payload |
//! | n | the payload, one zstd frame |
//!
//! So a file that breaks off is whole up to its last whole frame, and a changed byte is found
//! before anything of its frame is used. The *header* is JSON: [`Header`]. The *trailer* is JSON:
//! [`Trailer`]. The *footer* is the offset of the trailer's frame (64 bits) and [`END`]; it lets a
//! reader that can seek know totals and mappings before it begins.
//!
//! # Blocks
//! A block holds the number of its instructions (at most [`MAX_INSTRUCTIONS`]) and six streams, one after the other: seven varints
//! (instructions, bytes of each stream), then the streams. A varint is base 128, low digits first;
//! a *difference* is a varint of a zigzag-coded 64-bit two's complement number.
//!
//! Writer and reader keep the same table of *sites* (instructions by address) through the whole
//! file and expect of every instruction that it does what it did last. What happens as expected
//! costs nothing or one byte that compresses well.
//!
//! - *events*: where the flow or the code is not what the instructions say. Varint: instructions
//!   executed in this block since the last event; byte: 1 the flow jumped, 2 the site is defined
//!   anew, 3 an interruption was delivered. For 1 a difference follows: address minus expected address. For 3 follow a byte kind
//!   (number of the [`IntKind`](lwp_model::retire::IntKind), 0 to 4), a byte vector, and two differences: where it was taken minus
//!   expected address, where it led minus where it was taken; that is then the expected address.
//! - *definitions*, one for each site when it is first executed (or defined anew): byte length, 0 (not known) to 15; byte
//!   class (number of the [`BranchKind`](super::BranchKind), 0 none); byte number of loads, 255 if
//!   it varies; a varint for the size of each load; the same for stores; byte flags: bit 0 loads SS.
//! - *outcomes*, one byte for each execution of a branch: bit 0 taken, bit 1 the successor is not
//!   the expected one. Expected is the neighbour if the branch was not taken or is `System`; for a
//!   return, what the last call left on a stack of 64; otherwise where this site jumped last.
//! - *targets*: differences, unexpected successor minus the branch's own address.
//! - *loads*, for each load of an execution the difference: address minus expected address, which is
//!   the address of the same load in the last execution plus the step from the one before. Where
//!   the number varies: varint number of loads, then for each a varint size and such a difference,
//!   where all loads of the site share one memory of the last address.
//! - *stores*, the same for stores.
//!
//! Version 1 has five streams: no stores, in definitions neither stores nor flags, no length 0, and no event 3. It is read as
//! what it is: instructions of which nobody knows what they store.
//!
//! The first instruction of the file is expected at address 0 and so begins with an event.
//! Everything is in user mode; no load's address is unknown.

use serde::{Deserialize, Serialize};

use super::Mapping;

/// The first bytes of a capture. The first is no ASCII, the last two show a conversion of line ends.
pub const MAGIC: [u8; 8] = *b"\x8bLWPT\r\n\x1a";

/// The last bytes of a capture.
pub const END: [u8; 8] = *b"LWPT-END";

/// The version written, and the newest read. Older ones are read, too.
pub const VERSION: u32 = 2;

/// Bytes of the largest decompressed payload.
pub const MAX_PAYLOAD: usize = 1 << 23;

/// Loads of one instruction that are recorded, and as many stores. `REP` prefixes give one retirement any number of
/// loads; memory is bounded, so the rest is counted and left out.
pub const MAX_LOADS: usize = 1 << 16;

/// Instructions of the largest block.
pub const MAX_INSTRUCTIONS: u64 = 1 << 20;

/// Bytes of a frame before its payload.
pub(super) const FRAME_HEAD: usize = 17;

/// Bytes of the footer.
pub(super) const FOOTER: usize = 16;

/// The event that the flow jumped.
pub(super) const EVENT_JUMP: u8 = 1;
/// The event that a site is defined anew.
pub(super) const EVENT_REDEFINE: u8 = 2;
/// The event that an interruption was delivered.
pub(super) const EVENT_INTERRUPTED: u8 = 3;

/// Outcome bit: taken.
pub(super) const OUTCOME_TAKEN: u8 = 1;
/// Outcome bit: the successor is in the targets.
pub(super) const OUTCOME_SURPRISE: u8 = 2;

/// Number of loads or stores in a definition: it varies.
pub(super) const COUNT_VARIES: u8 = 255;

/// Flag of a definition: the instruction loads SS.
pub(super) const FLAG_SS_LOAD: u8 = 1;

/// What is known when a capture begins.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// Path of the program.
    pub program: String,
    /// Its arguments, without the program itself.
    pub args: Vec<String>,
    /// Program and version that wrote the file.
    pub writer: String,
}

/// What is known when a capture ends.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trailer {
    /// Instructions in the file.
    pub instructions: u64,
    /// Transfers of control among them.
    pub branches: u64,
    /// Their loads.
    pub loads: u64,
    /// Loads that were left out, see [`MAX_LOADS`].
    pub loads_left_out: u64,
    /// Stores of the instructions. Files of version 1 have none.
    #[serde(default)]
    pub stores: u64,
    /// Stores that were left out in the same way.
    #[serde(default)]
    pub stores_left_out: u64,
    /// Instructions of other threads, which are not in the file.
    pub other_threads: u64,
    /// How the capture ended, in words.
    pub end: String,
    /// Files that the program's code came from.
    pub mappings: Vec<Mapping>,
}
