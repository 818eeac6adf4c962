//! PMC\[4\] to PMC\[7\]: what the generic counters count. The threshold of the first two has 3 bits, that of the others 2.

use super::pmc::pmc_value;
use super::{Ism, Monitor, MonitorLevel, Plm, Pmc};
use crate::bits::{U2, U3, U4, U7};

/// A pair of registers.
macro_rules! pmc_generic {
    (
        $ty:ident, $names:literal, $both:literal, $counters:literal, threshold $of:ident $bits:literal, then $rest:literal,
        $const_one:ident $one:literal $one_doc:literal $n:literal, $const_two:ident $two:literal $two_doc:literal $m:literal
    ) => {
        layout! {
            #[doc = concat!(" ", $both, ": what ", $counters, " count, when, and what an overflow does. The threshold has ", $bits, " bits;")]
            /// that of the other pair differs.
            ///
            /// Source: Intel Itanium Processor Reference Manual for Software Development, "Performance Monitor Control and
            /// Accessibility"; libpfm, `pfmlib_itanium.h`.
            #[doc(alias = $one)]
            #[doc(alias = $two)]
            pub struct $ty: u64, Ignored {
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
                #[bits($bits)]
                pub threshold: $of,
                #[bits($rest)]
                __: u8,
                /// Instruction set mask.
                #[inline]
                #[bits(2)]
                pub ism: Ism,
                #[bits(38)]
                __: u64,
            }
        }

        pmc_value!($ty, $names);

        impl $ty {
            #[doc = concat!(" ", $one_doc, ".")]
            pub const $const_one: Pmc<Self> = Pmc::new($n);
            #[doc = concat!(" ", $two_doc, ".")]
            pub const $const_two: Pmc<Self> = Pmc::new($m);

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
    };
}

pmc_generic!(
    Pmc45, "PMC[4], PMC[5]", "PMC\\[4\\] and PMC\\[5\\]", "PMD\\[4\\] and PMD\\[5\\]", threshold U3 3, then 1,
    PMC4 "PMC[4]" "PMC\\[4\\]" 4, PMC5 "PMC[5]" "PMC\\[5\\]" 5
);
pmc_generic!(
    Pmc67, "PMC[6], PMC[7]", "PMC\\[6\\] and PMC\\[7\\]", "PMD\\[6\\] and PMD\\[7\\]", threshold U2 2, then 2,
    PMC6 "PMC[6]" "PMC\\[6\\]" 6, PMC7 "PMC[7]" "PMC\\[7\\]" 7
);

#[cfg(test)]
mod tests {
    use super::*;

    // ITA-41, ITA-42, ITA-43, ITA-45, ITA-15: each field in its place
    #[test]
    fn positions() {
        assert_eq!((Pmc45::PMC4.index(), Pmc45::PMC5.index()), (4, 5));
        let zero = Pmc45::new();
        assert_eq!(zero.into_bits(), 0);
        assert_eq!(zero.with_plm(Plm::USER).into_bits(), 0x0000_0008);
        assert_eq!(zero.with_ev(true).into_bits(), 0x0000_0010);
        assert_eq!(zero.with_oi(true).into_bits(), 0x0000_0020);
        assert_eq!(zero.with_pm(MonitorLevel::System).into_bits(), 0x0000_0040);
        assert_eq!(zero.with_es(U7::of::<0x7F>()).into_bits(), 0x0000_7F00);
        assert_eq!(zero.with_umask(U4::of::<0xF>()).into_bits(), 0x000F_0000);
        assert_eq!(zero.with_threshold(U3::of::<7>()).into_bits(), 0x0070_0000);
        assert_eq!(zero.with_ism(Ism::Ia64Only).into_bits(), 0x0200_0000);
        assert_eq!(Pmc45::RESERVED, 0xFFFF_FFFF_FC80_8080);
    }

    #[test]
    fn the_threshold_has_3_bits() {
        assert_eq!(Pmc45::new().with_threshold(U3::MAX).threshold().get(), 7);
    }

    #[test]
    fn thresholds() {
        let increment = |threshold, value| Pmc45::new().with_threshold(threshold).increment(value);
        assert_eq!([increment(U3::of::<0>(), 0), increment(U3::of::<0>(), 1), increment(U3::of::<0>(), 3)], [0, 1, 3]);
        assert_eq!(
            [
                increment(U3::of::<2>(), 1),
                increment(U3::of::<2>(), 2),
                increment(U3::of::<2>(), 3),
                increment(U3::of::<2>(), 6)
            ],
            [0, 0, 1, 1]
        );
    }

    #[test]
    fn a_monitor_comes_back() {
        let monitor = Monitor { plm: Plm::USER_AND_KERNEL, pm: MonitorLevel::System, ism: Ism::Ia64Only };
        let pmc = Pmc45::from_bits(0x0001_0800).with_monitor(monitor);
        assert_eq!(pmc.into_bits(), 0x0201_0849);
        assert_eq!(pmc.monitor(), monitor);
    }
}

#[cfg(test)]
mod tests_of_67 {
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
