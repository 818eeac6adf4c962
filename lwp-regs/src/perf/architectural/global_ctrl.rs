//! IA32_PERF_GLOBAL_CTRL: starts and stops all counters by one write.

use super::{CounterIndex, FixedIndex, PerfmonCaps};
use crate::access::GeneralProtection;
use crate::refused::Rule;

layout! {
    /// `IA32_PERF_GLOBAL_CTRL`: an enable bit for each counter. A counter counts while its bit here is set *and* its own
    /// control says so. Version 2.
    ///
    /// After reset the general-purpose counters are enabled here (n ones for n counters).
    ///
    /// Source: Intel SDM volume 3B, "Architectural Performance Monitoring Version 2"; reset value: ibid., "Processor State
    /// After Reset" table in volume 3A; bit 48: Linux `perf_event.h`.
    #[doc(alias = "0x38F")]
    #[doc(alias = "IA32_PERF_GLOBAL_CTRL")]
    pub struct Ia32PerfGlobalCtrl: u64, Fault {
        /// Enables of `IA32_PMCx`, a bit each.
        #[inline]
        pub pmc: u32,
        /// Enables of `IA32_FIXED_CTRx`, a bit each.
        #[inline]
        pub fixed: u16,
        /// Enable of the built-in top-down metrics.
        #[inline]
        pub perf_metrics: bool,
        #[bits(15)]
        __: u64,
    }
    msr "IA32_PERF_GLOBAL_CTRL" = 0x38F, read_write, caps = PerfmonCaps;
}

impl Ia32PerfGlobalCtrl {
    /// Stops every counter.
    pub const STOPPED: Self = Self::new();

    /// Enables every counter that the processor has.
    #[must_use]
    #[inline]
    pub const fn all(caps: &PerfmonCaps) -> Self {
        Self::from_bits(caps.counter_mask())
    }

    /// The same with this general-purpose counter enabled, or not.
    #[must_use]
    #[inline]
    pub const fn with_counter(self, index: CounterIndex, enable: bool) -> Self {
        let bit = 1 << index.number();
        self.with_pmc(if enable { self.pmc() | bit } else { self.pmc() & !bit })
    }

    /// The same with this fixed-function counter enabled, or not.
    #[must_use]
    #[inline]
    pub const fn with_fixed_counter(self, index: FixedIndex, enable: bool) -> Self {
        let bit = 1 << index.number();
        self.with_fixed(if enable { self.fixed() | bit } else { self.fixed() & !bit })
    }

    /// What a WRMSR of `new` does: the register's new content. The old content does not matter to this register.
    ///
    /// # Errors
    ///
    /// [`GeneralProtection::NoSuchRegister`] in version 1, else [`GeneralProtection::Refused`] with the bits that belong
    /// to no counter of this processor.
    #[inline]
    pub const fn check_write(_old: Self, new: u64, caps: &PerfmonCaps) -> Result<Self, GeneralProtection> {
        if !caps.has_global_control() {
            return Err(GeneralProtection::NoSuchRegister);
        }
        let metrics = Self::new().with_perf_metrics(caps.capabilities.perf_metrics());
        match new & !(caps.counter_mask() | metrics.into_bits()) {
            0 => Ok(Self::from_bits(new)),
            bits => Err(GeneralProtection::refused("IA32_PERF_GLOBAL_CTRL", bits, Rule::MustBeZero)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perf::architectural::Ia32PerfCapabilities;
    use crate::perf::architectural::caps::tests::{CONROE, SKYLAKE_SP, YONAH, caps};

    #[test]
    fn a_bit_for_each_counter() {
        let skylake = caps(SKYLAKE_SP);
        let none = Ia32PerfGlobalCtrl::STOPPED;
        assert_eq!(none.with_counter(skylake.counter(3).unwrap(), true).into_bits(), 0x8);
        assert_eq!(none.with_fixed_counter(skylake.fixed(2).unwrap(), true).into_bits(), 0x4_0000_0000);
        let all = Ia32PerfGlobalCtrl::all(&skylake);
        assert_eq!(all.into_bits(), 0x7_0000_000F);
        assert_eq!(all.with_counter(skylake.counter(0).unwrap(), false).into_bits(), 0x7_0000_000E);
        assert_eq!(all.with_fixed_counter(skylake.fixed(0).unwrap(), false).into_bits(), 0x6_0000_000F);
    }

    #[test]
    fn writes_depend_on_version_and_counts() {
        let write = |caps, new| {
            Ia32PerfGlobalCtrl::check_write(Ia32PerfGlobalCtrl::STOPPED, new, &caps).map(Ia32PerfGlobalCtrl::into_bits)
        };
        let gp = |bits| Err(GeneralProtection::refused("IA32_PERF_GLOBAL_CTRL", bits, Rule::MustBeZero));
        assert_eq!(write(caps(YONAH), 0x3), Err(GeneralProtection::NoSuchRegister));
        assert_eq!(write(caps(CONROE), 0x1_0000_0003), gp(0x1_0000_0000));
        assert_eq!(write(caps(SKYLAKE_SP), 0x7_0000_000F), Ok(0x7_0000_000F));
        assert_eq!(write(caps(SKYLAKE_SP), 0x8_0000_001F), gp(0x8_0000_0010));
        let mut metrics = caps(SKYLAKE_SP);
        assert_eq!(write(metrics, 1 << 48), gp(1 << 48));
        metrics.capabilities = Ia32PerfCapabilities::from_bits(1 << 15);
        assert_eq!(write(metrics, 1 << 48), Ok(1 << 48));
    }
}
