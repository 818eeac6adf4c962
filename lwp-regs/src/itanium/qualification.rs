//! The modes of event qualification: which constraints by address and opcode are on.

use super::{Pmc11, Pmc13, Pmc89, PmcBus};

/// A mode of Table 6-3: which of the three constraints events are confined by. Filters by privilege level and
/// instruction set can be added to each.
///
/// The manual's table has seven modes. The eighth, with all three constraints, is not in it, though the figure beside
/// it allows it; it is here under a name that says so.
///
/// Source: Intel Itanium Processor Reference Manual for Software Development, "Combining Opcode Matching, Instruction,
/// and Data Address Range Check", Table 6-3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum QualificationMode {
    /// Unconstrained monitoring: all events.
    Unconstrained,
    /// Instruction address range check only.
    InstructionRange,
    /// Opcode matching only.
    Opcode(Pmc89),
    /// Data address range check only.
    DataRange,
    /// Instruction address range check and opcode matching.
    InstructionRangeAndOpcode(Pmc89),
    /// Instruction and data address range check.
    InstructionAndDataRange,
    /// Opcode matching and data address range check.
    OpcodeAndDataRange(Pmc89),
    /// All three; not in the manual's table.
    AllThreeUnlisted(Pmc89),
}

impl QualificationMode {
    /// PMC\[13\].ta: 0 for instruction address range checking.
    #[must_use]
    #[inline]
    pub const fn ta(self) -> bool {
        !matches!(
            self,
            Self::InstructionRange
                | Self::InstructionRangeAndOpcode(_)
                | Self::InstructionAndDataRange
                | Self::AllThreeUnlisted(_)
        )
    }

    /// PMC\[8\]: the desired opcodes, or all ones.
    #[must_use]
    #[inline]
    pub const fn pmc8(self) -> Pmc89 {
        match self {
            Self::Opcode(opcode)
            | Self::InstructionRangeAndOpcode(opcode)
            | Self::OpcodeAndDataRange(opcode)
            | Self::AllThreeUnlisted(opcode) => opcode,
            _ => Pmc89::UNCONSTRAINED,
        }
    }

    /// PMC\[11\].pt: 0 for data address range checking.
    #[must_use]
    #[inline]
    pub const fn pt(self) -> bool {
        !matches!(
            self,
            Self::DataRange | Self::InstructionAndDataRange | Self::OpcodeAndDataRange(_) | Self::AllThreeUnlisted(_)
        )
    }

    /// The mode that registers with this content make. Opcodes that match everything are no constraint.
    #[must_use]
    #[inline]
    pub const fn of(pmc8: Pmc89, pmc11: Pmc11, pmc13: Pmc13) -> Self {
        match (pmc13.ta(), pmc8.matches_everything(), pmc11.pt()) {
            (true, true, true) => Self::Unconstrained,
            (false, true, true) => Self::InstructionRange,
            (true, false, true) => Self::Opcode(pmc8),
            (true, true, false) => Self::DataRange,
            (false, false, true) => Self::InstructionRangeAndOpcode(pmc8),
            (false, true, false) => Self::InstructionAndDataRange,
            (true, false, false) => Self::OpcodeAndDataRange(pmc8),
            (false, false, false) => Self::AllThreeUnlisted(pmc8),
        }
    }

    /// Programs PMC\[13\].ta, PMC\[8\] and PMC\[11\].pt; the other bits of the first and the last stay. To be done
    /// while monitoring is frozen, with the ranges in IBRs and DBRs set before.
    ///
    /// # Errors
    ///
    /// The fault that an access raised; what was written before it stays.
    pub fn apply<B: PmcBus>(self, bus: &mut B) -> Result<(), B::Fault> {
        Pmc13::PMC.update(bus, |pmc13| pmc13.with_ta(self.ta()))?;
        Pmc89::PMC8.write(bus, self.pmc8())?;
        Pmc11::PMC.update(bus, |pmc11| pmc11.with_pt(self.pt()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::itanium::recorder::Recorder;

    const OPCODE: Pmc89 = Pmc89::from_bits(0x8000_4000_0000_0000);
    const ONES: u64 = 0xFFFF_FFFF_FFFF_FFFF;
    const OP: u64 = 0x8000_4000_0000_0000;

    /// Table 6-3 and the eighth mode: mode, ta, PMC[8], pt.
    const TABLE: [(QualificationMode, bool, u64, bool); 8] = [
        // ITA-32
        (QualificationMode::Unconstrained, true, ONES, true),
        // ITA-33
        (QualificationMode::InstructionRange, false, ONES, true),
        // ITA-34
        (QualificationMode::Opcode(OPCODE), true, OP, true),
        // ITA-35
        (QualificationMode::DataRange, true, ONES, false),
        // ITA-36
        (QualificationMode::InstructionRangeAndOpcode(OPCODE), false, OP, true),
        // ITA-37
        (QualificationMode::InstructionAndDataRange, false, ONES, false),
        // ITA-38
        (QualificationMode::OpcodeAndDataRange(OPCODE), true, OP, false),
        (QualificationMode::AllThreeUnlisted(OPCODE), false, OP, false),
    ];

    // ITA-32, ITA-33, ITA-34, ITA-35, ITA-36, ITA-37, ITA-38, ITA-30: the rows of the table; ITA-39: and what is not
    // in it
    #[test]
    fn presets() {
        for (mode, ta, pmc8, pt) in TABLE {
            assert_eq!((mode.ta(), mode.pmc8().into_bits(), mode.pt()), (ta, pmc8, pt), "{mode:?}");
            let decoded = QualificationMode::of(
                Pmc89::from_bits(pmc8),
                Pmc11::from_bits(if pt { 0x1000_0000 } else { 0 }),
                Pmc13::from_bits(u64::from(ta)),
            );
            assert_eq!(decoded, mode);
        }
    }

    // ITA-32, ITA-33, ITA-34, ITA-35, ITA-36, ITA-37, ITA-38: into the registers, past the bits that belong to others
    #[test]
    fn presets_in_registers() {
        for (mode, ta, pmc8, pt) in TABLE {
            let mut bus = Recorder::default();
            bus.pmc.extend([(13, 0x0003_FFFF_0000_0001), (11, 0x0200_0048)]);
            mode.apply(&mut bus).unwrap();
            let pmc13 = 0x0003_FFFF_0000_0000 | u64::from(ta);
            let pmc11 = if pt { 0x1200_0048 } else { 0x0200_0048 };
            assert_eq!((bus.pmc[&13], bus.pmc[&8], bus.pmc[&11]), (pmc13, pmc8, pmc11), "{mode:?}");
        }
    }
}
