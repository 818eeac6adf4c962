//! PerfCntrGlobalStatus, -Ctl, -StatusClr and -StatusSet: all core counters at once (`PerfMonV2`).

use super::{AmdCounterIndex, AmdPerfCaps};
use crate::access::GeneralProtection;

layout! {
    /// `PerfCntrGlobalStatus`: a bit for each counter that has overflowed. Read-only; a write is ignored.
    ///
    /// Source: AMD APM volume 2, figure "Performance Counter Global Status Register"; number: Linux, `msr-index.h`,
    /// `MSR_AMD64_PERF_CNTR_GLOBAL_STATUS`; writes: KVM, `kvm_pmu_set_msr` ("Per PPR, Read-only MSR. Writes are ignored");
    /// bit 58: Linux, `GLOBAL_STATUS_LBRS_FROZEN`; bit 59: messages to KVM's list about Zen 5, with `DebugCtl` bit 12.
    #[doc(alias = "0xC0000300")]
    #[doc(alias = "PerfCntrGlobalStatus")]
    #[doc(alias = "MSR_AMD64_PERF_CNTR_GLOBAL_STATUS")]
    pub struct AmdGlobalStatus: u64, Ignored {
        /// Bit n: counter n has overflowed. The manual names six.
        #[inline]
        pub overflowed: u16,
        #[bits(42)]
        __: u64,
        /// The branch records are frozen (`LbrFreeze`).
        #[inline]
        pub lbrs_frozen: bool,
        /// The counters are frozen (`PmcFreeze`).
        #[inline]
        pub counters_frozen: bool,
        #[bits(4)]
        __: u8,
    }
    msr "PerfCntrGlobalStatus" = 0xC000_0300, read_only, caps = AmdPerfCaps;
}

layout! {
    /// `PerfCntrGlobalCtl`: an enable bit for each counter. A counter counts while its bit here is set *and* its own
    /// `PERF_CTLn` enables it.
    ///
    /// After reset the bit of each counter is set (KVM, `kvm_pmu_refresh`: "both Intel and AMD CPUs set all enable bits").
    ///
    /// Source: AMD APM volume 2, figure "Performance Counter Global Control Register"; number: Linux, `msr-index.h`,
    /// `MSR_AMD64_PERF_CNTR_GLOBAL_CTL`.
    #[doc(alias = "0xC0000301")]
    #[doc(alias = "PerfCntrGlobalCtl")]
    #[doc(alias = "MSR_AMD64_PERF_CNTR_GLOBAL_CTL")]
    pub struct AmdGlobalCtl: u64, Ignored {
        /// Bit n: counter n may count.
        #[inline]
        pub enable: u16,
        #[bits(48)]
        __: u64,
    }
    msr "PerfCntrGlobalCtl" = 0xC000_0301, read_write, caps = AmdPerfCaps;
}

layout! {
    /// `PerfCntrGlobalStatusClr`: a 1 clears the bit of [`AmdGlobalStatus`] in the same place, a 0 does nothing. It holds
    /// nothing, so there is neither a read nor an update of it.
    ///
    /// Source: Linux, `arch/x86/events/amd/core.c`, `amd_pmu_ack_global_status`; number: `msr-index.h`,
    /// `MSR_AMD64_PERF_CNTR_GLOBAL_STATUS_CLR`; that it reads as 0: KVM, `kvm_pmu_get_msr`.
    #[doc(alias = "0xC0000302")]
    #[doc(alias = "PerfCntrGlobalStatusClr")]
    #[doc(alias = "MSR_AMD64_PERF_CNTR_GLOBAL_STATUS_CLR")]
    pub struct AmdGlobalStatusClr: u64, Ignored {
        /// The bits to clear, as [`AmdGlobalStatus`] has them.
        #[inline]
        pub clear: u64,
    }
    msr "PerfCntrGlobalStatusClr" = 0xC000_0302, write_only, caps = AmdPerfCaps;
}

layout! {
    /// `PerfCntrGlobalStatusSet`: a 1 sets the bit of [`AmdGlobalStatus`] in the same place, a 0 does nothing. With it a
    /// hypervisor gives a guest its status back. It holds nothing, so there is neither a read nor an update of it.
    ///
    /// Source: Linux, `msr-index.h`, `MSR_AMD64_PERF_CNTR_GLOBAL_STATUS_SET`; "the MSR is supposed to exist in all AMD v2
    /// PMUs": KVM, "Emulate PERF_CNTR_GLOBAL_STATUS_SET when PerfMonV2 is enumerated".
    #[doc(alias = "0xC0000303")]
    #[doc(alias = "PerfCntrGlobalStatusSet")]
    #[doc(alias = "MSR_AMD64_PERF_CNTR_GLOBAL_STATUS_SET")]
    pub struct AmdGlobalStatusSet: u64, Ignored {
        /// The bits to set, as [`AmdGlobalStatus`] has them.
        #[inline]
        pub set: u64,
    }
    msr "PerfCntrGlobalStatusSet" = 0xC000_0303, write_only, caps = AmdPerfCaps;
}

/// Nothing, or the fault of a processor without these registers.
const fn exist(caps: &AmdPerfCaps) -> Result<(), GeneralProtection> {
    if caps.perfmon_v2 { Ok(()) } else { Err(GeneralProtection::NoSuchRegister) }
}

impl AmdGlobalStatus {
    /// The bits that a processor has: one for each counter and, where an overflow can freeze, bits 58 and 59.
    ///
    /// Zen 5 also lets software set bits 6 and 7, which no counter of it has and which the manual calls reserved (messages
    /// to KVM's list about `PerfCntrGlobalStatusSet`); these are not among them.
    #[must_use]
    #[inline]
    pub const fn existing(caps: &AmdPerfCaps) -> u64 {
        let frozen = Self::new().with_lbrs_frozen(caps.freeze).with_counters_frozen(caps.freeze);
        frozen.into_bits() | caps.counter_mask()
    }

    /// What remains of the status after this write to `PerfCntrGlobalStatusClr`.
    #[must_use]
    #[inline]
    pub const fn cleared_by(self, write: AmdGlobalStatusClr) -> Self {
        Self::from_bits(self.into_bits() & !write.clear())
    }

    /// What the status is after this write to `PerfCntrGlobalStatusSet`.
    #[must_use]
    #[inline]
    pub const fn set_by(self, write: AmdGlobalStatusSet, caps: &AmdPerfCaps) -> Self {
        Self::from_bits(self.into_bits() | write.set() & Self::existing(caps))
    }

    /// Whether this counter has overflowed.
    #[must_use]
    #[inline]
    pub const fn has_overflowed(self, counter: AmdCounterIndex) -> bool {
        self.overflowed() >> counter.number() & 1 != 0
    }

    /// What a WRMSR does: nothing.
    ///
    /// # Errors
    ///
    /// [`GeneralProtection::NoSuchRegister`] without `PerfMonV2`.
    #[inline]
    pub const fn check_write(old: Self, _new: u64, caps: &AmdPerfCaps) -> Result<Self, GeneralProtection> {
        match exist(caps) {
            Ok(()) => Ok(old),
            Err(fault) => Err(fault),
        }
    }
}

impl AmdGlobalCtl {
    /// Stops every counter.
    pub const STOPPED: Self = Self::new();

    /// Enables every counter that the processor has.
    #[must_use]
    #[inline]
    pub const fn all(caps: &AmdPerfCaps) -> Self {
        Self::from_bits(caps.counter_mask())
    }

    /// The same with this counter enabled, or not.
    #[must_use]
    #[inline]
    pub const fn with_counter(self, counter: AmdCounterIndex, enable: bool) -> Self {
        let bit = 1 << counter.number();
        self.with_enable(if enable { self.enable() | bit } else { self.enable() & !bit })
    }

    /// What a WRMSR of `new` does: the bits that belong to no counter are ignored.
    ///
    /// Source: KVM, `kvm_pmu_set_msr`: "AMD ignores writes to reserved bits and read-only PMU MSRs, whereas Intel generates
    /// #GP"; "Based on the observed HW".
    ///
    /// # Errors
    ///
    /// [`GeneralProtection::NoSuchRegister`] without `PerfMonV2`.
    #[inline]
    pub const fn check_write(_old: Self, new: u64, caps: &AmdPerfCaps) -> Result<Self, GeneralProtection> {
        match exist(caps) {
            Ok(()) => Ok(Self::from_bits(new & caps.counter_mask())),
            Err(fault) => Err(fault),
        }
    }
}

impl AmdGlobalStatusClr {
    /// Clears what `status` shows.
    #[must_use]
    #[inline]
    pub const fn acknowledge(status: AmdGlobalStatus) -> Self {
        Self::from_bits(status.into_bits())
    }

    /// Clears the overflow of this counter.
    #[must_use]
    #[inline]
    pub const fn counter(counter: AmdCounterIndex) -> Self {
        Self::from_bits(1 << counter.number())
    }

    /// What a WRMSR of `new` makes of this register: 0, as it holds nothing. What becomes of the status is told by
    /// [`AmdGlobalStatus::cleared_by`].
    ///
    /// # Errors
    ///
    /// [`GeneralProtection::NoSuchRegister`] without `PerfMonV2`.
    #[inline]
    pub const fn check_write(_old: Self, _new: u64, caps: &AmdPerfCaps) -> Result<Self, GeneralProtection> {
        match exist(caps) {
            Ok(()) => Ok(Self::new()),
            Err(fault) => Err(fault),
        }
    }
}

impl AmdGlobalStatusSet {
    /// Sets what `status` shows.
    #[must_use]
    #[inline]
    pub const fn restore(status: AmdGlobalStatus) -> Self {
        Self::from_bits(status.into_bits() & !AmdGlobalStatus::RESERVED)
    }

    /// What a WRMSR of `new` makes of this register: 0, as it holds nothing. What becomes of the status is told by
    /// [`AmdGlobalStatus::set_by`].
    ///
    /// # Errors
    ///
    /// [`GeneralProtection::NoSuchRegister`] without `PerfMonV2`.
    #[inline]
    pub const fn check_write(_old: Self, _new: u64, caps: &AmdPerfCaps) -> Result<Self, GeneralProtection> {
        match exist(caps) {
            Ok(()) => Ok(Self::new()),
            Err(fault) => Err(fault),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ZEN3: AmdPerfCaps = AmdPerfCaps::new(true);
    const ZEN4: AmdPerfCaps = AmdPerfCaps { perfmon_v2: true, freeze: true, v2_counters: 6, ..ZEN3 };

    // Linux: STATUS 0xc0000300, CTL 0xc0000301, STATUS_CLR 0xc0000302, STATUS_SET 0xc0000303; LBRS_FROZEN 58
    #[test]
    fn numbers_and_positions() {
        assert_eq!(AmdGlobalStatus::ADDRESS, 0xC000_0300);
        assert_eq!(AmdGlobalCtl::ADDRESS, 0xC000_0301);
        assert_eq!(AmdGlobalStatusClr::ADDRESS, 0xC000_0302);
        assert_eq!(AmdGlobalStatusSet::ADDRESS, 0xC000_0303);
        assert_eq!(AmdGlobalStatus::new().with_overflowed(0xFFFF).into_bits(), 0xFFFF);
        assert_eq!(AmdGlobalStatus::new().with_lbrs_frozen(true).into_bits(), 1 << 58);
        assert_eq!(AmdGlobalStatus::new().with_counters_frozen(true).into_bits(), 1 << 59);
        assert_eq!(AmdGlobalStatus::RESERVED, 0xF3FF_FFFF_FFFF_0000);
        assert_eq!((AmdGlobalCtl::new().with_enable(1).into_bits(), AmdGlobalCtl::RESERVED), (1, !0xFFFF));
    }

    // the test on KVM's list: after Clr of all ones the status is 0; after Set of all ones it is the six counters, and
    // bits 59:58 on hardware that can freeze; Set of 0 does nothing
    #[test]
    fn clear_and_set() {
        let set = |status: AmdGlobalStatus, bits, caps| status.set_by(AmdGlobalStatusSet::from_bits(bits), caps);
        let none = AmdGlobalStatus::new();
        let all = set(none, u64::MAX, &ZEN4);
        assert_eq!(all.into_bits(), 0x0C00_0000_0000_003F);
        assert_eq!(set(none, u64::MAX, &AmdPerfCaps { freeze: false, ..ZEN4 }).into_bits(), 0x3F);
        assert_eq!(set(all, 0, &ZEN4), all);
        assert_eq!(all.cleared_by(AmdGlobalStatusClr::from_bits(u64::MAX)), none);
        assert_eq!(all.cleared_by(AmdGlobalStatusClr::from_bits(0x21)).into_bits(), 0x0C00_0000_0000_001E);
        let overflow = AmdGlobalStatus::from_bits(0xC0_0021);
        assert_eq!(overflow.cleared_by(AmdGlobalStatusClr::acknowledge(overflow)), none);
        assert_eq!(AmdGlobalStatusSet::restore(overflow).into_bits(), 0x21);
        let counter = |number| ZEN4.counter(number).unwrap();
        let clear = |number| AmdGlobalStatusClr::counter(counter(number));
        assert_eq!([0, 5].map(|number| clear(number).into_bits()), [0x01, 0x20]);
        assert_eq!(AmdGlobalStatus::from_bits(0x21).cleared_by(clear(5)).into_bits(), 0x01);
        assert_eq!([0, 1, 5].map(|number| overflow.has_overflowed(counter(number))), [true, false, true]);
    }

    // reserved bits are ignored, not refused
    #[test]
    fn writes() {
        let ctl = |new, caps| AmdGlobalCtl::check_write(AmdGlobalCtl::STOPPED, new, &caps).map(AmdGlobalCtl::into_bits);
        assert_eq!((ctl(u64::MAX, ZEN4), ctl(0x21, ZEN4)), (Ok(0x3F), Ok(0x21)));
        assert_eq!(ctl(u64::MAX, AmdPerfCaps { v2_counters: 8, ..ZEN4 }), Ok(0xFF));
        assert_eq!(ctl(0, ZEN3), Err(GeneralProtection::NoSuchRegister));
        assert_eq!(AmdGlobalCtl::all(&ZEN4).into_bits(), 0x3F);
        let two = ZEN4.counter(2).unwrap();
        assert_eq!(AmdGlobalCtl::all(&ZEN4).with_counter(two, false).into_bits(), 0x3B);
        assert_eq!(AmdGlobalCtl::STOPPED.with_counter(two, true).into_bits(), 4);

        let held = AmdGlobalStatus::from_bits(0x5);
        assert_eq!(AmdGlobalStatus::check_write(held, u64::MAX, &ZEN4), Ok(held), "read-only, and no fault");
        let missing = Err(GeneralProtection::NoSuchRegister);
        assert_eq!(AmdGlobalStatus::check_write(held, 0, &ZEN3).map(AmdGlobalStatus::into_bits), missing);
        let clear = |caps| AmdGlobalStatusClr::check_write(AmdGlobalStatusClr::new(), u64::MAX, &caps);
        let set = |caps| AmdGlobalStatusSet::check_write(AmdGlobalStatusSet::new(), u64::MAX, &caps);
        assert_eq!((clear(ZEN4), set(ZEN4)), (Ok(AmdGlobalStatusClr::new()), Ok(AmdGlobalStatusSet::new())));
        assert_eq!((clear(ZEN3).is_err(), set(ZEN3).is_err()), (true, true));
    }
}
