//! Checksums that are right. Behind a checksum nothing is ever reached by chance, so targets seal what they are given.

use flate2::Crc;
use sha2::{Digest, Sha256};
use sim_harness::traces::capture_file::{END, MAGIC, VERSION};

/// A capsule of this text and these bytes of rows.
#[must_use]
pub fn capsule(text: &[u8], body: &[u8]) -> Vec<u8> {
    let content = [text, body].concat();
    let digest: String = Sha256::digest(&content).iter().map(|byte| format!("{byte:02x}")).collect();
    let head = format!("failure-capsule 1\nbytes {} text {} sha256 {digest}\n", content.len(), text.len());
    [head.as_bytes(), &content].concat()
}

/// Text and rows of a capsule that is whole.
#[must_use]
pub fn split_capsule(capsule: &[u8]) -> Option<(&[u8], &[u8])> {
    let content_at = capsule.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(1)?.0 + 1;
    let second = std::str::from_utf8(&capsule[..content_at]).ok()?.lines().nth(1)?;
    let length: usize = second.split(' ').nth(3)?.parse().ok()?;
    capsule[content_at..].split_at_checked(length)
}

/// Compresses rows or a payload.
///
/// # Panics
/// Never: memory takes everything.
#[must_use]
pub fn compress(plain: &[u8]) -> Vec<u8> {
    zstd::bulk::compress(plain, 1).expect("memory takes everything")
}

/// A capture file of these frames: kinds and decompressed payloads. `claimed` may say another length than the payload's.
#[must_use]
pub fn capture(frames: &[(u8, Vec<u8>, Option<u32>)]) -> Vec<u8> {
    let mut bytes = [&MAGIC[..], &VERSION.to_le_bytes()].concat();
    let mut last = 0;
    for (number, (kind, plain, claimed)) in frames.iter().enumerate() {
        last = bytes.len() as u64;
        let stored = compress(plain);
        let mut head = vec![*kind];
        for word in [number as u32, claimed.unwrap_or(plain.len() as u32), stored.len() as u32] {
            head.extend(word.to_le_bytes());
        }
        let mut crc = Crc::new();
        crc.update(&head);
        crc.update(&stored);
        head.extend(crc.sum().to_le_bytes());
        bytes.extend(head);
        bytes.extend(stored);
    }
    [bytes, last.to_le_bytes().to_vec(), END.to_vec()].concat()
}
