//! Where the data of a cache miss came from.

/// Data source of a DCache miss, bits 31:29 of its record.
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "DCache misses", Figure 4.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum DataSource {
    /// 0: no valid status, or a level that has no code.
    #[default]
    None,
    /// 1: local L3 cache.
    LocalL3,
    /// 2: remote CPU or L3 cache.
    Remote,
    /// 3: DRAM.
    Dram,
    /// 4 (reserved for a remote cache), 5 and 6: codes that version 1 does not produce.
    Reserved(u8),
    /// 7: other, that is MMIO, configuration space, PCI space or APIC.
    Other,
}

impl DataSource {
    /// Decodes the low three bits of `code`; every code has a meaning.
    #[must_use]
    #[inline]
    pub const fn from_bits(code: u8) -> Self {
        match code & 7 {
            0 => Self::None,
            1 => Self::LocalL3,
            2 => Self::Remote,
            3 => Self::Dram,
            7 => Self::Other,
            code => Self::Reserved(code),
        }
    }

    /// The three-bit code. Of a hand-made `Reserved(n)`, the low three bits of `n`.
    #[must_use]
    #[inline]
    pub const fn into_bits(self) -> u8 {
        match self {
            Self::None => 0,
            Self::LocalL3 => 1,
            Self::Remote => 2,
            Self::Dram => 3,
            Self::Reserved(code) => code & 7,
            Self::Other => 7,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::DataSource;

    // LWP-DCM-12, LWP-DCM-13, LWP-DCM-14, LWP-DCM-15, LWP-DCM-16, LWP-DCM-17
    #[test]
    fn codes() {
        let table = [
            DataSource::None,
            DataSource::LocalL3,
            DataSource::Remote,
            DataSource::Dram,
            DataSource::Reserved(4),
            DataSource::Reserved(5),
            DataSource::Reserved(6),
            DataSource::Other,
        ];
        for (code, source) in (0..).zip(table) {
            assert_eq!(DataSource::from_bits(code), source);
            assert_eq!(source.into_bits(), code);
        }
    }
}
