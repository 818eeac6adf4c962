//! Whose rules a processor's monitoring and allocation follow.

use super::{CatCaps, L3Monitoring, MonitoringCaps, Rmid};
use crate::access::Cpuid;

/// Whose rules a processor follows. The leaves and the registers are the same; what they leave unsaid differs:
///
/// | | Intel | AMD | Hygon |
/// |---|---|---|---|
/// | width of the bandwidth counters where CPUID 0FH says 0 | 24 | 44 | 32 |
/// | bits of an RMID | 10 | 12 | 12 |
/// | masks with gaps | where CPUID 10H says so | always | always |
/// | mask 0 | refused | taken | taken |
///
/// Source: Linux, `arch/x86/kernel/cpu/resctrl` (`MBM_CNTR_WIDTH_OFFSET_AMD`, `arch_has_sparse_bitmasks` and
/// `min_cbm_bits` of `rdt_init_res_defs_amd`); 12 bits and AMD's masks: AMD APM volume 2, "PQM MSRs" and "L3 Cache Allocation
/// Enforcement (CAT)". That Hygon's RMIDs and masks are like AMD's is unconfirmed. The APM gives counters of 62 bits to family
/// 17H, models 30H to 90H; Linux takes 44, as is done here, and differences modulo 2^44 are right for both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum RdtVendor {
    /// Intel, and any vendor without rules of its own.
    #[default]
    Intel,
    /// AMD.
    Amd,
    /// Hygon.
    Hygon,
}

impl RdtVendor {
    /// Asks the processor.
    #[must_use]
    pub fn detect(cpuid: &impl Cpuid) -> Self {
        match &cpuid.vendor() {
            b"AuthenticAMD" => Self::Amd,
            b"HygonGenuine" => Self::Hygon,
            _ => Self::Intel,
        }
    }

    /// Bits of an RMID in the registers.
    #[must_use]
    #[inline]
    pub const fn rmid_bits(self) -> u8 {
        match self {
            Self::Intel => Rmid::INTEL_BITS,
            Self::Amd | Self::Hygon => Rmid::AMD_BITS,
        }
    }

    /// Width of the bandwidth counters where CPUID 0FH subleaf 1 has 0 for it.
    #[must_use]
    #[inline]
    pub const fn default_counter_width(self) -> u16 {
        match self {
            Self::Intel => 24,
            Self::Amd => 44,
            Self::Hygon => 32,
        }
    }
}

impl MonitoringCaps {
    /// The same leaves on a processor of this vendor. [`from_cpuid`](Self::from_cpuid) alone reads them by Intel's manual.
    #[must_use]
    #[inline]
    pub const fn on(self, vendor: RdtVendor) -> Self {
        let l3 = match self.l3 {
            Some(l3) => Some(l3.on(vendor)),
            None => None,
        };
        Self { rmid_bits: vendor.rmid_bits(), l3, ..self }
    }
}

impl L3Monitoring {
    /// The same leaf on a processor of this vendor. [`from_cpuid`](Self::from_cpuid) alone reads it by Intel's manual.
    #[must_use]
    #[inline]
    pub const fn on(self, vendor: RdtVendor) -> Self {
        let said_nothing = self.counter_width == RdtVendor::Intel.default_counter_width();
        let counter_width = if said_nothing { vendor.default_counter_width() } else { self.counter_width };
        Self { counter_width, ..self }
    }
}

impl<L: Copy> CatCaps<L> {
    /// The same leaf on a processor of this vendor. [`from_cpuid`](Self::from_cpuid) alone reads it by Intel's manual.
    #[must_use]
    #[inline]
    pub const fn on(self, vendor: RdtVendor) -> Self {
        match vendor {
            RdtVendor::Intel => self,
            RdtVendor::Amd | RdtVendor::Hygon => Self { non_contiguous: true, empty: true, ..self },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rdt::{PqrAssoc, QmEvtsel, RdtCaps};

    /// CPUID of a processor with RMIDs up to 4095, 16 ways and EAX of 0FH subleaf 1 as given.
    fn cpuid(vendor: [u32; 3], width: u32) -> impl Cpuid {
        move |leaf: u32, subleaf: u32| match (leaf, subleaf) {
            (0, _) => [0x10, vendor[0], vendor[2], vendor[1]],
            (0x07, 0) => [0, 0x9000, 0, 0],
            (0x0F, 0) => [0, 0xFFF, 0, 2],
            (0x0F, 1) => [width, 64, 0xFFF, 7],
            (0x10, 0) => [0, 2, 0, 0],
            (0x10, 1) => [15, 0, 4, 15],
            _ => [0; 4],
        }
    }

    const INTEL: [u32; 3] = [0x756E_6547, 0x4965_6E69, 0x6C65_746E];
    const AMD: [u32; 3] = [0x6874_7541, 0x6974_6E65, 0x444D_4163];
    const HYGON: [u32; 3] = [0x6F67_7948, 0x6E65_476E, 0x656E_6975];

    fn caps(vendor: [u32; 3], width: u32) -> RdtCaps {
        RdtCaps::enumerate(&cpuid(vendor, width))
    }

    #[test]
    fn width_where_cpuid_says_nothing() {
        let width = |vendor, eax| caps(vendor, eax).monitoring.unwrap().l3.unwrap().counter_width;
        assert_eq!([INTEL, AMD, HYGON].map(|vendor| width(vendor, 0)), [24, 44, 32]);
        assert_eq!([INTEL, AMD, HYGON].map(|vendor| width(vendor, 8)), [32; 3], "else CPUID tells");
    }

    #[test]
    fn amd_takes_masks_with_gaps_and_none() {
        let check = |vendor, bits| caps(vendor, 0).allocation.unwrap().l3.unwrap().check_mask(bits).is_ok();
        for bits in [0, 0xF00F] {
            assert_eq!([INTEL, AMD].map(|vendor| check(vendor, bits)), [false, true], "{bits:#x}");
        }
        assert!(!check(AMD, 0x1_0000), "beyond the length");
    }

    #[test]
    fn rmids_beyond_ten_bits() {
        let (intel, amd) = (caps(INTEL, 0), caps(AMD, 0));
        assert_eq!(Rmid::new(0xFFF, &amd).map(Rmid::get), Ok(0xFFF));
        assert!(Rmid::new(0x400, &intel).is_err() && Rmid::new(0x1000, &amd).is_err());
        let associate = |caps| PqrAssoc::check_write(PqrAssoc::RESET, 0xFFF, &caps).map(|value| value.rmid().get());
        assert!(associate(intel).is_err());
        assert_eq!(associate(amd), Ok(0xFFF));
        let select = |caps: RdtCaps| QmEvtsel::check_write(QmEvtsel::RESET, 0xFFF << 32 | 1, &caps.monitoring.unwrap());
        assert!(select(intel).is_err());
        assert_eq!(select(amd).map(|value| value.rmid().get()), Ok(0xFFF));
    }
}
