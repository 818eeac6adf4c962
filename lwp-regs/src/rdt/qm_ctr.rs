//! IA32_QM_CTR: what was monitored.

use super::MonitoringCaps;
use crate::access::GeneralProtection;
use crate::bits::U62;
use crate::refused::Rule;
use core::fmt;

layout! {
    /// IA32_QM_CTR, "Monitoring Counter": the count that IA32_QM_EVTSEL selects. Read-only.
    ///
    /// `data` means nothing while one of the flags is set; [`count`](Self::count) looks at them first.
    ///
    /// Source: Intel SDM volume 3B, "Monitoring Resource Selection and Reporting Infrastructure".
    #[doc(alias = "0xC8E")]
    #[doc(alias = "IA32_QM_CTR")]
    pub struct QmCtr: u64, Fault {
        /// The count, in units of the upscaling factor of CPUID 0FH.
        #[inline]
        #[bits(62)]
        pub data: U62,
        /// There is no data for the RMID at the moment.
        #[inline]
        pub unavailable: bool,
        /// The event or the RMID is not monitored.
        #[inline]
        pub error: bool,
    }
    msr "IA32_QM_CTR" = 0xC8E, read_only, caps = MonitoringCaps;
}

/// A count as IA32_QM_CTR reports it, in units of its upscaling factor;
/// [`L3Monitoring::bytes`](super::L3Monitoring::bytes) gives bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Count(u64);

/// Why IA32_QM_CTR has no count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum NoCount {
    /// Error: the event or the RMID is not monitored. It will not be later either.
    Error,
    /// Unavailable: there is no data for the RMID at the moment.
    Unavailable,
}

impl QmCtr {
    /// The count, if there is one. With both flags set it is an error.
    ///
    /// # Errors
    ///
    /// [`NoCount`] according to the flags.
    #[inline]
    pub const fn count(self) -> Result<Count, NoCount> {
        if self.error() {
            Err(NoCount::Error)
        } else if self.unavailable() {
            Err(NoCount::Unavailable)
        } else {
            Ok(Count(self.data().get()))
        }
    }

    /// What a WRMSR does: it faults, since the register is read-only.
    ///
    /// # Errors
    ///
    /// [`GeneralProtection`], always.
    #[inline]
    pub const fn check_write(_old: Self, new: u64, _caps: &MonitoringCaps) -> Result<Self, GeneralProtection> {
        Err(GeneralProtection::refused("IA32_QM_CTR", new, Rule::ReadOnly))
    }
}

impl Count {
    /// A count of so many units, for models and tests. The register holds 62 bits.
    #[must_use]
    #[inline]
    pub const fn new(units: u64) -> Self {
        Self(units)
    }

    /// The units.
    #[must_use]
    #[inline]
    pub const fn units(self) -> u64 {
        self.0
    }
}

impl fmt::Display for NoCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Error => "IA32_QM_CTR: Error; the event or the RMID is not monitored, see CPUID 0FH",
            Self::Unavailable => "IA32_QM_CTR: Unavailable; there is no data for the RMID now, read again later",
        })
    }
}

impl core::error::Error for NoCount {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rdt::monitoring_caps::tests::SKYLAKE_D;

    // RDTM-24: data in 61:0, Unavailable 62, Error 63
    #[test]
    fn positions() {
        assert_eq!(QmCtr::ADDRESS, 0xC8E);
        assert_eq!(QmCtr::from_bits(0x3FFF_FFFF_FFFF_FFFF).data(), 0x3FFF_FFFF_FFFF_FFFF);
        assert!(QmCtr::from_bits(0x4000_0000_0000_0000).unavailable());
        assert!(QmCtr::from_bits(0x8000_0000_0000_0000).error());
        assert_eq!(QmCtr::RESERVED, 0);
    }

    // RDTM-25, RDTM-26, RDTM-27: data counts only while both flags are clear
    #[test]
    fn flags_come_before_data() {
        let count = |bits| QmCtr::from_bits(bits).count();
        assert_eq!(count(0x0000_0000_0000_1234), Ok(Count::new(0x1234)));
        assert_eq!(count(0x4000_0000_0000_1234), Err(NoCount::Unavailable));
        assert_eq!(count(0x8000_0000_0000_1234), Err(NoCount::Error));
        assert_eq!(count(0xC000_0000_0000_1234), Err(NoCount::Error));
    }

    #[test]
    fn cannot_be_written() {
        let fault = GeneralProtection::refused("IA32_QM_CTR", 7, Rule::ReadOnly);
        assert_eq!(QmCtr::check_write(QmCtr::new(), 7, &SKYLAKE_D), Err(fault));
    }
}
