//! IA32_PERF_GLOBAL_STATUS and IA32_PERF_GLOBAL_OVF_CTRL: which counters have overflowed, and how to forget it.

use super::{CounterIndex, FixedIndex, Ia32PerfGlobalStatusSet, PerfmonCaps};
use crate::access::GeneralProtection;
use crate::refused::Rule;

layout! {
    /// `IA32_PERF_GLOBAL_STATUS`: a bit for each counter that has overflowed. Read-only; cleared by [`Ia32PerfGlobalOvfCtrl`].
    /// Version 2.
    ///
    /// Source: Intel SDM volume 3B, "Architectural Performance Monitoring Version 2" and "Version 3"; bits 60, 59 and 58:
    /// ibid., "Version 4" (60: patches to KVM, which leave it to SGX); bit 55: volume 4, "Architectural MSRs" ("if CPUID.(EAX=07H, ECX=0):EBX\[25\] =
    /// 1"), and KVM, `intel_pmu_refresh` in `arch/x86/kvm/vmx/pmu_intel.c`; bit 48: Linux `perf_event.h`.
    #[doc(alias = "0x38E")]
    #[doc(alias = "IA32_PERF_GLOBAL_STATUS")]
    pub struct Ia32PerfGlobalStatus: u64, Zero {
        /// `IA32_PMCx` has overflowed, a bit each.
        #[inline]
        pub pmc: u32,
        /// `IA32_FIXED_CTRx` has overflowed, a bit each.
        #[inline]
        pub fixed: u16,
        /// The built-in top-down metrics have overflowed.
        #[inline]
        pub perf_metrics: bool,
        #[bits(6)]
        __: u64,
        /// An output region of Processor Trace is full. With Processor Trace, whatever the version.
        #[inline]
        pub trace_topa_pmi: bool,
        #[bits(2)]
        __: u64,
        /// The last-branch records are frozen. Version 4.
        #[inline]
        pub lbr_frozen: bool,
        /// The counters are frozen. Version 4.
        #[inline]
        pub counters_frozen: bool,
        /// A counter may have counted inside an enclave. Version 4.
        #[inline]
        pub asci: bool,
        /// An uncore counter has overflowed. Version 3.
        #[inline]
        pub ovf_uncore: bool,
        /// The buffer of the debug store is full.
        #[inline]
        pub ovf_ds_buffer: bool,
        /// Something else about the counters has changed.
        #[inline]
        pub cond_changed: bool,
    }
    msr "IA32_PERF_GLOBAL_STATUS" = 0x38E, read_only, caps = PerfmonCaps;
}

impl Ia32PerfGlobalStatus {
    /// Whether this general-purpose counter has overflowed.
    #[must_use]
    #[inline]
    pub const fn overflowed(self, index: CounterIndex) -> bool {
        self.pmc() >> index.number() & 1 != 0
    }

    /// Whether this fixed-function counter has overflowed.
    #[must_use]
    #[inline]
    pub const fn fixed_overflowed(self, index: FixedIndex) -> bool {
        self.fixed() >> index.number() & 1 != 0
    }

    /// What a write of `clear` to `IA32_PERF_GLOBAL_OVF_CTRL` makes of this register.
    #[must_use]
    #[inline]
    pub const fn cleared_by(self, clear: Ia32PerfGlobalOvfCtrl) -> Self {
        Self::from_bits(self.into_bits() & !clear.into_bits())
    }

    /// What a write of `set` to `IA32_PERF_GLOBAL_STATUS_SET` makes of this register. Reserved bits and bit 63 stay as they are.
    #[must_use]
    #[inline]
    pub const fn set_by(self, set: Ia32PerfGlobalStatusSet) -> Self {
        Self::from_bits(self.into_bits() | set.into_bits() & Ia32PerfGlobalStatusSet::SETTABLE)
    }

    /// The bits that the processor has: its counters and what its version adds.
    #[must_use]
    #[inline]
    pub const fn existing(caps: &PerfmonCaps) -> u64 {
        let version_2 = Self::new()
            .with_ovf_ds_buffer(true)
            .with_cond_changed(true)
            .with_perf_metrics(caps.capabilities.perf_metrics())
            .with_trace_topa_pmi(caps.processor_trace)
            .with_ovf_uncore(caps.version >= 3);
        let version_4 = caps.version >= 4;
        let all = version_2.with_lbr_frozen(version_4).with_counters_frozen(version_4).with_asci(version_4);
        all.into_bits() | caps.counter_mask()
    }

    /// What a WRMSR does: it faults.
    ///
    /// # Errors
    ///
    /// [`GeneralProtection::NoSuchRegister`] in version 1, else [`GeneralProtection::Refused`]: the register is
    /// read-only.
    #[inline]
    pub const fn check_write(_old: Self, new: u64, caps: &PerfmonCaps) -> Result<Self, GeneralProtection> {
        if !caps.has_global_control() {
            return Err(GeneralProtection::NoSuchRegister);
        }
        Err(GeneralProtection::refused("IA32_PERF_GLOBAL_STATUS", new, Rule::ReadOnly))
    }
}

layout! {
    /// `IA32_PERF_GLOBAL_OVF_CTRL`: a 1 clears the bit of [`Ia32PerfGlobalStatus`] in the same place, a 0 does nothing. It
    /// holds nothing, so there is neither a read nor an update of it. From version 4 on the manual calls it `IA32_PERF_GLOBAL_STATUS_RESET`.
    ///
    /// Source: Intel SDM volume 3B, "Architectural Performance Monitoring Version 2".
    #[doc(alias = "0x390")]
    #[doc(alias = "IA32_PERF_GLOBAL_OVF_CTRL")]
    #[doc(alias = "IA32_PERF_GLOBAL_STATUS_RESET")]
    pub struct Ia32PerfGlobalOvfCtrl: u64, Fault {
        /// The bits to clear, as [`Ia32PerfGlobalStatus`] has them.
        #[inline]
        pub clear: u64,
    }
    msr "IA32_PERF_GLOBAL_OVF_CTRL" = 0x390, write_only, caps = PerfmonCaps;
}

impl Ia32PerfGlobalOvfCtrl {
    /// Clears what `status` shows, and nothing that comes up between the two accesses.
    #[must_use]
    #[inline]
    pub const fn acknowledge(status: Ia32PerfGlobalStatus) -> Self {
        Self::from_bits(status.into_bits() & !Ia32PerfGlobalStatus::RESERVED)
    }

    /// Clears the overflow of this general-purpose counter.
    #[must_use]
    #[inline]
    pub const fn counter(index: CounterIndex) -> Self {
        Self::from_bits(1 << index.number())
    }

    /// What a WRMSR of `new` makes of this register: 0, as it holds nothing. What becomes of the status is told by
    /// [`Ia32PerfGlobalStatus::cleared_by`].
    ///
    /// # Errors
    ///
    /// [`GeneralProtection::NoSuchRegister`] in version 1, else [`GeneralProtection::Refused`] with the bits that the
    /// status of this processor does not have.
    #[inline]
    pub const fn check_write(_old: Self, new: u64, caps: &PerfmonCaps) -> Result<Self, GeneralProtection> {
        if !caps.has_global_control() {
            return Err(GeneralProtection::NoSuchRegister);
        }
        match new & !Ia32PerfGlobalStatus::existing(caps) {
            0 => Ok(Self::new()),
            bits => Err(GeneralProtection::refused("IA32_PERF_GLOBAL_OVF_CTRL", bits, Rule::MustBeZero)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perf::architectural::caps::tests::{DIAMONDVILLE, PENRYN, SKYLAKE_SP, YONAH, caps};

    #[test]
    fn positions() {
        let none = Ia32PerfGlobalStatus::new();
        assert_eq!(none.with_pmc(u32::MAX).into_bits(), 0x0000_0000_FFFF_FFFF);
        assert_eq!(none.with_fixed(u16::MAX).into_bits(), 0x0000_FFFF_0000_0000);
        assert_eq!(none.with_perf_metrics(true).into_bits(), 1 << 48);
        assert_eq!(none.with_trace_topa_pmi(true).into_bits(), 1 << 55);
        assert_eq!(none.with_lbr_frozen(true).into_bits(), 1 << 58);
        assert_eq!(none.with_counters_frozen(true).into_bits(), 1 << 59);
        assert_eq!(none.with_asci(true).into_bits(), 1 << 60);
        assert_eq!(none.with_ovf_uncore(true).into_bits(), 1 << 61);
        assert_eq!(none.with_ovf_ds_buffer(true).into_bits(), 1 << 62);
        assert_eq!(none.with_cond_changed(true).into_bits(), 1 << 63);
    }

    #[test]
    fn each_version_adds_bits() {
        assert_eq!(Ia32PerfGlobalStatus::existing(&caps(PENRYN)), 0xC000_0007_0000_0003);
        assert_eq!(Ia32PerfGlobalStatus::existing(&caps(DIAMONDVILLE)), 0xE000_0001_0000_0003);
        assert_eq!(Ia32PerfGlobalStatus::existing(&caps(SKYLAKE_SP)), 0xFC00_0007_0000_000F);
    }

    // bit 55 comes with Processor Trace: Broadwell has it in version 3, a guest may lack it in version 4
    #[test]
    fn processor_trace_has_a_bit() {
        let with = |leaf| PerfmonCaps { processor_trace: true, ..caps(leaf) };
        assert_eq!(Ia32PerfGlobalStatus::existing(&with(SKYLAKE_SP)), 0xFC80_0007_0000_000F);
        assert_eq!(Ia32PerfGlobalStatus::existing(&with(DIAMONDVILLE)), 0xE080_0001_0000_0003);
        let write = |caps| Ia32PerfGlobalOvfCtrl::check_write(Ia32PerfGlobalOvfCtrl::new(), 1 << 55, &caps);
        assert!(write(with(DIAMONDVILLE)).is_ok() && write(caps(SKYLAKE_SP)).is_err());
    }

    #[test]
    fn which_counter() {
        let (skylake, status) = (caps(SKYLAKE_SP), Ia32PerfGlobalStatus::from_bits(0x4_0000_0002));
        let overflowed = |number| status.overflowed(skylake.counter(number).unwrap());
        assert!(overflowed(1) && !overflowed(0));
        assert!(status.fixed_overflowed(skylake.fixed(2).unwrap()));
        assert!(!status.fixed_overflowed(skylake.fixed(1).unwrap()));
    }

    #[test]
    fn a_1_clears_and_a_0_does_nothing() {
        let status = Ia32PerfGlobalStatus::from_bits(0x8000_0001_0000_0003);
        let cleared = |bits| status.cleared_by(Ia32PerfGlobalOvfCtrl::from_bits(bits)).into_bits();
        assert_eq!(cleared(0), 0x8000_0001_0000_0003);
        assert_eq!(cleared(0x8000_0000_0000_0001), 0x0000_0001_0000_0002);
        assert_eq!(cleared(0xC), 0x8000_0001_0000_0003);
        assert_eq!(status.cleared_by(Ia32PerfGlobalOvfCtrl::acknowledge(status)).into_bits(), 0);
        let second = caps(PENRYN).counter(1).unwrap();
        assert_eq!(Ia32PerfGlobalOvfCtrl::counter(second).into_bits(), 0x2);
    }

    #[test]
    fn writes() {
        let write = |leaf, new| Ia32PerfGlobalOvfCtrl::check_write(Ia32PerfGlobalOvfCtrl::new(), new, &caps(leaf));
        let gp = |bits| Err(GeneralProtection::refused("IA32_PERF_GLOBAL_OVF_CTRL", bits, Rule::MustBeZero));
        assert_eq!(write(YONAH, 0), Err(GeneralProtection::NoSuchRegister));
        assert_eq!(write(PENRYN, 0xC000_0007_0000_0003), Ok(Ia32PerfGlobalOvfCtrl::new()), "it reads as 0");
        assert_eq!(write(PENRYN, 1 << 61), gp(1 << 61));
        assert_eq!(write(DIAMONDVILLE, 1 << 61), Ok(Ia32PerfGlobalOvfCtrl::new()));
        assert_eq!(write(PENRYN, 0x4), gp(0x4));
        let status = |leaf| Ia32PerfGlobalStatus::check_write(Ia32PerfGlobalStatus::new(), 1, &caps(leaf));
        assert_eq!(status(YONAH), Err(GeneralProtection::NoSuchRegister));
        let read_only = GeneralProtection::refused("IA32_PERF_GLOBAL_STATUS", 1, Rule::ReadOnly);
        assert_eq!(status(SKYLAKE_SP), Err(read_only));
    }
}
