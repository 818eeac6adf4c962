//! PMC\[12\]: the branch trace buffer.

use super::pmc::pmc_value;
use super::{Ism, Monitor, MonitorLevel, Plm, Pmc};
use crate::bits::U2;

layout! {
    /// PMC\[12\]: which branches the branch trace buffer records. The filters are raw; their encodings are not given here.
    ///
    /// The buffer records IA-64 code only, so the register has no instruction set mask.
    ///
    /// Source: Intel Itanium Processor Reference Manual for Software Development, chapter "Performance Monitoring"; libpfm,
    /// `pfmlib_itanium.h`.
    #[doc(alias = "PMC[12]")]
    pub struct Pmc12: u64, Ignored {
        /// Privilege level mask.
        #[inline]
        #[bits(4, from = Plm::from_field, into = Plm::into_field, default = Plm::empty())]
        pub plm: Plm,
        #[bits(2)]
        __: u8,
        /// Privilege monitor: enabled by PSR.up or by PSR.pp.
        #[inline]
        #[bits(1)]
        pub pm: MonitorLevel,
        /// Branches predicted by the target address registers.
        #[inline]
        pub tar: bool,
        /// Taken mask.
        #[inline]
        #[bits(2)]
        pub tm: U2,
        /// Predicted target mask.
        #[inline]
        #[bits(2)]
        pub ptm: U2,
        /// Predicted predicate mask.
        #[inline]
        #[bits(2)]
        pub ppm: U2,
        /// Branches predicted by the target address cache.
        #[inline]
        pub bpt: bool,
        /// Branches predicted by the branch address calculator.
        #[inline]
        pub bac: bool,
        #[bits(48)]
        __: u64,
    }
}

pmc_value!(Pmc12, "PMC[12]");

impl Pmc12 {
    /// The register.
    pub const PMC: Pmc<Self> = Pmc::new(12);

    /// When the buffer records: IA-64 code only, whatever a mask would say.
    #[must_use]
    #[inline]
    pub const fn monitor(self) -> Monitor {
        Monitor { plm: self.plm(), pm: self.pm(), ism: Ism::Ia64Only }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions() {
        assert_eq!(Pmc12::PMC.index(), 12);
        assert_eq!(Pmc12::new().with_plm(Plm::all()).into_bits(), 0x000F);
        assert_eq!(Pmc12::new().with_pm(MonitorLevel::System).into_bits(), 0x0040);
        assert_eq!(Pmc12::new().with_tar(true).into_bits(), 0x0080);
        assert_eq!(Pmc12::new().with_tm(U2::of::<3>()).into_bits(), 0x0300);
        assert_eq!(Pmc12::new().with_ptm(U2::of::<3>()).into_bits(), 0x0C00);
        assert_eq!(Pmc12::new().with_ppm(U2::of::<3>()).into_bits(), 0x3000);
        assert_eq!(Pmc12::new().with_bpt(true).into_bits(), 0x4000);
        assert_eq!(Pmc12::new().with_bac(true).into_bits(), 0x8000);
    }

    // ITA-55: the branch trace buffer takes IA-64 code only
    #[test]
    fn ia_32_code_is_never_recorded() {
        let monitor = Pmc12::from_bits(u64::MAX).monitor();
        assert!(!monitor.ism.allows(true) && monitor.ism.allows(false));
    }
}
