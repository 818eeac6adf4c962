//! PerfEvtSel1: what counter 1 counts.

use super::{Counter, counting};

layout! {
    /// PerfEvtSel1, MSR 187h: which event counter 1 counts and how. It counts while [`PerfEvtSel0::enable`](super::PerfEvtSel0::enable)
    /// is 1; bit 22 is reserved here.
    ///
    /// It takes any combination of bits; [`EventSelect`](super::EventSelect) makes those that count what they say.
    ///
    /// Bits 63:32 are not in the manual and are taken as reserved. That writing a reserved bit faults is the general rule for
    /// WRMSR; no text says it of this register. A published driver for the Pentium III sets bit 22 without harm, so that silicon
    /// may ignore it; [`check_write`](Self::check_write) keeps to the text, on which portable software relies.
    ///
    /// Source: Intel SDM volume 3, "PerfEvtSel0 and PerfEvtSel1 MSRs"; addresses: Linux `msr-index.h`.
    #[doc(alias = "0x187")]
    #[doc(alias = "MSR_P6_EVNTSEL1")]
    pub struct PerfEvtSel1: u64, Fault {
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
        /// PC, pin control, bit 19: 1 toggles the PM1 pin at each event, 0 when the counter overflows. A toggle is an assertion
        /// for one bus clock.
        #[inline]
        pub pin_control: bool,
        /// INT, APIC interrupt enable, bit 20: interrupt through the local APIC when the counter overflows.
        #[inline]
        pub interrupt: bool,
        #[bits(2)]
        __: u8,
        /// INV, bit 23: count cycles with fewer events than `cmask`, instead of those with at least as many.
        #[inline]
        pub invert: bool,
        /// CMASK, counter mask, bits 31:24: 0 adds the events of each cycle; else each cycle with at least so many adds 1.
        #[inline]
        pub cmask: u8,
        #[bits(32)]
        __: u64,
    }
    msr "PerfEvtSel1" = 0x187, read_write, caps = ();
}

impl PerfEvtSel1 {
    /// The counter that it sets up.
    pub const COUNTER: Counter = Counter::Counter1;
    /// Counts nothing and stops counter 1 alone.
    pub const NOTHING: Self = Self::new();
}

counting::select_rules!(PerfEvtSel1);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::GeneralProtection;
    use crate::msr::CheckedMsr;
    use crate::perf::{Condition, InvertedZero};
    use crate::refused::Rule;

    // P6-06, P6-10, P6-11, P6-12, P6-13, P6-14, P6-16, P6-20, P6-23, P6-27, P6-29: address and positions
    #[test]
    fn positions() {
        let zero = PerfEvtSel1::new();
        assert_eq!(PerfEvtSel1::MSR.address(), 0x187);
        assert_eq!(PerfEvtSel1::COUNTER, Counter::Counter1);
        assert_eq!(zero.with_event(0xFF).into_bits(), 0x0000_00FF);
        assert_eq!(zero.with_umask(0xFF).into_bits(), 0x0000_FF00);
        assert_eq!(zero.with_user(true).into_bits(), 0x0001_0000);
        assert_eq!(zero.with_os(true).into_bits(), 0x0002_0000);
        assert_eq!(zero.with_edge(true).into_bits(), 0x0004_0000);
        assert_eq!(zero.with_pin_control(true).into_bits(), 0x0008_0000);
        assert_eq!(zero.with_interrupt(true).into_bits(), 0x0010_0000);
        assert_eq!(zero.with_invert(true).into_bits(), 0x0080_0000);
        assert_eq!(zero.with_cmask(0xFF).into_bits(), 0xFF00_0000);
    }

    // P6-25: bit 22 is no field of this register
    #[test]
    fn the_enable_bit_is_reserved_here() {
        assert_eq!(PerfEvtSel1::RESERVED, 0xFFFF_FFFF_0060_0000);
        let write = |new| <PerfEvtSel1 as CheckedMsr>::check_write(PerfEvtSel1::new(), new, &());
        assert_eq!(write(0xFF9F_FFFF).map(PerfEvtSel1::into_bits), Ok(0xFF9F_FFFF));
        let refused = |bits| Err(GeneralProtection::refused("PerfEvtSel1", bits, Rule::MustBeZero));
        assert_eq!(write(0x0043_00C0), refused(0x0040_0000));
        assert_eq!(write(0x0023_00C0), refused(0x0020_0000));
    }

    // P6-15, P6-28, P6-30, P6-31: the rules of counter 0 are those of counter 1
    #[test]
    fn counting() {
        let retired = PerfEvtSel1::from_bits(0x0201_00C0);
        assert_eq!([0, 1, 2, 3].map(|cpl| retired.counts_at(cpl)), [false, true, true, true]);
        assert_eq!([0, 1, 2, 3].map(|events| retired.increment(events)), [0, 0, 1, 1]);
        assert_eq!([0, 1, 2, 3].map(|events| retired.with_invert(true).increment(events)), [1, 1, 0, 0]);
    }

    // P6-16, P6-28, P6-29: E, INV and CMASK as the cell's condition, for either register
    #[test]
    fn condition() {
        let of = |bits| PerfEvtSel1::from_bits(bits).condition(InvertedZero::Obeyed);
        let none = Condition { inverted_zero: InvertedZero::Obeyed, ..Condition::default() };
        assert_eq!(of(0x0003_FFFF), none);
        assert_eq!(of(0x0704_00C0), Condition { edges: true, threshold: 7, ..none });
        assert_eq!(of(0x0080_00C0), Condition { inverted: true, ..none });
        for bits in [0x0003_FFFF, 0x0704_00C0, 0x0080_00C0] {
            let other = super::super::PerfEvtSel0::from_bits(bits).condition(InvertedZero::Obeyed);
            assert_eq!(other, of(bits));
        }
    }

    #[test]
    fn tock_fields_are_the_same_bits() {
        let mut copy = PerfEvtSel1::new().to_tock();
        copy.modify(PerfEvtSel1::tock_field("EVENT").val(0xC0) + PerfEvtSel1::tock_field("USER").val(1));
        assert_eq!(PerfEvtSel1::from(copy).into_bits(), 0x0001_00C0);
    }
}
