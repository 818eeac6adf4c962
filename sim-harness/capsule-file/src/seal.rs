//! First and second line of the file.

use crate::header::Header;
use sha2::{Digest, Sha256};

/// First word of every capsule.
pub const MAGIC: &str = "failure-capsule";
/// Version of the format.
pub const VERSION: &str = "1";

/// Second line of the file: lengths and checksum of what follows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seal {
    /// Bytes that follow the line.
    pub bytes: u64,
    /// Bytes of the text, which come first.
    pub text: u64,
    /// SHA-256 of what follows the line, in hexadecimal.
    pub digest: String,
}

impl Seal {
    /// Returns the SHA-256 of what follows the line, in hexadecimal.
    #[must_use]
    pub fn digest(content: &[u8]) -> String {
        Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Returns the line, without its end.
    #[must_use]
    pub fn line(&self) -> String {
        format!("bytes {} text {} sha256 {}", self.bytes, self.text, self.digest)
    }

    /// Reads the line, without its end; `None` if it is not one.
    #[must_use]
    pub fn read(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split(' ').collect();
        let ["bytes", bytes, "text", text, "sha256", digest] = words[..] else { return None };
        Some(Self { bytes: bytes.parse().ok()?, text: text.parse().ok()?, digest: digest.to_owned() })
    }
}

/// Returns the bytes of a file with this text and these rows, which are compressed or [stored](crate::stored).
///
/// # Panics
/// If the text cannot be written as TOML, which holds for no header.
#[must_use]
pub fn file(header: &Header, rows: &[u8]) -> Vec<u8> {
    let mut content = toml::to_string(header).expect("a header is plain data").into_bytes();
    let text = content.len() as u64;
    content.extend_from_slice(rows);
    let seal = Seal { bytes: content.len() as u64, text, digest: Seal::digest(&content) };
    let mut bytes = format!("{MAGIC} {VERSION}\n{}\n", seal.line()).into_bytes();
    bytes.extend_from_slice(&content);
    bytes
}
