//! Numbers in as few bytes as they need: little-endian base 128; the top bit of a byte is set if another byte follows.

/// Appends `value`.
#[inline]
pub(super) fn put(into: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        into.push(value as u8 | 0x80);
        value >>= 7;
    }
    into.push(value as u8);
}

/// Appends a difference; small differences of either sign are short.
#[inline]
pub(super) fn put_signed(into: &mut Vec<u8>, value: u64) {
    let value = value.cast_signed();
    put(into, ((value << 1) ^ (value >> 63)).cast_unsigned());
}

/// A part of a buffer that is read from its front.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cursor {
    at: usize,
    end: usize,
}

impl Cursor {
    /// Creates a cursor over the `length` bytes from `at` on.
    pub(super) fn new(at: usize, length: usize) -> Self {
        Self { at, end: at + length }
    }

    /// Returns the position of the next byte.
    pub(super) fn at(self) -> usize {
        self.at
    }

    pub(super) fn is_empty(self) -> bool {
        self.at >= self.end
    }

    /// Returns the next byte; `None` if there is none left.
    #[inline]
    pub(super) fn byte(&mut self, buffer: &[u8]) -> Option<u8> {
        if self.at >= self.end {
            return None;
        }
        let byte = *buffer.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    /// Returns the next number; `None` if it is cut off or longer than 64 bits.
    #[inline]
    pub(super) fn number(&mut self, buffer: &[u8]) -> Option<u64> {
        let first = self.byte(buffer)?;
        if first < 0x80 {
            return Some(u64::from(first));
        }
        let mut value = u64::from(first & 0x7f);
        let mut shift = 7;
        loop {
            let byte = self.byte(buffer)?;
            if shift == 63 && byte > 1 {
                return None;
            }
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
            shift += 7;
        }
    }

    /// Returns the next difference, as [`put_signed`] wrote it.
    #[inline]
    pub(super) fn signed(&mut self, buffer: &[u8]) -> Option<u64> {
        let value = self.number(buffer)?;
        Some((value >> 1) ^ (value & 1).wrapping_neg())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_comes_back() {
        for shift in 0..64 {
            for value in [1u64 << shift, (1 << shift) - 1, !(1 << shift), u64::MAX >> shift] {
                let mut bytes = Vec::new();
                put(&mut bytes, value);
                put_signed(&mut bytes, value);
                let mut cursor = Cursor::new(0, bytes.len());
                assert_eq!(cursor.number(&bytes), Some(value));
                assert_eq!(cursor.signed(&bytes), Some(value));
                assert!(cursor.is_empty());
            }
        }
    }

    #[test]
    fn small_differences_take_one_byte() {
        for value in [0, 63, (-64i64).cast_unsigned()] {
            let mut bytes = Vec::new();
            put_signed(&mut bytes, value);
            assert_eq!(bytes.len(), 1, "{value:#x}");
        }
    }

    #[test]
    fn cut_off_and_overlong_numbers_are_refused() {
        assert_eq!(Cursor::new(0, 1).number(&[0x80]), None);
        assert_eq!(Cursor::new(0, 11).number(&[0xff; 11]), None);
    }
}
