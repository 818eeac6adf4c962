//! The two registers of an entry, and what they say.

use crate::bits::{U3, U5, U58};
use crate::msr::msr_value;
use crate::trace::LinearAddressBits;

layout! {
    /// `SAMP_BR_FROM_n`: where a branch came from.
    ///
    /// Source: Linux, `arch/x86/events/amd/lbr.c`, `struct branch_entry`; number: `msr-index.h`, `MSR_AMD_SAMP_BR_FROM`.
    #[doc(alias = "SAMP_BR_FROM_n")]
    #[doc(alias = "0xC0010300")]
    #[doc(alias = "MSR_AMD_SAMP_BR_FROM")]
    pub struct AmdLbrFrom: u64, Preserve {
        /// Bits 57:0 of the address.
        #[inline]
        #[bits(58)]
        pub address: U58,
        /// Its sign extension.
        #[inline]
        #[bits(5)]
        pub sign: U5,
        /// The branch was mispredicted.
        #[inline]
        pub mispredicted: bool,
    }
}

msr_value!(AmdLbrFrom, "SAMP_BR_FROM_n", read_write);

layout! {
    /// `SAMP_BR_TO_n`: where a branch went, and whether there is a record.
    ///
    /// Source: Linux, `arch/x86/events/amd/lbr.c`, `struct branch_entry` and `amd_pmu_lbr_get_to` (C001_0301H + 2n).
    #[doc(alias = "0xC0010301")]
    #[doc(alias = "SAMP_BR_TO_n")]
    pub struct AmdLbrTo: u64, Preserve {
        /// Bits 57:0 of the address.
        #[inline]
        #[bits(58)]
        pub address: U58,
        /// Its sign extension.
        #[inline]
        #[bits(3)]
        pub sign: U3,
        __: bool,
        /// The branch was recorded speculatively.
        #[inline]
        pub speculative: bool,
        /// The branch has retired.
        #[inline]
        pub valid: bool,
    }
}

msr_value!(AmdLbrTo, "SAMP_BR_TO_n", read_write);

/// What is known of the path that a recorded branch is on.
///
/// Source: Linux, `arch/x86/events/amd/lbr.c`, `amd_pmu_lbr_read`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum AmdLbrPath {
    /// Recorded speculatively, and the path was wrong: the branch was not taken by the program.
    Wrong,
    /// Not recorded speculatively; the path is right.
    Retired,
    /// Recorded speculatively, and the path was right.
    SpeculatedRight,
}

/// The registers of one entry, as they were read or are to be written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct AmdLbrEntry {
    /// `SAMP_BR_FROM_n`.
    pub from: AmdLbrFrom,
    /// `SAMP_BR_TO_n`.
    pub to: AmdLbrTo,
}

/// What one entry says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct AmdLbrRecord {
    /// Address of the branch; of two fused instructions that of the first.
    pub from: u64,
    /// Address of its target.
    pub to: u64,
    /// Whether the branch was mispredicted.
    pub mispredicted: bool,
    /// What is known of its path.
    pub path: AmdLbrPath,
}

impl AmdLbrEntry {
    /// What the registers say, with addresses extended from the `width` of linear addresses; `None` if there is no record.
    ///
    /// Source: Linux, `arch/x86/events/amd/lbr.c`: "if valid = 0, spec = 0 then no branch was recorded";
    /// `sign_ext_branch_ip`.
    #[must_use]
    #[inline]
    pub const fn decode(self, width: LinearAddressBits) -> Option<AmdLbrRecord> {
        let path = match (self.to.valid(), self.to.speculative()) {
            (false, false) => return None,
            (false, true) => AmdLbrPath::Wrong,
            (true, false) => AmdLbrPath::Retired,
            (true, true) => AmdLbrPath::SpeculatedRight,
        };
        Some(AmdLbrRecord {
            from: width.sign_extended(self.from.address().get()),
            to: width.sign_extended(self.to.address().get()),
            mispredicted: self.from.mispredicted(),
            path,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Linux: from: ip:58, ip_sign_ext:5, mispredict:1; to: ip:58, ip_sign_ext:3, reserved:1, spec:1, valid:1
    #[test]
    fn positions() {
        let (from, to) = (AmdLbrFrom::new(), AmdLbrTo::new());
        assert_eq!(from.with_address(U58::MAX).into_bits(), 0x03FF_FFFF_FFFF_FFFF);
        assert_eq!(from.with_sign(U5::MAX).into_bits(), 0x7C00_0000_0000_0000);
        assert_eq!(from.with_mispredicted(true).into_bits(), 1 << 63);
        assert_eq!(to.with_address(U58::MAX).into_bits(), 0x03FF_FFFF_FFFF_FFFF);
        assert_eq!(to.with_sign(U3::MAX).into_bits(), 0x1C00_0000_0000_0000);
        assert_eq!(to.with_speculative(true).into_bits(), 1 << 62);
        assert_eq!(to.with_valid(true).into_bits(), 1 << 63);
        assert_eq!((AmdLbrFrom::RESERVED, AmdLbrTo::RESERVED), (0, 1 << 61));
    }

    #[test]
    fn records() {
        let decode = |from, to| {
            AmdLbrEntry { from: AmdLbrFrom::from_bits(from), to: AmdLbrTo::from_bits(to) }.decode(LinearAddressBits(48))
        };
        let record = decode(0xFFFF_FFFF_8100_0010, 0x9FFF_FFFF_8100_0400).unwrap();
        assert_eq!((record.from, record.to), (0xFFFF_FFFF_8100_0010, 0xFFFF_FFFF_8100_0400));
        assert_eq!((record.mispredicted, record.path), (true, AmdLbrPath::Retired));
        let user = decode(0x0000_0000_0040_0010, 0xC000_0000_0040_0400).unwrap();
        assert_eq!((user.from, user.to), (0x40_0010, 0x40_0400));
        assert_eq!((user.mispredicted, user.path), (false, AmdLbrPath::SpeculatedRight));
        assert_eq!(decode(1, 0x4000_0000_0000_0001).unwrap().path, AmdLbrPath::Wrong);
        assert_eq!(decode(1, 0x1FFF_FFFF_8100_0400), None);
        // bits above the width of linear addresses do not count
        assert_eq!(decode(0x0123_8000_0000_0000, 1 << 63).unwrap().from, 0xFFFF_8000_0000_0000);
    }
}
