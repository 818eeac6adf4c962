//! PMC\[6\] and PMC\[7\]: what the generic counters 6 and 7 count.

use super::pmc::pmc_value;
use super::{Ism, Monitor, MonitorLevel, Plm, Pmc};
use crate::bits::{U2, U4, U7};

layout! {
    /// PMC\[6\] and PMC\[7\]: what PMD\[6\] and PMD\[7\] count, when, and what an overflow does. The threshold has 2 bits;
    /// that of [`Pmc45`](super::Pmc45) has 3.
    ///
    /// Source: Intel Itanium Processor Reference Manual for Software Development, "Performance Monitor Control and
    /// Accessibility"; libpfm, `pfmlib_itanium.h`.
    #[doc(alias = "PMC[6]")]
    #[doc(alias = "PMC[7]")]
    pub struct Pmc67: u64, Ignored {
        /// Privilege level mask.
        #[inline]
        #[bits(4, from = Plm::from_field, into = Plm::into_field, default = Plm::empty())]
        pub plm: Plm,
        /// External visibility: overflows are signalled on a pin.
        #[inline]
        pub ev: bool,
        /// Overflow interrupt: an overflow is recorded in PMC\[0\], freezes and interrupts.
        #[inline]
        pub oi: bool,
        /// Privilege monitor: enabled by PSR.up or by PSR.pp.
        #[inline]
        #[bits(1)]
        pub pm: MonitorLevel,
        #[bits(1)]
        __: u8,
        /// Event select.
        #[inline]
        #[bits(7)]
        pub es: U7,
        #[bits(1)]
        __: u8,
        /// Unit mask; its meaning depends on the event.
        #[inline]
        #[bits(4)]
        pub umask: U4,
        /// Threshold; see [`increment`](Self::increment).
        #[inline]
        #[bits(2)]
        pub threshold: U2,
        #[bits(2)]
        __: u8,
        /// Instruction set mask.
        #[inline]
        #[bits(2)]
        pub ism: Ism,
        #[bits(38)]
        __: u64,
    }
}

pmc_value!(Pmc67, "PMC[6], PMC[7]");

impl Pmc67 {
    /// PMC\[6\].
    pub const PMC6: Pmc<Self> = Pmc::new(6);
    /// PMC\[7\].
    pub const PMC7: Pmc<Self> = Pmc::new(7);

    /// When the counter counts.
    #[must_use]
    #[inline]
    pub const fn monitor(self) -> Monitor {
        Monitor { plm: self.plm(), pm: self.pm(), ism: self.ism() }
    }

    /// The same, counting as `monitor` says.
    #[must_use]
    #[inline]
    pub const fn with_monitor(self, monitor: Monitor) -> Self {
        self.with_plm(monitor.plm).with_pm(monitor.pm).with_ism(monitor.ism)
    }

    /// By how much the counter moves in a cycle in which the event happens `value` times: by as much without a
    /// threshold; by 1, if it is more than the threshold, with one.
    #[must_use]
    #[inline]
    pub const fn increment(self, value: u8) -> u8 {
        match self.threshold().get() {
            0 => value,
            threshold => (value > threshold) as u8,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // ITA-41, ITA-42, ITA-43, ITA-45, ITA-15: each field in its place
    #[test]
    fn positions() {
        assert_eq!((Pmc67::PMC6.index(), Pmc67::PMC7.index()), (6, 7));
        let zero = Pmc67::new();
        assert_eq!(zero.into_bits(), 0);
        assert_eq!(zero.with_plm(Plm::USER).into_bits(), 0x0000_0008);
        assert_eq!(zero.with_ev(true).into_bits(), 0x0000_0010);
        assert_eq!(zero.with_oi(true).into_bits(), 0x0000_0020);
        assert_eq!(zero.with_pm(MonitorLevel::System).into_bits(), 0x0000_0040);
        assert_eq!(zero.with_es(U7::of::<0x7F>()).into_bits(), 0x0000_7F00);
        assert_eq!(zero.with_umask(U4::of::<0xF>()).into_bits(), 0x000F_0000);
        assert_eq!(zero.with_threshold(U2::of::<3>()).into_bits(), 0x0030_0000);
        assert_eq!(zero.with_ism(Ism::Ia64Only).into_bits(), 0x0200_0000);
        assert_eq!(Pmc67::RESERVED, 0xFFFF_FFFF_FCC0_8080);
    }

    #[test]
    fn the_threshold_has_2_bits() {
        assert_eq!(Pmc67::new().with_threshold(U2::MAX).threshold().get(), 3);
    }

    #[test]
    fn thresholds() {
        let increment = |threshold, value| Pmc67::new().with_threshold(threshold).increment(value);
        assert_eq!([increment(U2::of::<0>(), 0), increment(U2::of::<0>(), 1), increment(U2::of::<0>(), 3)], [0, 1, 3]);
        assert_eq!(
            [
                increment(U2::of::<2>(), 1),
                increment(U2::of::<2>(), 2),
                increment(U2::of::<2>(), 3),
                increment(U2::of::<2>(), 6)
            ],
            [0, 0, 1, 1]
        );
    }

    #[test]
    fn a_monitor_comes_back() {
        let monitor = Monitor { plm: Plm::USER_AND_KERNEL, pm: MonitorLevel::System, ism: Ism::Ia64Only };
        let pmc = Pmc67::from_bits(0x0001_0800).with_monitor(monitor);
        assert_eq!(pmc.into_bits(), 0x0201_0849);
        assert_eq!(pmc.monitor(), monitor);
    }
}
