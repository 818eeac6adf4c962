//! The way to CPUID.

/// What CPUID returns: EAX, EBX, ECX, EDX.
pub type CpuidRegisters = [u32; 4];

/// A way to identify the processor: the instruction itself, a recorded dump, a hypervisor's table, a model.
///
/// CPUID cannot fault. What it returns for a leaf above the highest one is undefined by some processors; ask for leaf 0
/// or 8000_0000 first, as [`highest_leaf`](Cpuid::highest_leaf) does.
///
/// Any `Fn(u32, u32) -> [u32; 4]`, of leaf and subleaf, is one.
pub trait Cpuid {
    /// EAX, EBX, ECX and EDX for `leaf` (EAX) and `subleaf` (ECX).
    fn cpuid(&self, leaf: u32, subleaf: u32) -> CpuidRegisters;

    /// The vendor, twelve letters: EBX, EDX and ECX of leaf 0, for instance `GenuineIntel`.
    fn vendor(&self) -> [u8; 12] {
        let [_, ebx, ecx, edx] = self.cpuid(0, 0);
        let mut letters = [0; 12];
        for (place, register) in letters.chunks_exact_mut(4).zip([ebx, edx, ecx]) {
            place.copy_from_slice(&register.to_le_bytes());
        }
        letters
    }

    /// The highest leaf in the range of `leaf`: the standard one, or the extended one from 8000_0000.
    fn highest_leaf(&self, leaf: u32) -> u32 {
        self.cpuid(leaf & 0xFFFF_0000, 0)[0]
    }

    /// The leaf, if the processor has it.
    fn leaf(&self, leaf: u32, subleaf: u32) -> Option<CpuidRegisters> {
        (leaf <= self.highest_leaf(leaf)).then(|| self.cpuid(leaf, subleaf))
    }
}

impl<F: Fn(u32, u32) -> CpuidRegisters> Cpuid for F {
    fn cpuid(&self, leaf: u32, subleaf: u32) -> CpuidRegisters {
        self(leaf, subleaf)
    }
}

#[cfg(test)]
mod tests {
    use super::Cpuid;

    #[test]
    fn twelve_letters() {
        let intel = |_: u32, _: u32| [0x16, 0x756E_6547, 0x6C65_746E, 0x4965_6E69];
        assert_eq!(&intel.vendor(), b"GenuineIntel");
    }

    #[test]
    fn a_leaf_beyond_the_highest_is_none() {
        let dump = |leaf: u32, subleaf: u32| match leaf {
            0 => [0xA, 0, 0, 0],
            0x8000_0000 => [0x8000_0001, 0, 0, 0],
            _ => [leaf, subleaf, 0, 0],
        };
        assert_eq!(dump.leaf(0xA, 1), Some([0xA, 1, 0, 0]));
        assert_eq!(dump.leaf(0xB, 0), None);
        assert_eq!(dump.leaf(0x8000_0001, 0), Some([0x8000_0001, 0, 0, 0]));
        assert_eq!(dump.leaf(0x8000_001C, 0), None);
    }
}
