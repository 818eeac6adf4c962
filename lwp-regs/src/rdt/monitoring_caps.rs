//! What a processor monitors, decoded from CPUID 0FH.

use super::cpuid_monitoring::{CpuidL3Counter, CpuidMonitoringResources};
use super::{Count, MonitoringEvents, Rmid};
use crate::access::CpuidRegisters;
use crate::layout::mask;

/// Monitoring as CPUID 0FH describes it.
///
/// Source: Intel SDM volume 3B, "Monitoring Resource Type and Capability Enumeration".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct MonitoringCaps {
    /// Highest RMID of any resource; what IA32_PQR_ASSOC takes.
    pub max_rmid: u32,
    /// Bits of an RMID in the registers: 10, and 12 on AMD.
    pub rmid_bits: u8,
    /// Monitoring of the L3 cache.
    pub l3: Option<L3Monitoring>,
}

/// Monitoring of the L3 cache as CPUID 0FH subleaf 1 describes it.
///
/// Source: Intel SDM volume 3B, "Monitoring Resource Type and Capability Enumeration".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct L3Monitoring {
    /// Bytes that one unit of the counter stands for.
    pub upscaling: u32,
    /// Highest RMID that this resource monitors; may be below [`MonitoringCaps::max_rmid`].
    pub max_rmid: u32,
    /// The events that exist, unknown ones included.
    pub events: MonitoringEvents,
    /// Width of the bandwidth counters in bits; they wrap around at 2 to this power. Where CPUID says
    /// nothing: 24, and another width on AMD ([`RdtVendor`](super::RdtVendor)).
    pub counter_width: u16,
}

impl MonitoringCaps {
    /// Decodes subleaf 0 and, if that reports the L3 cache, subleaf 1, which `l3` is asked for, by Intel's manual. For
    /// other vendors see [`on`](Self::on).
    #[must_use]
    pub fn from_cpuid(subleaf_0: CpuidRegisters, l3: impl FnOnce() -> CpuidRegisters) -> Self {
        let [_, max_rmid, _, edx] = subleaf_0;
        let resources = CpuidMonitoringResources::from_bits(edx);
        Self { max_rmid, rmid_bits: Rmid::INTEL_BITS, l3: resources.l3().then(|| L3Monitoring::from_cpuid(l3())) }
    }
}

impl L3Monitoring {
    /// Decodes EAX, EBX, ECX and EDX of CPUID 0FH subleaf 1 by Intel's manual. For other vendors see [`on`](Self::on).
    #[must_use]
    #[inline]
    pub const fn from_cpuid(subleaf_1: CpuidRegisters) -> Self {
        let [eax, upscaling, max_rmid, events] = subleaf_1;
        Self {
            upscaling,
            max_rmid,
            events: MonitoringEvents::from_bits_retain(events),
            counter_width: 24 + CpuidL3Counter::from_bits(eax).width_minus_24() as u16,
        }
    }

    /// `count` in bytes: the units of the counter times the upscaling factor. Exact, whatever the two are.
    ///
    /// Source: Intel SDM volume 3B, "Monitoring Resource Selection and Reporting Infrastructure".
    #[must_use]
    #[inline]
    pub const fn bytes(&self, count: Count) -> u128 {
        count.units() as u128 * self.upscaling as u128
    }

    /// What was counted between two readings of a bandwidth event, if the counter wrapped around at most once.
    ///
    /// Not for the occupancy, which goes up and down and does not wrap.
    #[must_use]
    #[inline]
    pub const fn since(&self, earlier: Count, later: Count) -> Count {
        Count::new(later.units().wrapping_sub(earlier.units()) & mask(self.counter_width as usize))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A Skylake-D: 128 RMIDs, units of 64 KiB, all three events.
    pub(crate) const SKYLAKE_D: MonitoringCaps = MonitoringCaps {
        max_rmid: 0x7F,
        rmid_bits: 10,
        l3: Some(L3Monitoring {
            upscaling: 0x1_0000,
            max_rmid: 0x7F,
            events: MonitoringEvents::all(),
            counter_width: 24,
        }),
    };

    // RDTM-04, RDTM-13: the leaves of a Skylake-D
    #[test]
    fn hardware_vector() {
        let caps = MonitoringCaps::from_cpuid([0, 0x7F, 0, 2], || [0, 0x1_0000, 0x7F, 7]);
        assert_eq!(caps, SKYLAKE_D);
    }

    #[test]
    fn without_l3_subleaf_1_is_not_read() {
        let caps = MonitoringCaps::from_cpuid([0, 0x7F, 0, !2], || unreachable!("subleaf 1 does not exist"));
        assert_eq!(caps, MonitoringCaps { max_rmid: 0x7F, rmid_bits: 10, l3: None });
    }

    #[test]
    fn width_is_an_offset_from_24_and_unknown_events_survive() {
        let l3 = L3Monitoring::from_cpuid([0xFFFF_FF08, 64, 15, 0x8000_0001]);
        assert_eq!((l3.counter_width, l3.events.bits()), (32, 0x8000_0001));
    }

    // RDTM-28: with a factor of 64 KiB
    #[test]
    fn counts_become_bytes() {
        let l3 = SKYLAKE_D.l3.unwrap();
        assert_eq!(l3.bytes(Count::new(0)), 0);
        assert_eq!(l3.bytes(Count::new(3)), 196_608);
        let most = L3Monitoring { upscaling: u32::MAX, ..l3 };
        assert_eq!(most.bytes(Count::new((1 << 62) - 1)), 0x3FFF_FFFF_BFFF_FFFF_0000_0001, "does not overflow");
    }

    // RDTM-28: bandwidth is the difference of two readings, also over the end of the counter
    #[test]
    fn bandwidth_over_the_end_of_the_counter() {
        let l3 = SKYLAKE_D.l3.unwrap();
        let since = |earlier, later| l3.since(Count::new(earlier), Count::new(later)).units();
        assert_eq!(since(100, 130), 30);
        assert_eq!(since(0xFF_FFFF, 0), 1);
        assert_eq!(since(0xFF_FFF0, 0x10), 0x20);
        let wide = L3Monitoring { counter_width: 32, ..l3 };
        assert_eq!(wide.since(Count::new(0xFF_FFF0), Count::new(0x10)).units(), 0xFF00_0020);
    }
}
