//! PerfCtr0 and PerfCtr1: the counts.

use super::{Counter, SamplePeriod};
use crate::access::GeneralProtection;
use crate::bits::U40;
use crate::layout::mask;
use crate::msr::{Msr, msr_value};
use crate::refused::{Refused, Rule};

layout! {
    /// PerfCtr0 (MSR C1h) or PerfCtr1 (MSR C2h): a count of events or of clocks, 40 bits wide.
    ///
    /// A write loads 32 bits only; bits 39:32 become copies of bit 31. So a counter can start at 0 up to 2³¹ - 1, or up to
    /// 2³¹ before its overflow, and not in between. Bits 63:40 are not implemented: they read as 0 and a write ignores them.
    ///
    /// Source: Intel SDM volume 3, "PerfCtr0 and PerfCtr1 MSRs"; addresses: Linux `msr-index.h`.
    #[doc(alias = "0xC1")]
    #[doc(alias = "0xC2")]
    #[doc(alias = "PerfCtr0")]
    #[doc(alias = "PerfCtr1")]
    #[doc(alias = "MSR_P6_PERFCTR0")]
    #[doc(alias = "MSR_P6_PERFCTR1")]
    pub struct PerfCtr: u64, Ignored {
        /// Bits 39:0: how many events or clocks have been counted, modulo 2⁴⁰.
        #[inline]
        #[bits(40)]
        pub count: U40,
        #[bits(24)]
        __: u64,
    }
}

msr_value!(PerfCtr, "PerfCtrx", read_write, caps = ());

impl PerfCtr {
    /// Number of PerfCtr0; PerfCtr1 follows.
    pub const ADDRESS: u32 = 0xC1;
    /// Width of a counter in bits.
    pub const WIDTH: u32 = 40;
    /// The bits that RDMSR and RDPMC can return as 1.
    pub const READ_MASK: u64 = mask(Self::COUNT_BITS);

    /// The register of `counter`.
    #[must_use]
    #[inline]
    pub const fn msr(counter: Counter) -> Msr<Self> {
        Msr::new(Self::ADDRESS + counter.index())
    }

    /// What the counter holds after a WRMSR of `new`: bits 31:0 as written, bits 39:32 copies of bit 31.
    #[must_use]
    #[inline]
    pub const fn written(new: u64) -> Self {
        Self::from_bits(new as u32 as i32 as u64 & Self::READ_MASK)
    }

    /// What a WRMSR of `new` does, which is [`written`](Self::written): it never faults.
    ///
    /// # Errors
    ///
    /// None.
    #[inline]
    pub const fn check_write(_old: Self, new: u64, _caps: &()) -> Result<Self, GeneralProtection> {
        Ok(Self::written(new))
    }

    /// The counter that overflows after `period` events.
    #[must_use]
    #[inline]
    pub const fn preset(period: SamplePeriod) -> Self {
        Self::from_bits((period.events() as u64).wrapping_neg() & Self::READ_MASK)
    }

    /// A count to load into a counter, if a write can do that.
    ///
    /// # Errors
    ///
    /// [`Refused`] with bits 39:31 if they are neither all 0 nor all 1, and with bits 63:40 if one of them is set.
    #[inline]
    pub const fn loadable(count: u64) -> Result<Self, Refused> {
        let sign = 0xFF_8000_0000;
        if count & !Self::READ_MASK != 0 {
            return Err(Refused::new("PerfCtrx", count & !Self::READ_MASK, Rule::MustBeZero));
        }
        match Self::written(count) {
            counter if counter.count().get() == count => Ok(counter),
            _ => Err(Refused::new(
                "PerfCtrx",
                count & sign,
                Rule::Forbidden("a write makes bits 39:32 copies of bit 31, so no other count can be loaded"),
            )),
        }
    }

    /// Whether a counter that was [`preset`](Self::preset) has overflowed: its sign bit, bit 39, is no longer 1. P6 has no
    /// status register that tells; it holds until 2³⁹ further events.
    #[must_use]
    #[inline]
    pub const fn has_overflowed(self) -> bool {
        self.count().get() >> (Self::WIDTH - 1) == 0
    }

    /// How much has been counted since the counter held `start`, if less than 2⁴⁰.
    #[must_use]
    #[inline]
    pub const fn since(self, start: Self) -> u64 {
        self.count().get().wrapping_sub(start.count().get()) & Self::READ_MASK
    }

    /// The counter after `by` more events.
    #[must_use]
    #[inline]
    pub const fn advanced(self, by: u64) -> Self {
        self.with_count(U40::masked(self.count().get().wrapping_add(by)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // P6-01, P6-06, P6-33: two 40-bit counters and their addresses
    #[test]
    fn addresses_and_width() {
        assert_eq!(PerfCtr::msr(Counter::Counter0).address(), 0xC1);
        assert_eq!(PerfCtr::msr(Counter::Counter1).address(), 0xC2);
        assert_eq!(PerfCtr::READ_MASK, 0xFF_FFFF_FFFF);
        assert_eq!(PerfCtr::RESERVED, 0xFFFF_FF00_0000_0000);
        assert_eq!(PerfCtr::WIDTH, 40);
    }

    // P6-37: any 32 bits are written, bit 31 is extended into bits 39:32, EDX does not matter
    #[test]
    fn a_write_extends_the_sign() {
        assert_eq!(PerfCtr::written(0x8000_0000).count(), 0xFF_8000_0000);
        assert_eq!(PerfCtr::written(0x7FFF_FFFF).count(), 0x00_7FFF_FFFF);
        assert_eq!(PerfCtr::written(0xFFFF_FFFF_0000_0001).count(), 0x00_0000_0001);
        let new = PerfCtr::check_write(PerfCtr::new(), 0x12_FFFF_FFFF, &()).unwrap();
        assert_eq!(new.into_bits(), 0xFF_FFFF_FFFF);
    }

    // P6-38: a start value of -n overflows after n events
    #[test]
    fn a_preset_counter_overflows_after_n_events() {
        let preset = |n| PerfCtr::preset(SamplePeriod::new(n).unwrap());
        assert_eq!(preset(1).count(), 0xFF_FFFF_FFFF);
        assert_eq!(preset(1000).count(), 0xFF_FFFF_FC18);
        assert_eq!(preset(0x8000_0000).count(), 0xFF_8000_0000);
        for n in [1, 2, 1000, 0x7FFF_FFFF, 0x8000_0000] {
            let counter = preset(n);
            assert_eq!(PerfCtr::written(counter.into_bits()), counter, "what is written is what stands there");
            assert!(!counter.has_overflowed());
            assert!(!counter.advanced(u64::from(n) - 1).has_overflowed());
            assert!(counter.advanced(u64::from(n)).has_overflowed());
            assert_eq!(counter.advanced(u64::from(n)).count(), 0);
        }
    }

    // P6-38: positive and negative counts can be loaded, nothing in between
    #[test]
    fn what_can_be_loaded() {
        assert_eq!(PerfCtr::loadable(0x7FFF_FFFF).map(|counter| counter.count().get()), Ok(0x7FFF_FFFF));
        assert_eq!(PerfCtr::loadable(0xFF_8000_0000).map(|counter| counter.count().get()), Ok(0xFF_8000_0000));
        assert_eq!(PerfCtr::loadable(0x8000_0000).unwrap_err().bits, 0x8000_0000);
        assert_eq!(PerfCtr::loadable(0x01_0000_0000).unwrap_err().bits, 0x01_0000_0000);
        assert_eq!(
            PerfCtr::loadable(1 << 40),
            Err(Refused { register: "PerfCtrx", bits: 1 << 40, rule: Rule::MustBeZero })
        );
    }

    #[test]
    fn a_difference_is_modulo_2_to_the_40() {
        let start = PerfCtr::new().with_count(U40::of::<0xFF_FFFF_FFF0>());
        assert_eq!(PerfCtr::new().with_count(U40::of::<0x10>()).since(start), 0x20);
        assert_eq!(start.advanced(0x20).count(), 0x10);
    }
}
