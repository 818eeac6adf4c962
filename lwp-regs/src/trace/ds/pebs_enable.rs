//! IA32_PEBS_ENABLE: which counters store records.
#![allow(unsafe_code)] // makes the processor write memory

use crate::access::{GeneralProtection, MsrBus};
use crate::bits::U4;
use crate::refused::Rule;

layout! {
    /// `IA32_PEBS_ENABLE`: counters whose overflow makes the next event store a PEBS record. Value after reset 0: none.
    ///
    /// The layout is that of Nehalem. Core 2 has bit 0 only; later processors have more bits, which survive a round trip.
    ///
    /// Source: Intel SDM volume 3B, "Processor Event Based Sampling (PEBS)", figure "Layout of IA32_PEBS_ENABLE MSR";
    /// number: Linux, `msr-index.h`.
    #[doc(alias = "0x3F1")]
    #[doc(alias = "IA32_PEBS_ENABLE")]
    pub struct PebsEnable: u64, Preserve {
        /// Bit n: counter n stores records.
        #[inline]
        #[bits(4)]
        pub counters: U4,
        #[bits(28)]
        __: u64,
        /// Bit n: records of counter n have the latency of loads.
        #[inline]
        #[bits(4)]
        pub load_latency: U4,
        #[bits(28)]
        __: u64,
    }
    msr "IA32_PEBS_ENABLE" = 0x3F1, unsafe_write;
}

impl PebsEnable {
    /// No counter stores records.
    pub const OFF: Self = Self::new();

    /// The enabled counters, at their bits of `IA32_PERF_GLOBAL_CTRL`, on a processor with PEBS_BASELINE (extended PEBS):
    /// general-purpose counters at bits 31:0, fixed-function counters at 47:32, where the load latency was before.
    ///
    /// Source: Linux, `arch/x86/events/intel/ds.c` (`PMU_FL_PEBS_ALL`; `intel_pmu_pebs_enable` sets bit 32 + n for the
    /// latency before version 5 only).
    #[must_use]
    #[inline]
    pub const fn extended_counter_mask(self) -> u64 {
        self.into_bits() & 0xFFFF_FFFF_FFFF
    }

    /// The enabled counters, at their bits of `IA32_PERF_GLOBAL_CTRL`: bits 31:0, of which Nehalem has four.
    #[must_use]
    #[inline]
    pub const fn counter_mask(self) -> u64 {
        self.into_bits() & 0xFFFF_FFFF
    }

    /// What a WRMSR of `new` does on a processor whose counters 0 to `counters` - 1 store records, without the latency of loads: the register's new
    /// content. The old content does not matter to this register.
    ///
    /// # Errors
    ///
    /// [`GeneralProtection::Refused`] with the bits of counters that do not exist. That they fault is this project's reading.
    #[inline]
    pub const fn check_write(_old: Self, new: u64, counters: u8) -> Result<Self, GeneralProtection> {
        let exist = if counters < 64 { (1 << counters) - 1 } else { u64::MAX };
        match new & !exist {
            0 => Ok(Self::from_bits(new)),
            bits => Err(GeneralProtection::refused("IA32_PEBS_ENABLE", bits, Rule::NotAvailable("such a counter"))),
        }
    }

    /// Writes the register.
    ///
    /// # Safety
    ///
    /// If a counter is enabled, the debug-store area that `IA32_DS_AREA` points at and the PEBS buffer it describes
    /// meet the condition of [`DebugCtl::write`](crate::trace::DebugCtl::write).
    ///
    /// # Errors
    ///
    /// The fault that the access raised; the register keeps its content then.
    pub unsafe fn write<B: MsrBus>(self, bus: &mut B) -> Result<(), B::Fault> {
        // SAFETY: the caller vouches for the memory that records go to.
        unsafe { bus.wrmsr(Self::ADDRESS, self.into_bits()) }
    }
}

#[cfg(test)]
mod tests {
    use super::{PebsEnable, U4};

    #[test]
    fn positions() {
        assert_eq!(PebsEnable::ADDRESS, 0x3F1);
        assert_eq!(PebsEnable::new().with_counters(U4::of::<0xF>()).into_bits(), 0xF);
        assert_eq!(PebsEnable::new().with_load_latency(U4::of::<0xF>()).into_bits(), 0xF_0000_0000);
        assert_eq!(PebsEnable::from_bits(0x1_0000_00F1).counter_mask(), 0xF1, "later processors have more counters");
        assert_eq!(PebsEnable::from_bits(0x8007_0007_0000_00F1).extended_counter_mask(), 0x7_0000_00F1);
        assert_eq!(PebsEnable::from_bits(1 << 63).into_bits(), 1 << 63, "later processors' bits survive");
    }

    #[test]
    fn counters_that_do_not_exist_are_refused() {
        let write = |new, counters| PebsEnable::check_write(PebsEnable::OFF, new, counters).map(PebsEnable::into_bits);
        assert_eq!((write(0xF, 4), write(1, 1)), (Ok(0xF), Ok(1)));
        assert!(write(0x10, 4).is_err() && write(2, 1).is_err() && write(1, 0).is_err());
        assert_eq!((write(0, 0), write(u64::MAX, 64)), (Ok(0), Ok(u64::MAX)));
    }
}
