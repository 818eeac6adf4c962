//! Capture files whose checksums are right: frames with any content.
//!
//! The input is a list of frames: a byte (`H`, `B`, `T`, or anything), a byte that says what is done to it, two bytes of
//! length, the payload.

use super::reading;
use super::trace::again;
use crate::bytes::Bytes;
use crate::file::with_file;
use crate::seal;

/// Instructions of a block are at most 2^20, whatever its bytes: no hang, but many inputs of it are.
const LIMIT: u64 = 1 << 22;

/// The byte in front of a length: the frame is as it stands.
pub const AS_IT_IS: u8 = 0;
/// Its head claims eight megabytes.
pub const CLAIMS_MOST: u8 = 1;
/// Its head claims a length from the payload.
pub const CLAIMS_SOME: u8 = 2;

/// Reads it; as [`trace`](super::trace::one_input).
///
/// # Panics
/// If a promise is broken.
pub fn one_input(data: &[u8]) {
    let read = with_file(&file(data), |path| reading::read(path, LIMIT));
    again(&read);
}

/// The capture file that an input stands for.
#[must_use]
pub fn file(data: &[u8]) -> Vec<u8> {
    let (mut bytes, mut frames) = (Bytes(data), Vec::new());
    while !bytes.is_empty() {
        let (kind, how, length) = (bytes.byte(), bytes.byte(), bytes.u16());
        let payload = bytes.take(length.into()).to_vec();
        let claimed = match how {
            CLAIMS_MOST => Some(1 << 23),
            CLAIMS_SOME => Some(Bytes(&payload).u32()),
            _ => None,
        };
        frames.push((kind, payload, claimed));
    }
    seal::capture(&frames)
}
