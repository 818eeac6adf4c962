//! Bytes as a Zstandard frame without compression.

/// Bytes of a block. A frame may have larger ones, but no reader needs a larger buffer for these.
const BLOCK: usize = 1 << 17;
/// First word of a frame.
const FRAME: u32 = 0xFD2F_B528;
/// A window of 128 KiB: exponent 7 above 2^10, no mantissa.
const WINDOW: u8 = 7 << 3;

/// Returns a Zstandard frame that holds `bytes` as they are.
///
/// Source: RFC 8878, sections 3.1.1.1 (frame header) and 3.1.1.2 (blocks; `Raw_Block` is type 0).
#[must_use]
pub fn stored(bytes: &[u8]) -> Vec<u8> {
    let mut frame = FRAME.to_le_bytes().to_vec();
    // No content size, no checksum, no dictionary.
    frame.extend([0, WINDOW]);
    let mut blocks = bytes.chunks(BLOCK).peekable();
    if blocks.peek().is_none() {
        frame.extend(head(0, true));
    }
    while let Some(block) = blocks.next() {
        frame.extend(head(block.len(), blocks.peek().is_none()));
        frame.extend_from_slice(block);
    }
    frame
}

/// The three bytes before a block.
fn head(length: usize, last: bool) -> [u8; 3] {
    let [low, middle, high, _] = ((length as u32) << 3 | u32::from(last)).to_le_bytes();
    [low, middle, high]
}
