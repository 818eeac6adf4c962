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
//! A file that breaks off is therefore complete up to its last complete frame, and a changed byte is detected before
//! any content of its frame is used. The *header* is JSON: [`Header`]. The *trailer* is JSON: [`Trailer`]. The *footer*
//! is the offset of the trailer's frame (64 bits) and [`END`]; it lets a reader that can seek read totals and mappings
//! first.
//!
//! # Blocks
//! A block holds the number of its instructions (at most [`MAX_INSTRUCTIONS`]) and six streams in sequence: seven
//! varints (instructions, bytes of each stream), then the streams. A varint is base 128, low digits first; a
//! *difference* is a varint of a zigzag-coded 64-bit two's complement number.
//!
//! The writer and the reader keep the same table of *sites* (instructions by address) through the whole file. They
//! expect every instruction to repeat its last actions. An expected action takes no bytes, or one byte that compresses
//! well.
//!
//! - *events*: where the flow or the code differs from the instructions. Varint: instructions executed in this block
//!   since the last event; byte: 1 the flow jumped, 2 the site is redefined, 3 an interruption was delivered. After 1,
//!   a difference follows: address minus expected address. After 3, these follow: a byte kind (number of the
//!   [`IntKind`](lwp_model::retire::IntKind), 0 to 4), a byte vector, and two differences: the interrupted address
//!   minus the expected address, and the destination minus the interrupted address; the destination is then the
//!   expected address.
//! - *definitions*, one for each site when it is first executed (or redefined): byte length, 0 (not known) to 15; byte
//!   class (number of the [`BranchKind`](super::BranchKind), 0 none); byte number of loads, 255 if it varies; a varint
//!   for the size of each load; the same for stores; byte flags: bit 0 loads SS.
//! - *outcomes*, one byte for each execution of a branch: bit 0 taken, bit 1 the successor is not the expected one. The
//!   expected successor is the neighbour if the branch was not taken or is `System`; for a return, the address that the
//!   last call left on a stack of 64; otherwise the last jump target of this site.
//! - *targets*: differences, unexpected successor minus the branch's own address.
//! - *loads*, a difference for each load of an execution: address minus expected address, which is the address of the
//!   same load in the last execution plus the step from the execution before it. If the number varies: varint number of
//!   loads, then a varint size and such a difference for each; all loads of the site share one memory of the last
//!   address.
//! - *stores*, the same for stores.
//!
//! Version 1 has five streams: no stores, in definitions neither stores nor flags, no length 0, and no event 3. The
//! stores of its instructions are unknown.
//!
//! The first instruction of the file is expected at address 0 and so begins with an event. Everything is in user mode;
//! the address of every load is known.

use serde::{Deserialize, Serialize};

use super::Mapping;

/// The first bytes of a capture. The first is not ASCII; the last two reveal a conversion of line ends.
pub const MAGIC: [u8; 8] = *b"\x8bLWPT\r\n\x1a";

/// The last bytes of a capture.
pub const END: [u8; 8] = *b"LWPT-END";

/// The version that is written, and the newest that is read. Older versions are read, too.
pub const VERSION: u32 = 2;

/// The number of bytes of the largest decompressed payload.
pub const MAX_PAYLOAD: usize = 1 << 23;

/// The number of loads of one instruction that are recorded; the same number of stores. `REP` prefixes give one
/// retirement any number of loads; memory is bounded, so the rest is counted and left out.
pub const MAX_LOADS: usize = 1 << 16;

/// The number of instructions of the largest block.
pub const MAX_INSTRUCTIONS: u64 = 1 << 20;

/// The number of bytes of a frame before its payload.
pub(super) const FRAME_HEAD: usize = 17;

/// The number of bytes of the footer.
pub(super) const FOOTER: usize = 16;

/// Event: the flow jumped.
pub(super) const EVENT_JUMP: u8 = 1;
/// Event: a site is redefined.
pub(super) const EVENT_REDEFINE: u8 = 2;
/// Event: an interruption was delivered.
pub(super) const EVENT_INTERRUPTED: u8 = 3;

/// Outcome bit: taken.
pub(super) const OUTCOME_TAKEN: u8 = 1;
/// Outcome bit: the successor is in the targets.
pub(super) const OUTCOME_SURPRISE: u8 = 2;

/// The value that replaces the number of loads or stores in a definition if it varies.
pub(super) const COUNT_VARIES: u8 = 255;

/// Flag of a definition: the instruction loads SS.
pub(super) const FLAG_SS_LOAD: u8 = 1;

/// The properties that are known when a capture begins.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The path of the program.
    pub program: String,
    /// The arguments, without the program itself.
    pub args: Vec<String>,
    /// The program and version that wrote the file.
    pub writer: String,
}

/// The properties that are known when a capture ends.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trailer {
    /// The number of instructions in the file.
    pub instructions: u64,
    /// The number of transfers of control among them.
    pub branches: u64,
    /// The number of their loads.
    pub loads: u64,
    /// The number of loads that were left out, see [`MAX_LOADS`].
    pub loads_left_out: u64,
    /// The number of stores of the instructions. Files of version 1 have none.
    #[serde(default)]
    pub stores: u64,
    /// The number of stores that were left out in the same way.
    #[serde(default)]
    pub stores_left_out: u64,
    /// The number of instructions of other threads, which are not in the file.
    pub other_threads: u64,
    /// A description of how the capture ended.
    pub end: String,
    /// The files that the program's code came from.
    pub mappings: Vec<Mapping>,
}
