//! CPUID leaf 1CH: what a processor has of architectural last branch records.

use crate::access::{Cpuid, CpuidRegisters};
use crate::bits::U4;

layout! {
    /// EAX of leaf 1CH: depths, sleep, and the kind of address.
    ///
    /// Source: Linux, `arch/x86/include/asm/perf_event.h`, `union cpuid28_eax`; x86-cpuid-db, leaf 1CH; both from Intel SDM
    /// volume 2A, "CPUID - CPU Identification".
    pub struct ArchLbrEax: u32, Zero {
        /// Bit n: a depth of 8 (n + 1) entries can be chosen.
        #[inline]
        pub depths: u8,
        #[bits(22)]
        __: u32,
        /// The records may be lost in sleep states deeper than C1.
        #[inline]
        pub deep_sleep_resets: bool,
        /// Addresses are linear (LIP); 0: offsets in the code segment (EIP).
        #[inline]
        pub linear_addresses: bool,
    }
}

layout! {
    /// EBX of leaf 1CH: which fields of [`Ia32LbrCtl`](super::Ia32LbrCtl) can be used.
    ///
    /// Source: Linux, `arch/x86/include/asm/perf_event.h`, `union cpuid28_ebx`; x86-cpuid-db, leaf 1CH.
    pub struct ArchLbrEbx: u32, Zero {
        /// Selection by privilege level: bits 2:1 of the control.
        #[inline]
        pub levels: bool,
        /// Selection by the kind of branch: bits 22:16 of the control.
        #[inline]
        pub filter: bool,
        /// Call-stack mode: bit 3 of the control.
        #[inline]
        pub call_stack: bool,
        #[bits(29)]
        __: u32,
    }
}

layout! {
    /// ECX of leaf 1CH: which fields of [`Ia32LbrInfo`](super::Ia32LbrInfo) say something.
    ///
    /// Source: Linux, `arch/x86/include/asm/perf_event.h`, `union cpuid28_ecx`; x86-cpuid-db, leaf 1CH.
    pub struct ArchLbrEcx: u32, Zero {
        /// The misprediction: bit 63.
        #[inline]
        pub mispredicted: bool,
        /// Cycles and whether they are valid: bits 15:0 and 60.
        #[inline]
        pub cycles: bool,
        /// The kind of branch: bits 59:56.
        #[inline]
        pub branch_type: bool,
        #[bits(13)]
        __: u32,
        /// Bit n: occurrences of the event of counter n are logged, in bits 39:32.
        #[inline]
        #[bits(4)]
        pub counters: U4,
        #[bits(12)]
        __: u32,
    }
}

/// Architectural last branch records of a processor, decoded from CPUID leaf 1CH.
///
/// Source: Linux, `arch/x86/events/intel/lbr.c` (`intel_pmu_arch_lbr_init`), from Intel SDM volume 3B, "Architectural Last
/// Branch Records".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct ArchLbrCaps {
    /// EAX.
    pub eax: ArchLbrEax,
    /// EBX.
    pub ebx: ArchLbrEbx,
    /// ECX.
    pub ecx: ArchLbrEcx,
}

impl ArchLbrCaps {
    /// The leaf that describes the records.
    pub const LEAF: u32 = 0x1C;

    /// Decodes EAX, EBX, ECX and EDX of leaf 1CH. `None` without a depth: there are no records then.
    #[must_use]
    #[inline]
    pub const fn from_cpuid(leaf: CpuidRegisters) -> Option<Self> {
        let [eax, ebx, ecx, _] = leaf;
        let eax = ArchLbrEax::from_bits(eax);
        if eax.depths() == 0 {
            return None;
        }
        Some(Self { eax, ebx: ArchLbrEbx::from_bits(ebx), ecx: ArchLbrEcx::from_bits(ecx) })
    }

    /// Asks the processor: CPUID.(EAX=07H,ECX=0):EDX\[19\], then leaf 1CH. `None` without such records.
    ///
    /// Source of the flag: Linux, `cpufeatures.h`, `X86_FEATURE_ARCH_LBR`.
    #[must_use]
    pub fn detect(cpuid: &(impl Cpuid + ?Sized)) -> Option<Self> {
        let [.., edx7] = cpuid.leaf(7, 0)?;
        if edx7 >> 19 & 1 == 0 {
            return None;
        }
        Self::from_cpuid(cpuid.leaf(Self::LEAF, 0)?)
    }

    /// Whether `IA32_LBR_DEPTH` takes this number of entries: a multiple of 8 up to 64 whose bit is set in EAX.
    #[must_use]
    #[inline]
    pub const fn has_depth(&self, entries: u64) -> bool {
        entries >= 8 && entries <= 64 && entries.is_multiple_of(8) && self.eax.depths() >> (entries / 8 - 1) & 1 != 0
    }

    /// The largest depth, 8 to 64; the value of `IA32_LBR_DEPTH` after reset (unconfirmed). 0 if EAX names none.
    #[must_use]
    #[inline]
    pub const fn max_depth(&self) -> u8 {
        8 * (u8::BITS - self.eax.depths().leading_zeros()) as u8
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Depths of 8, 16 and 32, everything else there is; linear addresses.
    pub(crate) const ALL: ArchLbrCaps = ArchLbrCaps {
        eax: ArchLbrEax::from_bits(0x8000_000B),
        ebx: ArchLbrEbx::from_bits(7),
        ecx: ArchLbrEcx::from_bits(0xF_0007),
    };
    /// One depth, of 8, and nothing else.
    pub(crate) const LEAST: ArchLbrCaps =
        ArchLbrCaps { eax: ArchLbrEax::from_bits(1), ebx: ArchLbrEbx::from_bits(0), ecx: ArchLbrEcx::from_bits(0) };

    // Linux: lbr_depth_mask:8, reserved:22, lbr_deep_c_reset:1, lbr_lip:1; lbr_cpl:1, lbr_filter:1, lbr_call_stack:1;
    // lbr_mispred:1, lbr_timed_lbr:1, lbr_br_type:1, reserved:13, lbr_counters:4
    #[test]
    fn positions() {
        let (eax, ebx, ecx) = (ArchLbrEax::new(), ArchLbrEbx::new(), ArchLbrEcx::new());
        assert_eq!(eax.with_depths(0xFF).into_bits(), 0xFF);
        assert_eq!(eax.with_deep_sleep_resets(true).into_bits(), 0x4000_0000);
        assert_eq!(eax.with_linear_addresses(true).into_bits(), 0x8000_0000);
        let ebx = [ebx.with_levels(true), ebx.with_filter(true), ebx.with_call_stack(true)];
        assert_eq!(ebx.map(ArchLbrEbx::into_bits), [1, 2, 4]);
        let ecx = [
            ecx.with_mispredicted(true),
            ecx.with_cycles(true),
            ecx.with_branch_type(true),
            ecx.with_counters(U4::MAX),
        ];
        assert_eq!(ecx.map(ArchLbrEcx::into_bits), [1, 2, 4, 0xF_0000]);
        let reserved = (ArchLbrEax::RESERVED, ArchLbrEbx::RESERVED, ArchLbrEcx::RESERVED);
        assert_eq!(reserved, (0x3FFF_FF00, 0xFFFF_FFF8, 0xFFF0_FFF8));
    }

    // Linux: lbr_nr = fls(lbr_depth_mask) * 8; KVM: depth < 65, a multiple of 8, eax & BIT(depth / 8 - 1)
    #[test]
    fn depths() {
        let taken = |caps: ArchLbrCaps| (0..=1024).filter(move |&entries| caps.has_depth(entries));
        assert!(taken(ALL).eq([8, 16, 32]) && taken(LEAST).eq([8]));
        let every = ArchLbrCaps { eax: ArchLbrEax::from_bits(0xFF), ..ALL };
        assert!(taken(every).eq((1..=8).map(|n| 8 * n)));
        assert_eq!([ALL, LEAST, every].map(|caps| caps.max_depth()), [32, 8, 64]);
        let none = ArchLbrCaps { eax: ArchLbrEax::new(), ..ALL };
        assert_eq!((none.max_depth(), taken(none).count()), (0, 0));
    }

    #[test]
    fn detection() {
        let cpuid = |edx7: u32, highest: u32, eax: u32| {
            move |leaf: u32, _: u32| match leaf {
                0 => [highest, 0, 0, 0],
                7 => [0, 0, 0, edx7],
                0x1C => [eax, 7, 0xF_0007, 0],
                _ => [0; 4],
            }
        };
        assert_eq!(ArchLbrCaps::detect(&cpuid(1 << 19, 0x1C, 0x8000_000B)), Some(ALL));
        assert_eq!(ArchLbrCaps::detect(&cpuid(!(1 << 19), 0x1C, 0x8000_000B)), None, "no flag");
        assert_eq!(ArchLbrCaps::detect(&cpuid(1 << 19, 0x1B, 0x8000_000B)), None, "no leaf");
        assert_eq!(ArchLbrCaps::detect(&cpuid(1 << 19, 0x1C, 0xC000_0000)), None, "no depth");
    }
}
