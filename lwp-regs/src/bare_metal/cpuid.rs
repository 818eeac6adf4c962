//! CPUID.

use super::{BareMetal, Unprivileged};
use crate::access::{Cpuid, CpuidRegisters};
#[cfg(target_arch = "x86")]
use core::arch::x86::__cpuid_count;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::__cpuid_count;

/// Source: Intel SDM volume 2, "CPUID - CPU Identification".
impl Cpuid for Unprivileged {
    #[inline]
    fn cpuid(&self, leaf: u32, subleaf: u32) -> CpuidRegisters {
        #[allow(unused_unsafe)] // the function is safe in later versions of Rust than the oldest that this crate takes
        // SAFETY: every processor that runs this code has CPUID; it changes registers only.
        let result = unsafe { __cpuid_count(leaf, subleaf) };
        [result.eax, result.ebx, result.ecx, result.edx]
    }
}

impl Cpuid for BareMetal {
    #[inline]
    fn cpuid(&self, leaf: u32, subleaf: u32) -> CpuidRegisters {
        Unprivileged.cpuid(leaf, subleaf)
    }
}

#[cfg(test)]
mod tests {
    use super::{Cpuid, Unprivileged};

    #[test]
    fn the_registers_are_in_order() {
        let [highest, ebx, ecx, edx] = Unprivileged.cpuid(0, 0);
        assert!(highest >= 1);
        // The vendor's name is in EBX, EDX, ECX, in this order.
        let name = [ebx, edx, ecx].map(u32::to_le_bytes);
        assert!(name.as_flattened().is_ascii(), "{name:?}");
        let [_, _, _, features] = Unprivileged.leaf(1, 0).unwrap();
        assert_ne!(features & 1 << 4, 0, "every processor that runs this has a TSC");
        #[cfg(target_arch = "x86_64")]
        assert_ne!(Unprivileged.leaf(0x8000_0001, 0).unwrap()[3] & 1 << 29, 0, "and long mode");
    }
}
