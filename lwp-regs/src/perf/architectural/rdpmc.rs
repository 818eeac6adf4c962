//! Which counter RDPMC reads.

use super::{CounterIndex, FixedIndex, PerfmonCaps};

/// The counter that ECX of RDPMC names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum RdpmcCounter {
    /// A general-purpose counter.
    General(CounterIndex),
    /// A fixed-function counter: bit 30 is set.
    Fixed(FixedIndex),
}

/// What RDPMC reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RdpmcSelector {
    /// The counter.
    pub counter: RdpmcCounter,
    /// Its bits 31:0 alone are read: bit 31 is set.
    pub fast: bool,
}

impl RdpmcSelector {
    /// The bit that asks for bits 31:0 alone.
    pub const FAST: u32 = 1 << 31;
    /// The bit that stands for the fixed-function counters.
    pub const FIXED: u32 = 1 << 30;

    /// What `ecx` names on a processor with `caps`; `None` if it names nothing, and RDPMC raises #GP. `fast_read` says
    /// whether the processor knows bit 31.
    ///
    /// Source: Intel SDM volume 2, "RDPMC - Read Performance-Monitoring Counters".
    #[must_use]
    #[inline]
    pub const fn decode(ecx: u32, caps: &PerfmonCaps, fast_read: bool) -> Option<Self> {
        let fast = ecx & Self::FAST != 0;
        if fast && !fast_read {
            return None;
        }
        let (fixed, number) = (ecx & Self::FIXED != 0, ecx & !(Self::FAST | Self::FIXED));
        if number > 0xFF {
            return None;
        }
        let counter = if fixed {
            match caps.fixed(number as u8) {
                Some(index) => RdpmcCounter::Fixed(index),
                None => return None,
            }
        } else {
            match caps.counter(number as u8) {
                Some(index) => RdpmcCounter::General(index),
                None => return None,
            }
        };
        Some(Self { counter, fast })
    }

    /// What EDX:EAX is when the counter holds `count`.
    #[must_use]
    #[inline]
    pub const fn value(self, count: u64) -> u64 {
        if self.fast { count & 0xFFFF_FFFF } else { count }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perf::architectural::caps::tests::{SKYLAKE_SP, YONAH, caps};

    // P6-08: what RDPMC can name; what bits 30 and 31 of ECX mean
    #[test]
    fn selectors() {
        let skylake = caps(SKYLAKE_SP);
        let decode = |ecx, fast_read| RdpmcSelector::decode(ecx, &skylake, fast_read);
        for counter in skylake.all_counters() {
            let named = RdpmcSelector { counter: RdpmcCounter::General(counter), fast: false };
            assert_eq!(decode(counter.rdpmc_selector(), false), Some(named));
            let fast = RdpmcSelector { fast: true, ..named };
            assert_eq!(decode(counter.rdpmc_selector() | 1 << 31, true), Some(fast));
            assert_eq!(decode(counter.rdpmc_selector() | 1 << 31, false), None);
        }
        for counter in skylake.all_fixed() {
            let named = RdpmcSelector { counter: RdpmcCounter::Fixed(counter), fast: false };
            assert_eq!(decode(counter.rdpmc_selector(), true), Some(named));
        }
        for ecx in [4, 0x100, 0x0100_0000, 0x4000_0003, 0x4000_0100, 0x2000_0000] {
            assert_eq!(decode(ecx, true), None, "{ecx:#x}");
        }
        assert_eq!(RdpmcSelector::decode(1 << 30, &caps(YONAH), true), None, "no fixed counters");
    }

    #[test]
    fn the_fast_read_has_32_bits() {
        let read = |ecx| RdpmcSelector::decode(ecx, &caps(SKYLAKE_SP), true).unwrap().value(0x11_2233_4455);
        assert_eq!(read(0), 0x11_2233_4455);
        assert_eq!(read(1 << 31), 0x2233_4455);
    }
}
