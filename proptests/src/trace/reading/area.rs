//! The buffer management area: where its fields are, and where a record goes.

use super::memory::Port;
use super::ports::Straps;

/// One of the two buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Buffer {
    /// Branch records.
    Bts,
    /// PEBS records.
    Pebs,
}

/// Format of the debug store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// 4 bytes a field.
    Bits32,
    /// 8 bytes a field.
    Bits64,
}

impl Format {
    /// Returns the formats that the ports allow. Strap `dtes64`; facts: BTS-20 in brackets.
    pub(super) fn of(straps: &Straps, ia32e: bool) -> Vec<Self> {
        match (straps.dtes64, ia32e) {
            (true, _) => vec![Self::Bits64],
            (false, false) => vec![Self::Bits32],
            // There is no IA-32e mode with 32-bit linear addresses.
            (false, true) if straps.linear == 0 => vec![Self::Bits32, Self::Bits64],
            (false, true) => vec![Self::Bits64],
        }
    }

    /// Returns the bytes of a field of the area or of a record.
    pub(super) fn word(self) -> u64 {
        match self {
            Self::Bits32 => 4,
            Self::Bits64 => 8,
        }
    }
}

/// The fields of the area that belong to one buffer, as far as the unit has seen them. Rows: BTS-13 to BTS-18.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields {
    /// Format that the fields were read in.
    pub(super) format: Format,
    /// Address of the index.
    pub(super) index_at: u64,
    /// First byte of the buffer.
    pub(super) base: Option<u64>,
    /// Address of the next record.
    pub(super) index: Option<u64>,
    /// First byte past the end of the buffer.
    pub(super) maximum: Option<u64>,
    /// Address of the record at which an interrupt is generated.
    pub(super) threshold: Option<u64>,
    /// Bytes of a record.
    pub(super) size: u64,
    /// Something is so unusual that the document does not define the result.
    pub(super) strange: bool,
}

impl Fields {
    /// Returns the fields of `buffer` in the area at `area`.
    pub(super) fn read(straps: &Straps, port: &Port, area: Option<u64>, buffer: Buffer, format: Format) -> Self {
        let word = format.word();
        let at = area.unwrap_or(0);
        let first = at.wrapping_add(if buffer == Buffer::Bts { 0 } else { 4 * word });
        let field = |number: u64| port.number(first.wrapping_add(number * word), word);
        let size = match (buffer, format) {
            (Buffer::Bts, _) => 3 * word,
            (Buffer::Pebs, Format::Bits32) => 10 * word,
            (Buffer::Pebs, Format::Bits64) => word * u64::try_from(straps.pebs_fields()).unwrap_or(0),
        };
        let mut fields = Self {
            format,
            index_at: first.wrapping_add(word),
            base: field(0),
            index: field(1),
            maximum: field(2),
            threshold: field(3),
            size,
            strange: false,
        };
        fields.strange = area.is_none() || fields.unusual(straps, at);
        fields
    }

    /// Whether a byte belongs to the index.
    pub(super) fn is_index(&self, at: u64) -> bool {
        at.wrapping_sub(self.index_at) < self.format.word()
    }

    /// Whether an address is not aligned or is no linear address, or the buffer overlaps the management area.
    fn unusual(&self, straps: &Straps, area: u64) -> bool {
        let word = self.format.word();
        let odd = |address: u64| {
            let past = address.checked_add(0x100).is_none() || !straps.canonical(address.wrapping_add(0x100));
            let wide = straps.linear == 0 || self.format == Format::Bits32;
            let high = if wide { address >> 32 != 0 } else { !straps.canonical(address) };
            address & (word - 1) != 0 || high || past
        };
        // In both formats the area has fields of 8 bytes.
        if odd(area) || area & 7 != 0 || [self.base, self.index, self.maximum].into_iter().flatten().any(odd) {
            return true;
        }
        let (Some(maximum), Some(index)) = (self.maximum, self.index) else { return false };
        let first = self.base.unwrap_or(index).min(index);
        let end = maximum.max(index);
        first < area + 0x60 && area < end
    }

    /// Whether a record at `at` is inside the buffer. Without a base that was read, the index is trusted.
    pub(super) fn fits(&self, at: u64) -> bool {
        let end = u128::from(at) + u128::from(self.size);
        self.base.is_none_or(|base| base <= at) && self.maximum.is_some_and(|maximum| end <= u128::from(maximum))
    }

    /// Whether the bytes from `at` are inside the buffer.
    pub(super) fn holds(&self, at: u64) -> bool {
        self.base.is_none_or(|base| base <= at) && self.maximum.is_some_and(|maximum| at < maximum)
    }

    /// Returns the addresses at which the next record may be stored, and whether it may be dropped.
    /// Rows: DCTL-08, BTS-14, BTS-15, BTS-40.
    pub(super) fn places(&self, circular: bool) -> (Vec<u64>, bool) {
        let (Some(index), Some(maximum)) = (self.index, self.maximum) else { return (Vec::new(), false) };
        if self.fits(index) {
            return (vec![index], false);
        }
        let inside = self.base.is_none_or(|base| base <= index) && index <= maximum;
        if inside && !circular {
            return (Vec::new(), true);
        }
        // The record goes to the base. If software wrote an index outside the buffer, it may also be dropped.
        match self.base {
            None => (Vec::new(), false),
            Some(base) if self.fits(base) => (vec![base], !inside),
            Some(_) => (Vec::new(), true),
        }
    }

    /// Returns the values that the index may get behind a record at `at`.
    pub(super) fn next(&self, at: u64, circular: bool) -> Vec<u64> {
        let next = at + self.size;
        match self.base {
            Some(base) if circular && !self.fits(next) => vec![next, base],
            _ => vec![next],
        }
    }
}
