//! IA32_PERF_GLOBAL_STATUS_SET: overflows that software makes up.

use super::{Ia32PerfGlobalStatus, PerfmonCaps};
use crate::access::GeneralProtection;
use crate::refused::Rule;

layout! {
    /// `IA32_PERF_GLOBAL_STATUS_SET`: a 1 sets the bit of [`Ia32PerfGlobalStatus`] in the same place, a 0 does nothing. With it
    /// a hypervisor gives a guest its status back. Bit 63 (condition changed) is reserved. The register holds nothing, so there
    /// is neither a read nor an update of it. Version 4.
    ///
    /// Source: Intel SDM volume 3B, "Architectural Performance Monitoring Version 4"; number and bits: `ia32-doc`,
    /// `IA32_PERF_GLOBAL_STATUS_SET`, and Linux `msr-index.h`, `MSR_CORE_PERF_GLOBAL_STATUS_SET`.
    #[doc(alias = "0x391")]
    #[doc(alias = "IA32_PERF_GLOBAL_STATUS_SET")]
    pub struct Ia32PerfGlobalStatusSet: u64, Fault {
        /// The bits to set, as [`Ia32PerfGlobalStatus`] has them.
        #[inline]
        pub set: u64,
    }
    msr "IA32_PERF_GLOBAL_STATUS_SET" = 0x391, write_only, caps = PerfmonCaps;
}

impl Ia32PerfGlobalStatusSet {
    /// The bits of the status that software can set: its fields, but not bit 63.
    pub(super) const SETTABLE: u64 =
        Ia32PerfGlobalStatus::from_bits(!Ia32PerfGlobalStatus::RESERVED).with_cond_changed(false).into_bits();

    /// Sets what `status` shows, as far as software can set it.
    #[must_use]
    #[inline]
    pub const fn restore(status: Ia32PerfGlobalStatus) -> Self {
        Self::from_bits(status.into_bits() & Self::SETTABLE)
    }

    /// What a WRMSR of `new` makes of this register: 0, as it holds nothing. What becomes of the status is told by
    /// [`Ia32PerfGlobalStatus::set_by`].
    ///
    /// # Errors
    ///
    /// [`GeneralProtection::NoSuchRegister`] before version 4, else [`GeneralProtection::Refused`] with bit 63 and the bits
    /// that the status of this processor does not have. That reserved bits fault is the reading of patches to KVM and Xen,
    /// unconfirmed on silicon; KVM's accept bit 63.
    #[inline]
    pub const fn check_write(_old: Self, new: u64, caps: &PerfmonCaps) -> Result<Self, GeneralProtection> {
        if caps.version < 4 {
            return Err(GeneralProtection::NoSuchRegister);
        }
        match new & !(Ia32PerfGlobalStatus::existing(caps) & Self::SETTABLE) {
            0 => Ok(Self::new()),
            bits => Err(GeneralProtection::refused("IA32_PERF_GLOBAL_STATUS_SET", bits, Rule::MustBeZero)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perf::architectural::caps::tests::{DIAMONDVILLE, SKYLAKE_SP, caps};

    #[test]
    fn a_1_sets_and_a_0_does_nothing() {
        let status = Ia32PerfGlobalStatus::from_bits(0x0000_0001_0000_0002);
        let set = |bits| status.set_by(Ia32PerfGlobalStatusSet::from_bits(bits)).into_bits();
        assert_eq!(set(0), 0x0000_0001_0000_0002);
        assert_eq!(set(0x4000_0002_0000_0003), 0x4000_0003_0000_0003);
        assert_eq!(set(0x807E_0000_0000_0001), 0x0000_0001_0000_0003, "bit 63 and reserved bits");
    }

    // what was read is set again, but bit 63 and the reserved bits 49 to 54
    #[test]
    fn a_status_is_restored() {
        let saved = Ia32PerfGlobalStatus::from_bits(0xC07E_0001_0000_0002);
        assert_eq!(Ia32PerfGlobalStatusSet::restore(saved).into_bits(), 0x4000_0001_0000_0002);
    }

    #[test]
    fn writes() {
        let write = |leaf, new| Ia32PerfGlobalStatusSet::check_write(Ia32PerfGlobalStatusSet::new(), new, &caps(leaf));
        let gp = |bits| Err(GeneralProtection::refused("IA32_PERF_GLOBAL_STATUS_SET", bits, Rule::MustBeZero));
        assert_eq!(write(DIAMONDVILLE, 1), Err(GeneralProtection::NoSuchRegister), "version 3");
        assert_eq!(write(SKYLAKE_SP, 0x7C00_0007_0000_000F), Ok(Ia32PerfGlobalStatusSet::new()), "it reads as 0");
        assert_eq!(write(SKYLAKE_SP, 1 << 63), gp(1 << 63));
        assert_eq!(write(SKYLAKE_SP, 0x10), gp(0x10), "it has four counters");
    }
}
