//! What the processor has, as far as it decides about the debug registers.

use crate::access::Cpuid;

/// Features of the processor that decide which bits of the debug registers exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct DebugCaps {
    /// Restricted transactional memory: the RTM bits of DR6 and DR7. CPUID 7.0 EBX\[11\].
    pub rtm: bool,
    /// Bus-lock detection: BLD of DR6. CPUID 7.0 ECX\[24\].
    pub bus_lock_detect: bool,
    /// 64-bit mode: addresses of 64 bits, breakpoints of 8 bytes. CPUID 8000_0001 EDX\[29\].
    pub long_mode: bool,
    /// Bits of a linear address: 32, or in 64-bit mode 48 or 57. CPUID 8000_0008 EAX\[15:8\].
    pub linear_address_bits: u8,
}

impl DebugCaps {
    /// A 32-bit processor without any of the later features.
    pub const IA32: Self = Self { rtm: false, bus_lock_detect: false, long_mode: false, linear_address_bits: 32 };
    /// A 64-bit processor with linear addresses of 48 bits and none of the later features.
    pub const INTEL_64: Self = Self { long_mode: true, linear_address_bits: 48, ..Self::IA32 };

    /// What CPUID says.
    ///
    /// Source: Intel SDM volume 2, "CPUID - CPU Identification"; bus-lock detection as in Linux, `cpufeatures.h`.
    #[must_use]
    pub fn detect<C: Cpuid>(cpuid: &C) -> Self {
        let bit = |register: u32, bit: u32| register >> bit & 1 != 0;
        let [_, ebx, ecx, _] = cpuid.leaf(7, 0).unwrap_or_default();
        let [_, _, _, edx] = cpuid.leaf(0x8000_0001, 0).unwrap_or_default();
        let long_mode = bit(edx, 29);
        let linear_address_bits = match cpuid.leaf(0x8000_0008, 0) {
            Some([eax, ..]) if long_mode => (eax >> 8) as u8,
            _ if long_mode => 48,
            _ => 32,
        };
        Self { rtm: bit(ebx, 11), bus_lock_detect: bit(ecx, 24), long_mode, linear_address_bits }
    }
}

#[cfg(test)]
mod tests {
    use super::DebugCaps;

    #[test]
    fn from_cpuid() {
        let dump = |leaf: u32, _: u32| match leaf {
            0 => [0x16, 0, 0, 0],
            7 => [0, 1 << 11, 1 << 24, 0],
            0x8000_0000 => [0x8000_0008, 0, 0, 0],
            0x8000_0001 => [0, 0, 0, 1 << 29],
            0x8000_0008 => [0x3927, 0, 0, 0],
            _ => [u32::MAX; 4],
        };
        let all = DebugCaps { rtm: true, bus_lock_detect: true, long_mode: true, linear_address_bits: 57 };
        assert_eq!(DebugCaps::detect(&dump), all);

        let pentium = |leaf: u32, _: u32| if leaf == 0 { [1, 0, 0, 0] } else { [0; 4] };
        assert_eq!(DebugCaps::detect(&pentium), DebugCaps::IA32);

        let early = |leaf: u32, _: u32| match leaf {
            0x8000_0000 => [0x8000_0004, 0, 0, 0],
            0x8000_0001 => [0, 0, 0, 1 << 29],
            _ => [0; 4],
        };
        assert_eq!(DebugCaps::detect(&early), DebugCaps::INTEL_64);
    }
}
