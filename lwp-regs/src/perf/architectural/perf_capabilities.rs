//! IA32_PERF_CAPABILITIES: what CPUID leaf 0AH does not say.

use crate::access::GeneralProtection;
use crate::bits::{U4, U6};
use crate::refused::Rule;

layout! {
    /// `IA32_PERF_CAPABILITIES`: formats of branch records and samples, and full-width writes. Read-only; exists if CPUID
    /// leaf 01H ECX\[15\] (PDCM) is set.
    ///
    /// Source: Intel SDM volume 3B, "`IA32_PERF_CAPABILITIES` MSR" figure and "Full-Width Writes to Performance Counter
    /// Registers"; bits 16:15 as Linux has them.
    #[doc(alias = "0x345")]
    #[doc(alias = "IA32_PERF_CAPABILITIES")]
    pub struct Ia32PerfCapabilities: u64, Ignored {
        /// Format of the last-branch records.
        #[inline]
        #[bits(6)]
        pub lbr_format: U6,
        /// A sample is taken after the instruction (trap-like); 0: before (fault-like).
        #[inline]
        pub pebs_trap: bool,
        /// Samples hold the architectural registers.
        #[inline]
        pub pebs_arch_regs: bool,
        /// Format of the samples.
        #[inline]
        #[bits(4)]
        pub pebs_format: U4,
        /// `IA32_DEBUGCTL.FREEZE_WHILE_SMM` exists.
        #[inline]
        pub freeze_while_smm: bool,
        /// General-purpose counters can be written in full width at 4C1H + x.
        #[inline]
        pub full_width_write: bool,
        /// Samples have groups of fields that can be chosen.
        #[inline]
        pub pebs_baseline: bool,
        /// There are the built-in top-down metrics.
        #[inline]
        pub perf_metrics: bool,
        /// Samples can be put out by Processor Trace.
        #[inline]
        pub pebs_to_pt: bool,
        #[bits(47)]
        __: u64,
    }
    msr "IA32_PERF_CAPABILITIES" = 0x345, read_only, caps = ();
}

impl Ia32PerfCapabilities {
    /// What a WRMSR does: it faults.
    ///
    /// # Errors
    ///
    /// [`GeneralProtection::Refused`] always: the register is read-only.
    #[inline]
    pub const fn check_write(_old: Self, new: u64, _caps: &()) -> Result<Self, GeneralProtection> {
        Err(GeneralProtection::refused("IA32_PERF_CAPABILITIES", new, Rule::ReadOnly))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions() {
        assert_eq!(Ia32PerfCapabilities::new().with_lbr_format(U6::of::<0x3F>()).into_bits(), 0x3F);
        assert_eq!(Ia32PerfCapabilities::new().with_pebs_trap(true).into_bits(), 0x40);
        assert_eq!(Ia32PerfCapabilities::new().with_pebs_arch_regs(true).into_bits(), 0x80);
        assert_eq!(Ia32PerfCapabilities::new().with_pebs_format(U4::of::<0xF>()).into_bits(), 0xF00);
        assert_eq!(Ia32PerfCapabilities::new().with_freeze_while_smm(true).into_bits(), 0x1000);
        assert_eq!(Ia32PerfCapabilities::new().with_full_width_write(true).into_bits(), 0x2000);
        assert_eq!(Ia32PerfCapabilities::new().with_pebs_baseline(true).into_bits(), 0x4000);
        assert_eq!(Ia32PerfCapabilities::new().with_perf_metrics(true).into_bits(), 0x8000);
        assert_eq!(Ia32PerfCapabilities::new().with_pebs_to_pt(true).into_bits(), 0x1_0000);
        assert_eq!(Ia32PerfCapabilities::ADDRESS, 0x345);
    }

    #[test]
    fn a_write_faults() {
        let gp = GeneralProtection::refused("IA32_PERF_CAPABILITIES", 0x2000, Rule::ReadOnly);
        assert_eq!(Ia32PerfCapabilities::check_write(Ia32PerfCapabilities::new(), 0x2000, &()), Err(gp));
    }
}
