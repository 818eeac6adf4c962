//! The two lines before a capsule's content, written by hand.

use sha2::{Digest, Sha256};

/// A capsule of this content, with a checksum that is right.
pub(crate) fn seal(text: &[u8], body: &[u8]) -> Vec<u8> {
    let content = [text, body].concat();
    let digest: String = Sha256::digest(&content).iter().map(|byte| format!("{byte:02x}")).collect();
    let head = format!("failure-capsule 1\nbytes {} text {} sha256 {digest}\n", content.len(), text.len());
    [head.as_bytes(), &content].concat()
}

/// The content of a capsule that is whole.
pub(crate) fn text_and_body(capsule: &[u8]) -> (&[u8], &[u8]) {
    let content_at = capsule.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(1).expect("two lines").0 + 1;
    let second = std::str::from_utf8(&capsule[..content_at]).expect("text").lines().nth(1).expect("two lines");
    let length = second.split(' ').nth(3).and_then(|number| number.parse().ok()).expect("its length");
    capsule[content_at..].split_at(length)
}
