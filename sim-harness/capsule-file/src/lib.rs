//! The file of a failure capsule: two lines that identify and protect it, the text, and the rows.
//!
//! ```text
//! failure-capsule 1
//! bytes 1893 text 1210 sha256 5d41...
//! unit = "lwp"                   the text (TOML), 1210 bytes: `head` shows it
//! ...
//! (the rows of inputs, compressed)
//! ```
//!
//! `bytes` counts what follows the second line, and the checksum is of that.
//!
//! [`Header`] is the text, [`Seal`] the second line, [`Deltas`] the rows before compression. A program that cannot compress stores them
//! ([`stored`]): readers need not know the difference.

mod crc;
mod deltas;
mod free_name;
mod header;
mod seal;
mod stored;

pub use crc::RowsCrc;
pub use deltas::{DeltaReader, Deltas, put};
pub use free_name::free_name;
pub use header::{Checkpoint, Failure, Header, Origin, Protocol, Shrunk, Start, Way};
pub use seal::{MAGIC, Seal, VERSION, file};
pub use stored::stored;
