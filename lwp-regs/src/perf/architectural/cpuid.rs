//! CPUID leaf 0AH, "Architectural Performance Monitoring": its layouts.
//!
//! Source: Intel SDM volume 2A, "CPUID - CPU Identification", leaf 0AH.

use crate::bits::U5;

/// The leaf that describes the counters.
pub const LEAF: u32 = 0xA;

layout! {
    /// EAX of leaf 0AH: version and general-purpose counters.
    pub struct PerfmonEax: u32, Zero {
        /// Version of architectural performance monitoring; 0 means that there is none, and the rest says nothing.
        #[inline]
        pub version: u8,
        /// Number of general-purpose counters of a logical processor.
        #[inline]
        pub counters: u8,
        /// Width of a general-purpose counter in bits.
        #[inline]
        pub width: u8,
        /// Number of bits of EBX that say something.
        #[inline]
        pub events_length: u8,
    }
}

layout! {
    /// EBX of leaf 0AH: which architectural events are *not* available. A bit counts only if it is below
    /// [`PerfmonEax::events_length`]; use [`AvailableEvents`](super::AvailableEvents), which has the sense right way round.
    pub struct PerfmonEbx: u32, Zero {
        /// Core cycles cannot be counted.
        #[inline]
        pub no_core_cycles: bool,
        /// Instructions retired cannot be counted.
        #[inline]
        pub no_instructions: bool,
        /// Reference cycles cannot be counted.
        #[inline]
        pub no_reference_cycles: bool,
        /// References to the last-level cache cannot be counted.
        #[inline]
        pub no_llc_references: bool,
        /// Misses of the last-level cache cannot be counted.
        #[inline]
        pub no_llc_misses: bool,
        /// Branch instructions retired cannot be counted.
        #[inline]
        pub no_branches: bool,
        /// Mispredicted branches retired cannot be counted.
        #[inline]
        pub no_branch_misses: bool,
        /// Slots of the pipeline cannot be counted (KVM's tests, `INTEL_ARCH_TOPDOWN_SLOTS`).
        #[inline]
        pub no_slots: bool,
        #[bits(24)]
        __: u32,
    }
}

layout! {
    /// ECX of leaf 0AH: further fixed-function counters, a bit each, from version 5 on. Counter n exists if bit n is set here
    /// *or* n is below [`PerfmonEdx::fixed_counters`].
    ///
    /// Source: Intel SDM volume 2A, "CPUID - CPU Identification", leaf 0AH, as KVM quotes it: "`FxCtr[i]_is_supported :=
    /// ECX[i] || (EDX[4:0] > i)`".
    pub struct PerfmonEcx: u32, Zero {
        /// Bit n: fixed-function counter n exists.
        #[inline]
        pub fixed: u32,
    }
}

layout! {
    /// EDX of leaf 0AH: fixed-function counters, from version 2 on.
    ///
    /// The Atom 330 (version 3) reports 2501H: bit 13, which is reserved, and one fixed counter.
    pub struct PerfmonEdx: u32, Zero {
        /// Number of fixed-function counters, beginning with counter 0.
        #[inline]
        #[bits(5)]
        pub fixed_counters: U5,
        /// Width of a fixed-function counter in bits.
        #[inline]
        pub fixed_width: u8,
        #[bits(2)]
        __: u8,
        /// `any_thread` is not supported, whatever the version says. Processors set it from version 5 on.
        #[inline]
        pub any_thread_deprecated: bool,
        __: u16,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // APM-07, APM-11, APM-13, APM-17: 7:0 version, 15:8 counters, 23:16 width, 31:24 events
    #[test]
    fn eax_of_yonah() {
        let eax = PerfmonEax::from_bits(0x0728_0201);
        assert_eq!((eax.version(), eax.counters(), eax.width(), eax.events_length()), (1, 2, 40, 7));
        assert_eq!(PerfmonEax::RESERVED, 0);
    }

    #[test]
    fn ebx_bits() {
        assert_eq!(PerfmonEbx::new().with_no_core_cycles(true).into_bits(), 0x01);
        assert_eq!(PerfmonEbx::new().with_no_instructions(true).into_bits(), 0x02);
        assert_eq!(PerfmonEbx::new().with_no_reference_cycles(true).into_bits(), 0x04);
        assert_eq!(PerfmonEbx::new().with_no_llc_references(true).into_bits(), 0x08);
        assert_eq!(PerfmonEbx::new().with_no_llc_misses(true).into_bits(), 0x10);
        assert_eq!(PerfmonEbx::new().with_no_branches(true).into_bits(), 0x20);
        assert_eq!(PerfmonEbx::new().with_no_branch_misses(true).into_bits(), 0x40);
        assert_eq!((PerfmonEbx::new().with_no_slots(true).into_bits(), PerfmonEbx::RESERVED), (0x80, 0xFFFF_FF00));
    }

    #[test]
    fn edx_of_five_processors() {
        let edx = |bits| {
            let edx = PerfmonEdx::from_bits(bits);
            (edx.fixed_counters().get(), edx.fixed_width(), edx.any_thread_deprecated(), edx.has_reserved_bits())
        };
        assert_eq!(edx(0x0000), (0, 0, false, false), "Conroe");
        assert_eq!(edx(0x0503), (3, 40, false, false), "Penryn");
        assert_eq!(edx(0x2501), (1, 40, false, true), "Diamondville");
        assert_eq!(edx(0x0603), (3, 48, false, false), "Skylake-SP");
        assert_eq!(edx(0x8604), (4, 48, true, false), "Ice Lake");
    }
}
