//! The frames of a capture file: bytes with a number, a length and a checksum.

use flate2::Crc;

use super::capture_file::{FRAME_HEAD, MAX_PAYLOAD};

/// The fields before a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FrameHead {
    pub(super) kind: u8,
    pub(super) number: u32,
    pub(super) plain_bytes: u32,
    pub(super) stored_bytes: u32,
    pub(super) checksum: u32,
}

impl FrameHead {
    /// Returns the head of a frame with this payload.
    pub(super) fn new(kind: u8, number: u32, plain_bytes: usize, stored: &[u8]) -> Self {
        let plain_bytes = plain_bytes as u32;
        let mut head = Self { kind, number, plain_bytes, stored_bytes: stored.len() as u32, checksum: 0 };
        head.checksum = head.sum(stored);
        head
    }

    /// Returns the checksum for this payload.
    pub(super) fn sum(&self, stored: &[u8]) -> u32 {
        let mut crc = Crc::new();
        crc.update(&self.to_bytes()[..FRAME_HEAD - 4]);
        crc.update(stored);
        crc.sum()
    }

    pub(super) fn to_bytes(self) -> [u8; FRAME_HEAD] {
        let mut bytes = [0; FRAME_HEAD];
        bytes[0] = self.kind;
        for (place, value) in [(1, self.number), (5, self.plain_bytes), (9, self.stored_bytes), (13, self.checksum)] {
            bytes[place..place + 4].copy_from_slice(&value.to_le_bytes());
        }
        bytes
    }

    pub(super) fn from_bytes(bytes: &[u8; FRAME_HEAD]) -> Self {
        let field =
            |place: usize| u32::from_le_bytes([bytes[place], bytes[place + 1], bytes[place + 2], bytes[place + 3]]);
        Self { kind: bytes[0], number: field(1), plain_bytes: field(5), stored_bytes: field(9), checksum: field(13) }
    }

    /// Whether the lengths are within the limits; checked before memory is allocated for them.
    pub(super) fn is_sane(&self) -> bool {
        self.plain_bytes as usize <= MAX_PAYLOAD && self.stored_bytes as usize <= 2 * MAX_PAYLOAD
    }
}
