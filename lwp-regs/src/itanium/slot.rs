//! An instruction as the opcode matchers see it.

/// The kind of execution unit that an instruction slot is for; its template says which.
///
/// Source: Intel Itanium Processor Reference Manual for Software Development, "IA-64 Opcode Match Registers
/// (PMC\[8,9\])".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum SlotType {
    /// Memory.
    M,
    /// Integer.
    I,
    /// Floating point.
    F,
    /// Branch.
    B,
}

/// An instruction of 41 bits in a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Instruction {
    /// For which kind of unit.
    pub slot: SlotType,
    /// The encoding, bits 40:0.
    pub encoding: u64,
}

impl Instruction {
    /// The 27 bits of the encoding that can be matched: bits 40:27, then bits 12:0.
    #[must_use]
    #[inline]
    pub const fn matched_bits(self) -> u32 {
        Self::matched(self.encoding)
    }

    /// The same of any encoding.
    #[inline]
    pub(super) const fn matched(encoding: u64) -> u32 {
        ((encoding >> 27 & 0x3FFF) << 13 | encoding & 0x1FFF) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_40_to_27_and_12_to_0() {
        let bits = |encoding| Instruction { slot: SlotType::M, encoding }.matched_bits();
        assert_eq!(bits(0x000_0000_1FFF), 0x000_1FFF);
        assert_eq!(bits(0x000_0000_2000), 0, "bit 13 is not compared");
        assert_eq!(bits(0x000_0400_0000), 0, "nor bit 26");
        assert_eq!(bits(0x000_0800_0000), 0x000_2000);
        assert_eq!(bits(0x100_0000_0000), 0x400_0000);
        assert_eq!(bits(u64::MAX), 0x7FF_FFFF);
    }
}
