//! The fields of a record, one after the other.

use super::DsFormat;

/// Puts fields together from the 32-bit words of a record, which `word` gives by their offset.
pub(super) struct Fields<W> {
    format: DsFormat,
    offset: u64,
    word: W,
}

impl<W: FnMut(u64) -> Option<u32>> Fields<W> {
    #[inline]
    pub(super) const fn new(format: DsFormat, word: W) -> Self {
        Self { format, offset: 0, word }
    }

    /// Whether the format has 64-bit fields, and with them the registers of 64-bit mode.
    pub(super) fn is_wide(&self) -> bool {
        self.format.is_64()
    }

    fn word(&mut self) -> Option<u64> {
        let word = (self.word)(self.offset);
        self.offset += 4;
        word.map(u64::from)
    }

    /// The next field; `None` past the end.
    pub(super) fn next(&mut self) -> Option<u64> {
        let low = self.word()?;
        if self.format.is_64() { Some(low | self.word()? << 32) } else { Some(low) }
    }
}

/// The word at an offset of `bytes`.
pub(super) fn word_of(bytes: &[u8]) -> impl FnMut(u64) -> Option<u32> {
    move |offset| {
        let at = usize::try_from(offset).ok()?;
        Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
    }
}
