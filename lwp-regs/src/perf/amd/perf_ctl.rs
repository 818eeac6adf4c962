//! PERF_CTLn: what a core performance counter counts.

use crate::access::GeneralProtection;
use crate::bits::U4;
use crate::msr::msr_value;

layout! {
    /// `PERF_CTLn`, called `PerfEvtSeln` before: event, filter and enable of a core performance counter of an AMD processor.
    /// Reset value 0.
    ///
    /// Close to Intel's register and not the same: the event has twelve bits in two places, there is no `any_thread`, and a
    /// guest can be told from its host.
    ///
    /// Source: AMD APM volume 2, "Core Performance Event-Select Registers"; Linux `perf_event.h`. Not checked against the
    /// current revision; bit 19 is from revision 3.x, later ones have it reserved.
    #[doc(alias = "PERF_CTL0")]
    #[doc(alias = "PERF_LEGACY_CTL0")]
    #[doc(alias = "0xC0010000")]
    #[doc(alias = "0xC0010200")]
    #[doc(alias = "PERF_CTL")]
    #[doc(alias = "PerfEvtSel0")]
    pub struct AmdPerfCtl: u64, Ignored {
        /// Event select, bits 7:0; see [`AmdPerfCtl::event`].
        #[inline]
        pub event_low: u8,
        /// Unit mask: which conditions of the event are counted.
        #[inline]
        pub umask: u8,
        /// Count at privilege levels 1, 2 and 3.
        #[inline]
        pub user: bool,
        /// Count at privilege level 0.
        #[inline]
        pub os: bool,
        /// Edge detect: count how often the condition becomes true.
        #[inline]
        pub edge: bool,
        /// Pin control, on old processors.
        #[inline]
        pub pin_control: bool,
        /// Interrupt through the local APIC on overflow.
        #[inline]
        pub interrupt: bool,
        __: bool,
        /// Count.
        #[inline]
        pub enable: bool,
        /// Invert the comparison with `cmask`.
        #[inline]
        pub invert: bool,
        /// Counter mask: if not 0, count the cycles that have at least so many events.
        #[inline]
        pub cmask: u8,
        /// Event select, bits 11:8.
        #[inline]
        #[bits(4)]
        pub event_high: U4,
        #[bits(4)]
        __: u8,
        /// Count only while a guest runs, if `host` is 0.
        #[inline]
        pub guest: bool,
        /// Count only while the host runs, if `guest` is 0.
        #[inline]
        pub host: bool,
        #[bits(22)]
        __: u64,
    }
}

msr_value!(AmdPerfCtl, "PERF_CTLn", read_write, caps = ());

/// Who is counted, as far as virtualisation goes. Without EFER.SVME everything is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Counted {
    /// Guests and the host: both bits are 0, or both are 1.
    All,
    /// Guests only.
    GuestOnly,
    /// The host only.
    HostOnly,
}

impl AmdPerfCtl {
    /// Counts nothing.
    pub const RESET: Self = Self::new();
    /// The largest event select.
    pub const MAX_EVENT: u16 = 0xFFF;

    /// Event select: bits 35:32 and 7:0.
    #[must_use]
    #[inline]
    pub const fn event(self) -> u16 {
        self.event_low() as u16 | (self.event_high().get() as u16) << 8
    }

    /// The same with this event select; `None` above [`MAX_EVENT`](Self::MAX_EVENT).
    #[must_use]
    #[inline]
    pub const fn with_event(self, event: u16) -> Option<Self> {
        if event > Self::MAX_EVENT {
            return None;
        }
        Some(self.with_event_low(event as u8).with_event_high(U4::masked((event >> 8) as u8)))
    }

    /// Who is counted.
    #[must_use]
    #[inline]
    pub const fn counted(self) -> Counted {
        match (self.guest(), self.host()) {
            (true, false) => Counted::GuestOnly,
            (false, true) => Counted::HostOnly,
            _ => Counted::All,
        }
    }

    /// What a WRMSR of `new` does: reserved bits are cleared and nothing faults.
    ///
    /// Processors differ in which reserved bits they clear (Zen 3 keeps bit 42); here all are.
    ///
    /// Source: Linux, "KVM: x86/svm: Clear reserved bits written to PerfEvtSeln MSRs", with measurements.
    ///
    /// # Errors
    ///
    /// None.
    #[inline]
    pub const fn check_write(_old: Self, new: u64, _caps: &()) -> Result<Self, GeneralProtection> {
        Ok(Self::from_bits(new & !Self::RESERVED))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions() {
        let none = AmdPerfCtl::new();
        assert_eq!(none.with_event(0xFFF).unwrap().into_bits(), 0xF_0000_00FF);
        assert_eq!(none.with_event(0x1000), None);
        assert_eq!(none.with_umask(0xFF).into_bits(), 0xFF00);
        assert_eq!(none.with_user(true).into_bits(), 1 << 16);
        assert_eq!(none.with_os(true).into_bits(), 1 << 17);
        assert_eq!(none.with_edge(true).into_bits(), 1 << 18);
        assert_eq!(none.with_pin_control(true).into_bits(), 1 << 19);
        assert_eq!(none.with_interrupt(true).into_bits(), 1 << 20);
        assert_eq!(none.with_enable(true).into_bits(), 1 << 22);
        assert_eq!(none.with_invert(true).into_bits(), 1 << 23);
        assert_eq!(none.with_cmask(0xFF).into_bits(), 0xFF00_0000);
        assert_eq!(none.with_guest(true).into_bits(), 1 << 40);
        assert_eq!(none.with_host(true).into_bits(), 1 << 41);
        assert_eq!(AmdPerfCtl::RESERVED, 0xFFFF_FCF0_0020_0000);
        assert_eq!(AmdPerfCtl::from_bits(0x1_0041_00C7).event(), 0x1C7);
    }

    #[test]
    fn both_bits_are_as_good_as_none() {
        let counted = |bits| AmdPerfCtl::from_bits(bits).counted();
        assert_eq!(counted(0), Counted::All);
        assert_eq!(counted(1 << 40), Counted::GuestOnly);
        assert_eq!(counted(2 << 40), Counted::HostOnly);
        assert_eq!(counted(3 << 40), Counted::All);
    }

    #[test]
    fn a_write_clears_reserved_bits_and_never_faults() {
        let write = |new| AmdPerfCtl::check_write(AmdPerfCtl::RESET, new, &()).map(AmdPerfCtl::into_bits);
        assert_eq!(write(u64::MAX), Ok(0x0000_030F_FFDF_FFFF));
        assert_eq!(write(0x0041_00C0), Ok(0x0041_00C0));
    }
}
