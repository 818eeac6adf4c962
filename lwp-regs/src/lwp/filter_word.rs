//! The filter word of the control block.

use super::DataSource;

layout! {
    /// The filters, at offset 36 of the control block. Constant during a session.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "LWP Control Block", Table 4, which gives neither positions nor
    /// widths. They are this project's decision: in the table's order from bit 0, with 8 bits for MinLatency because its
    /// rule for values above the maximum means nothing with fewer.
    pub struct FilterWord: u32, Ignored {
        /// Least latency, in units of 16 cycles, of a miss that counts; 0 disables the filter. Ignored if the
        /// implementation does not filter by latency.
        #[inline]
        pub min_latency: u8,
        /// Cache Level Filtering: only misses count whose source has its bit among the next four. If 0, those are ignored.
        /// Ignored itself if the implementation does not filter by level.
        #[inline]
        pub clf: bool,
        /// Count what a cache on the Northbridge returned (data source 1).
        #[inline]
        pub nbc: bool,
        /// Count what a remote data cache returned (data source 2).
        #[inline]
        pub rdc: bool,
        /// Count what DRAM returned (data source 3).
        #[inline]
        pub ram: bool,
        /// Count what other sources returned: MMIO, configuration space, PCI space, APIC (data source 7).
        #[inline]
        pub oth: bool,
        /// No Direct Branches: unconditional RIP-relative jumps do not count. Calls, returns, indirect and conditional
        /// branches do.
        #[inline]
        pub ndb: bool,
        #[bits(18)]
        __: u32,
    }
}

impl FilterWord {
    /// Least latency in cycles: MinLatency times 16.
    #[must_use]
    #[inline]
    pub const fn min_latency_cycles(self) -> u32 {
        self.min_latency() as u32 * 16
    }

    /// Whether the bit that describes `source` is set. Sources that no bit describes are never selected.
    ///
    /// The proposal names bits and sources but not which belongs to which; the mapping is this project's decision.
    #[must_use]
    #[inline]
    pub const fn selects(self, source: DataSource) -> bool {
        match source {
            DataSource::LocalL3 => self.nbc(),
            DataSource::Remote => self.rdc(),
            DataSource::Dram => self.ram(),
            DataSource::Other => self.oth(),
            DataSource::None | DataSource::Reserved(_) => false,
        }
    }

    /// Whether at least one of the four source bits is set.
    #[must_use]
    #[inline]
    pub const fn selects_any(self) -> bool {
        self.nbc() || self.rdc() || self.ram() || self.oth()
    }
}

#[cfg(test)]
mod tests {
    use super::{DataSource, FilterWord};

    // LWP-LCB-39, LWP-LCB-27
    #[test]
    fn positions() {
        assert_eq!(FilterWord::new().with_min_latency(0xFF).into_bits(), 0x00FF);
        assert_eq!(FilterWord::new().with_clf(true).into_bits(), 0x0100);
        assert_eq!(FilterWord::new().with_nbc(true).into_bits(), 0x0200);
        assert_eq!(FilterWord::new().with_rdc(true).into_bits(), 0x0400);
        assert_eq!(FilterWord::new().with_ram(true).into_bits(), 0x0800);
        assert_eq!(FilterWord::new().with_oth(true).into_bits(), 0x1000);
        assert_eq!(FilterWord::new().with_ndb(true).into_bits(), 0x2000);
        assert_eq!(FilterWord::RESERVED, 0xFFFF_C000);
    }

    // LWP-LCB-19
    #[test]
    fn latency_is_in_units_of_16_cycles() {
        assert_eq!(FilterWord::new().with_min_latency(63).min_latency_cycles(), 1008);
        assert_eq!(FilterWord::new().with_min_latency(255).min_latency_cycles(), 4080);
    }

    // LWP-LCB-20, LWP-LCB-23, LWP-LCB-24, LWP-LCB-25, LWP-LCB-26, LWP-LCB-45
    #[test]
    fn one_bit_per_source() {
        let only = |bits, source| {
            let word = FilterWord::from_bits(bits);
            (0..8).all(|code| word.selects(DataSource::from_bits(code)) == (code == source))
        };
        assert!(only(0x0200, 1));
        assert!(only(0x0400, 2));
        assert!(only(0x0800, 3));
        assert!(only(0x1000, 7));
    }
}
