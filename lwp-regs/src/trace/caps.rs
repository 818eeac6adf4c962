//! Which bits of IA32_DEBUGCTL a processor has.

use super::{DebugCtl, DsFeatures};
use crate::access::Cpuid;
use crate::refused::{Refused, Rule};

/// What a processor has of [`DebugCtl`]. `lbr` and `btf` are always there.
///
/// Source: Intel SDM volume 3C, "Architectural MSRs", Table 35-2, 1D9H, last column. It ties `tr`, `bts` and `btint` to
/// models from 06_0EH on and the CPL qualification to models from 06_0FH on; this crate takes the CPUID flags DS and
/// DS-CPL for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct DebugCtlCaps {
    /// Bit 2, BLD: CPUID.(EAX=07H,ECX=0):ECX\[24\]. From general knowledge of the manual, to be confirmed.
    pub bus_lock_detect: bool,
    /// Bits 6 to 8, TR, BTS and BTINT: the debug store, CPUID.1:EDX\[21\].
    pub branch_trace: bool,
    /// Bits 9 and 10, BTS_OFF_OS and BTS_OFF_USR: CPUID.1:ECX\[4\].
    pub cpl_qualified: bool,
    /// Bits 11 and 12: CPUID.1:ECX\[15\] and architectural performance monitoring of version 2 or later.
    pub freeze_on_pmi: bool,
    /// Bit 13: by model, from 06_1AH (Nehalem) on. No flag tells.
    pub uncore_pmi: bool,
    /// Bit 14: IA32_PERF_CAPABILITIES\[12\].
    pub freeze_while_smm: bool,
    /// Bit 15: CPUID.(EAX=07H,ECX=0):EBX\[11\].
    pub rtm: bool,
}

impl DebugCtlCaps {
    /// Every bit that this crate knows.
    pub const ALL: Self = Self {
        bus_lock_detect: true,
        branch_trace: true,
        cpl_qualified: true,
        freeze_on_pmi: true,
        uncore_pmi: true,
        freeze_while_smm: true,
        rtm: true,
    };
    /// IA32_PERF_CAPABILITIES\[12\], FREEZE_WHILE_SMM.
    const PERF_CAPABILITIES_SMM_FREEZE: u64 = 1 << 12;

    /// What CPUID says and `IA32_PERF_CAPABILITIES` (345H; 0 if CPUID.1:ECX\[15\] says that there is none).
    /// `uncore_pmi` is false, as it depends on the model.
    #[must_use]
    pub fn detect<C: Cpuid + ?Sized>(cpuid: &C, perf_capabilities: u64) -> Self {
        let [_, _, ecx, edx] = cpuid.leaf(1, 0).unwrap_or_default();
        let ds = DsFeatures::from_cpuid(ecx, edx);
        let [_, ebx7, ecx7, _] = cpuid.leaf(7, 0).unwrap_or_default();
        let [eax_a, ..] = cpuid.leaf(0xA, 0).unwrap_or_default();
        let pdcm = ecx & 1 << 15 != 0;
        Self {
            bus_lock_detect: ecx7 & 1 << 24 != 0,
            branch_trace: ds.contains(DsFeatures::DS),
            cpl_qualified: ds.contains(DsFeatures::DS_CPL),
            freeze_on_pmi: pdcm && eax_a & 0xFF > 1,
            uncore_pmi: false,
            freeze_while_smm: pdcm && perf_capabilities & Self::PERF_CAPABILITIES_SMM_FREEZE != 0,
            rtm: ebx7 & 1 << 11 != 0,
        }
    }

    /// Why the processor does not take `value`, if it does not.
    #[inline]
    pub(super) const fn refusal(&self, value: DebugCtl) -> Option<Refused> {
        let bits = value.into_bits();
        if bits & DebugCtl::RESERVED != 0 {
            return Some(Refused::new("IA32_DEBUGCTL", bits & DebugCtl::RESERVED, Rule::MustBeZero));
        }
        let none = DebugCtl::new();
        let groups = [
            (self.bus_lock_detect, none.with_bus_lock_detect(true), "bus-lock detection"),
            (self.branch_trace, none.with_tr(true).with_bts(true).with_btint(true), "the debug store"),
            (self.cpl_qualified, none.with_bts_off_os(true).with_bts_off_usr(true), "CPL-qualified branch tracing"),
            (
                self.freeze_on_pmi,
                none.with_freeze_lbrs_on_pmi(true).with_freeze_perfmon_on_pmi(true),
                "freezing on a performance interrupt",
            ),
            (self.uncore_pmi, none.with_enable_uncore_pmi(true), "uncore performance interrupts"),
            (self.freeze_while_smm, none.with_freeze_while_smm(true), "freezing while in SMM"),
            (self.rtm, none.with_rtm(true), "RTM"),
        ];
        let mut i = 0;
        while i < groups.len() {
            let (available, group, feature) = groups[i];
            let lacking = bits & group.into_bits();
            if !available && lacking != 0 {
                return Some(Refused::new("IA32_DEBUGCTL", lacking, Rule::NotAvailable(feature)));
            }
            i += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::DebugCtlCaps;

    /// CPUID with these values of leaf 1 ECX and EDX, leaf 7 EBX and ECX, and leaf 0AH EAX.
    fn cpuid(ecx1: u32, edx1: u32, ebx7: u32, ecx7: u32, eax_a: u32) -> impl Fn(u32, u32) -> [u32; 4] {
        move |leaf, _| match leaf {
            0 => [0xA, 0, 0, 0],
            1 => [0, 0, ecx1, edx1],
            7 => [0, ebx7, ecx7, 0],
            0xA => [eax_a, 0, 0, 0],
            _ => [0; 4],
        }
    }

    // DCTL-03: each flag brings its bits; DCTL-21: CPL qualification exists on some processors only
    #[test]
    fn one_flag_one_feature() {
        let caps =
            |ecx1, edx1, ebx7, ecx7, eax_a, perf| DebugCtlCaps::detect(&cpuid(ecx1, edx1, ebx7, ecx7, eax_a), perf);
        let none = DebugCtlCaps::default();
        assert_eq!(caps(0, 0, 0, 0, 0, 0), none);
        assert_eq!(caps(0, 1 << 21, 0, 0, 0, 0), DebugCtlCaps { branch_trace: true, ..none });
        assert_eq!(caps(1 << 4, 0, 0, 0, 0, 0), DebugCtlCaps { cpl_qualified: true, ..none });
        assert_eq!(caps(1 << 15, 0, 0, 0, 2, 0), DebugCtlCaps { freeze_on_pmi: true, ..none });
        assert_eq!(caps(1 << 15, 0, 0, 0, 1, 0), none, "version 1 does not freeze");
        assert_eq!(caps(0, 0, 0, 0, 4, 1 << 12), none, "PERF_CAPABILITIES does not exist");
        assert_eq!(caps(1 << 15, 0, 0, 0, 1, 1 << 12), DebugCtlCaps { freeze_while_smm: true, ..none });
        assert_eq!(caps(0, 0, 1 << 11, 0, 0, 0), DebugCtlCaps { rtm: true, ..none });
        assert_eq!(caps(0, 0, 0, 1 << 24, 0, 0), DebugCtlCaps { bus_lock_detect: true, ..none });
    }

    #[test]
    fn leaves_that_do_not_exist_are_not_read() {
        let old = |leaf: u32, _: u32| if leaf == 0 { [0, 0, 0, 0] } else { [u32::MAX; 4] };
        assert_eq!(DebugCtlCaps::detect(&old, u64::MAX), DebugCtlCaps::default());
    }
}
