//! PMC\[10\]: the instruction event address register.

use super::pmc::pmc_value;
use super::{Ism, Monitor, MonitorLevel, Plm, Pmc};
use crate::bits::U4;

layout! {
    /// PMC\[10\]: which instruction cache or TLB misses the instruction event address register captures.
    ///
    /// Source: Intel Itanium Processor Reference Manual for Software Development, chapter "Performance Monitoring"; libpfm,
    /// `pfmlib_itanium.h`.
    #[doc(alias = "PMC[10]")]
    pub struct Pmc10: u64, Ignored {
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
        /// TLB misses instead of cache misses.
        #[inline]
        pub tlb: bool,
        __: u8,
        /// Unit mask: which misses.
        #[inline]
        #[bits(4)]
        pub umask: U4,
        #[bits(4)]
        __: u8,
        /// Instruction set mask.
        #[inline]
        #[bits(2)]
        pub ism: Ism,
        #[bits(38)]
        __: u64,
    }
}

pmc_value!(Pmc10, "PMC[10]");

impl Pmc10 {
    /// The register.
    pub const PMC: Pmc<Self> = Pmc::new(10);

    /// When the register captures.
    #[must_use]
    #[inline]
    pub const fn monitor(self) -> Monitor {
        Monitor { plm: self.plm(), pm: self.pm(), ism: self.ism() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // ITA-15: every monitor has ism, this one too
    #[test]
    fn positions() {
        assert_eq!(Pmc10::PMC.index(), 10);
        assert_eq!(Pmc10::new().with_plm(Plm::all()).into_bits(), 0x0000_000F);
        assert_eq!(Pmc10::new().with_pm(MonitorLevel::System).into_bits(), 0x0000_0040);
        assert_eq!(Pmc10::new().with_tlb(true).into_bits(), 0x0000_0080);
        assert_eq!(Pmc10::new().with_umask(U4::of::<0xF>()).into_bits(), 0x000F_0000);
        assert_eq!(Pmc10::new().with_ism(Ism::Neither).into_bits(), 0x0300_0000);
        let monitor = Pmc10::from_bits(0x0200_0048).monitor();
        assert_eq!(monitor, Monitor { plm: Plm::USER, pm: MonitorLevel::System, ism: Ism::Ia64Only });
    }
}
