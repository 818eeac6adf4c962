//! PerfEvtSel0: what counter 0 counts, and the enable bit of both.

use super::{Counter, counting};

layout! {
    /// PerfEvtSel0, MSR 186h: which event counter 0 counts and how, and whether the two counters count at all.
    ///
    /// It takes any combination of bits; [`EventSelect`](super::EventSelect) makes those that count what they say.
    ///
    /// Bits 63:32 are not in the manual and are taken as reserved. That writing a reserved bit faults is the general rule for
    /// WRMSR; no text says it of this register.
    ///
    /// Source: Intel SDM volume 3, "PerfEvtSel0 and PerfEvtSel1 MSRs"; addresses: Linux `msr-index.h`.
    #[doc(alias = "0x186")]
    #[doc(alias = "MSR_P6_EVNTSEL0")]
    pub struct PerfEvtSel0: u64, Fault {
        /// Event select, bits 7:0: the code of the event. Codes outside [`EVENTS`](super::event::EVENTS) give undefined counts.
        #[inline]
        pub event: u8,
        /// Unit mask (UMASK), bits 15:8: which kind of the event; see [`UnitMask`](super::UnitMask).
        #[inline]
        pub umask: u8,
        /// USR, bit 16: count at privilege levels 1, 2 and 3.
        #[inline]
        pub user: bool,
        /// OS, bit 17: count at privilege level 0.
        #[inline]
        pub os: bool,
        /// E, edge detect, bit 18: count how often the condition that the other fields express becomes true. Two assertions
        /// without a cycle between them count once.
        #[inline]
        pub edge: bool,
        /// PC, pin control, bit 19: 1 toggles the PM0 pin at each event, 0 when the counter overflows. A toggle is an assertion
        /// for one bus clock.
        #[inline]
        pub pin_control: bool,
        /// INT, APIC interrupt enable, bit 20: interrupt through the local APIC when the counter overflows.
        #[inline]
        pub interrupt: bool,
        __: bool,
        /// EN, enable counters, bit 22: both counters count while it is 1. Only this register has it.
        #[inline]
        pub enable: bool,
        /// INV, bit 23: count cycles with fewer events than `cmask`, instead of those with at least as many.
        #[inline]
        pub invert: bool,
        /// CMASK, counter mask, bits 31:24: 0 adds the events of each cycle; else each cycle with at least so many adds 1.
        #[inline]
        pub cmask: u8,
        #[bits(32)]
        __: u64,
    }
    msr "PerfEvtSel0" = 0x186, read_write, caps = ();
}

impl PerfEvtSel0 {
    /// The counter that it sets up.
    pub const COUNTER: Counter = Counter::Counter0;
    /// Counts nothing on counter 0, without a reserved event: `L2_RQSTS` in no state of a line. Counter 1 can count beside
    /// it once EN is set.
    pub const NOTHING: Self = Self::new().with_event(0x2E);
}

counting::select_rules!(PerfEvtSel0);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::GeneralProtection;
    use crate::msr::CheckedMsr;
    use crate::refused::Rule;

    // P6-06, P6-10, P6-11, P6-12, P6-13, P6-14, P6-16, P6-20, P6-23, P6-25, P6-27, P6-29: address and positions
    #[test]
    fn positions() {
        let zero = PerfEvtSel0::new();
        assert_eq!(PerfEvtSel0::MSR.address(), 0x186);
        assert_eq!(PerfEvtSel0::COUNTER, Counter::Counter0);
        assert_eq!(zero.with_event(0xFF).into_bits(), 0x0000_00FF);
        assert_eq!(zero.with_umask(0xFF).into_bits(), 0x0000_FF00);
        assert_eq!(zero.with_user(true).into_bits(), 0x0001_0000);
        assert_eq!(zero.with_os(true).into_bits(), 0x0002_0000);
        assert_eq!(zero.with_edge(true).into_bits(), 0x0004_0000);
        assert_eq!(zero.with_pin_control(true).into_bits(), 0x0008_0000);
        assert_eq!(zero.with_interrupt(true).into_bits(), 0x0010_0000);
        assert_eq!(zero.with_enable(true).into_bits(), 0x0040_0000);
        assert_eq!(zero.with_invert(true).into_bits(), 0x0080_0000);
        assert_eq!(zero.with_cmask(0xFF).into_bits(), 0xFF00_0000);
        assert_eq!(PerfEvtSel0::RESERVED, 0xFFFF_FFFF_0020_0000);
    }

    // P6-25, P6-27: bit 22 is EN here, bit 21 is reserved
    #[test]
    fn reserved_bits_fault_and_are_named() {
        let write = |new| <PerfEvtSel0 as CheckedMsr>::check_write(PerfEvtSel0::new(), new, &());
        assert_eq!(write(0xFFDF_FFFF).map(PerfEvtSel0::into_bits), Ok(0xFFDF_FFFF));
        let refused = |bits| Err(GeneralProtection::refused("PerfEvtSel0", bits, Rule::MustBeZero));
        assert_eq!(write(0x0060_0079), refused(0x0020_0000));
        assert_eq!(write(0x1_0000_0000), refused(0x1_0000_0000));
    }

    // P6-15, P6-13, P6-14: the four settings at the four levels
    #[test]
    fn privilege_levels() {
        let at = |bits| [0, 1, 2, 3].map(|cpl| PerfEvtSel0::from_bits(bits).counts_at(cpl));
        assert_eq!(at(0x0000_0000), [false, false, false, false]);
        assert_eq!(at(0x0001_0000), [false, true, true, true]);
        assert_eq!(at(0x0002_0000), [true, false, false, false]);
        assert_eq!(at(0x0003_0000), [true, true, true, true]);
    }

    // P6-28, P6-30, P6-31: cycles with 0 to 4 events
    #[test]
    fn threshold() {
        let by = |bits| [0, 1, 2, 3, 4].map(|events| PerfEvtSel0::from_bits(bits).increment(events));
        assert_eq!(by(0x0000_0000), [0, 1, 2, 3, 4], "CMASK 0 adds the events");
        assert_eq!(by(0x0080_0000), [0, 1, 2, 3, 4], "INV without CMASK has no effect");
        assert_eq!(by(0x0200_0000), [0, 0, 1, 1, 1], "at least 2");
        assert_eq!(by(0x0280_0000), [1, 1, 0, 0, 0], "fewer than 2");
        assert_eq!(by(0xFF00_0000), [0, 0, 0, 0, 0]);
    }

    #[test]
    fn nothing_is_l2_rqsts_without_a_state() {
        assert_eq!(PerfEvtSel0::NOTHING.into_bits(), 0x2E);
    }

    #[test]
    fn tock_fields_are_the_same_bits() {
        let mut copy = PerfEvtSel0::new().to_tock();
        copy.modify(PerfEvtSel0::tock_field("EVENT").val(0x79) + PerfEvtSel0::tock_field("ENABLE").val(1));
        assert_eq!(PerfEvtSel0::from(copy).into_bits(), 0x0040_0079);
    }
}
