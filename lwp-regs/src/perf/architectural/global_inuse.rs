//! IA32_PERF_GLOBAL_INUSE: which counters somebody uses.

use super::{CounterIndex, FixedIndex, PerfmonCaps};
use crate::access::GeneralProtection;
use crate::refused::Rule;

layout! {
    /// `IA32_PERF_GLOBAL_INUSE`: a bit for each counter that is set up, so that several users of the counters (firmware, a
    /// hypervisor, a driver) leave each other's alone. Read-only: the processor derives it from the registers that select and
    /// enable. Version 4.
    ///
    /// Source: Intel SDM volume 3B, "Architectural Performance Monitoring Version 4"; number and bits: `ia32-doc`,
    /// `IA32_PERF_GLOBAL_INUSE`, and the patch "KVM: x86/pmu: Add MSR_PERF_GLOBAL_INUSE emulation".
    #[doc(alias = "0x392")]
    #[doc(alias = "IA32_PERF_GLOBAL_INUSE")]
    pub struct Ia32PerfGlobalInuse: u64, Zero {
        /// `IA32_PERFEVTSELx` selects an event (its event select is not 0), a bit each.
        #[inline]
        pub pmc: u32,
        /// `IA32_FIXED_CTRx` is enabled in `IA32_FIXED_CTR_CTRL`, a bit each.
        #[inline]
        pub fixed: u16,
        #[bits(15)]
        __: u64,
        /// The interrupt of the counters is used: INT of an event select or PMI of a fixed counter is set, or PEBS is enabled
        /// for a counter.
        #[inline]
        pub pmi: bool,
    }
    msr "IA32_PERF_GLOBAL_INUSE" = 0x392, read_only, caps = PerfmonCaps;
}

impl Ia32PerfGlobalInuse {
    /// Whether somebody uses this general-purpose counter.
    #[must_use]
    #[inline]
    pub const fn in_use(self, index: CounterIndex) -> bool {
        self.pmc() >> index.number() & 1 != 0
    }

    /// Whether somebody uses this fixed-function counter.
    #[must_use]
    #[inline]
    pub const fn fixed_in_use(self, index: FixedIndex) -> bool {
        self.fixed() >> index.number() & 1 != 0
    }

    /// What a WRMSR does: it faults.
    ///
    /// # Errors
    ///
    /// [`GeneralProtection::NoSuchRegister`] before version 4, else [`GeneralProtection::Refused`]: the register is
    /// read-only.
    #[inline]
    pub const fn check_write(_old: Self, new: u64, caps: &PerfmonCaps) -> Result<Self, GeneralProtection> {
        if caps.version < 4 {
            return Err(GeneralProtection::NoSuchRegister);
        }
        Err(GeneralProtection::refused("IA32_PERF_GLOBAL_INUSE", new, Rule::ReadOnly))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perf::architectural::caps::tests::{DIAMONDVILLE, SKYLAKE_SP, caps};

    #[test]
    fn positions() {
        let none = Ia32PerfGlobalInuse::new();
        assert_eq!(none.with_pmc(u32::MAX).into_bits(), 0x0000_0000_FFFF_FFFF);
        assert_eq!(none.with_fixed(u16::MAX).into_bits(), 0x0000_FFFF_0000_0000);
        assert_eq!(none.with_pmi(true).into_bits(), 1 << 63);
    }

    #[test]
    fn which_counter() {
        let (skylake, inuse) = (caps(SKYLAKE_SP), Ia32PerfGlobalInuse::from_bits(0x8000_0002_0000_0004));
        let counters = [0, 1, 2, 3].map(|number| inuse.in_use(skylake.counter(number).unwrap()));
        assert_eq!(counters, [false, false, true, false]);
        let fixed = [0, 1, 2].map(|number| inuse.fixed_in_use(skylake.fixed(number).unwrap()));
        assert_eq!(fixed, [false, true, false]);
        assert!(inuse.pmi());
    }

    #[test]
    fn it_is_read_only() {
        let write = |leaf| Ia32PerfGlobalInuse::check_write(Ia32PerfGlobalInuse::new(), 1, &caps(leaf));
        assert_eq!(write(DIAMONDVILLE), Err(GeneralProtection::NoSuchRegister), "version 3");
        let read_only = GeneralProtection::refused("IA32_PERF_GLOBAL_INUSE", 1, Rule::ReadOnly);
        assert_eq!(write(SKYLAKE_SP), Err(read_only));
    }
}
