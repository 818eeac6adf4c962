//! Finding configurations in which IA-32 code would corrupt the counts.

use super::{Ism, Monitor, QualificationMode};
use bitflags::bitflags;
use core::fmt;

bitflags! {
    /// Facilities that work for IA-64 code only and qualify what others count.
    ///
    /// The branch trace buffer, the third that the manual names, qualifies nothing and has no instruction set mask.
    ///
    /// Source: Intel Itanium Processor Reference Manual for Software Development, "Instruction Set Constraints".
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    pub struct Ia64OnlyFacilities: u8 {
        /// Instruction address range checking.
        const INSTRUCTION_RANGE = 1 << 0;
        /// Opcode matching.
        const OPCODE_MATCH = 1 << 1;
    }
}

set_format!(Ia64OnlyFacilities);

impl Ia64OnlyFacilities {
    /// Those that the mode uses.
    #[must_use]
    #[inline]
    pub const fn of(mode: QualificationMode) -> Self {
        let mut used = Self::empty();
        if !mode.ta() {
            used = used.union(Self::INSTRUCTION_RANGE);
        }
        if !mode.pmc8().matches_everything() {
            used = used.union(Self::OPCODE_MATCH);
        }
        used
    }
}

/// A monitor whose count IA-32 code corrupts: nothing confines it there. Not a fault; hardware takes the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct IsmWarning {
    /// Index of the monitor's PMC.
    pub index: u8,
    /// What it has in `ism`.
    pub ism: Ism,
    /// The facilities that do not confine IA-32 code.
    pub facilities: Ia64OnlyFacilities,
}

impl fmt::Display for IsmWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { index, ism, facilities } = self;
        write!(f, "PMC[{index}].ism is {ism:?}, but {facilities:?} works for IA-64 code only; set ism to Ia64Only")
    }
}

impl QualificationMode {
    /// The monitors, given with the indices of their PMCs, that count IA-32 code although this mode confines them by a
    /// facility that works for IA-64 code only. Monitors that count at no level are left out.
    ///
    /// Source: Intel Itanium Processor Reference Manual for Software Development, "Instruction Set Constraints".
    pub fn ism_warnings(self, monitors: &[(u8, Monitor)]) -> impl Iterator<Item = IsmWarning> {
        let facilities = Ia64OnlyFacilities::of(self);
        monitors
            .iter()
            .filter(move |(_, monitor)| !facilities.is_empty() && monitor.ism.counts_ia32() && !monitor.plm.is_empty())
            .map(move |(index, monitor)| IsmWarning { index: *index, ism: monitor.ism, facilities })
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::itanium::{Plm, Pmc45, Pmc89};
    use std::string::ToString;
    use std::vec::Vec;

    const OPCODE: Pmc89 = Pmc89::from_bits(0x8000_4000_0000_0000);

    /// Four monitors, one for each value of `ism`.
    fn monitors() -> [(u8, Monitor); 4] {
        [(4, Ism::Both), (5, Ism::Ia32Only), (6, Ism::Ia64Only), (7, Ism::Neither)]
            .map(|(index, ism)| (index, Pmc45::new().with_plm(Plm::USER).with_ism(ism).monitor()))
    }

    // ITA-56: warns of each monitor that includes IA-32, if and only if an IA-64-only facility confines it
    #[test]
    fn monitors_that_ia_32_code_would_corrupt() {
        let both = Ia64OnlyFacilities::INSTRUCTION_RANGE | Ia64OnlyFacilities::OPCODE_MATCH;
        let table = [
            (QualificationMode::Unconstrained, Ia64OnlyFacilities::empty()),
            (QualificationMode::DataRange, Ia64OnlyFacilities::empty()),
            (QualificationMode::InstructionRange, Ia64OnlyFacilities::INSTRUCTION_RANGE),
            (QualificationMode::Opcode(OPCODE), Ia64OnlyFacilities::OPCODE_MATCH),
            (QualificationMode::InstructionRangeAndOpcode(OPCODE), both),
        ];
        for (mode, facilities) in table {
            let monitors = monitors();
            let warnings: Vec<_> = mode.ism_warnings(&monitors).collect();
            let expected =
                [(4, Ism::Both), (5, Ism::Ia32Only)].map(|(index, ism)| IsmWarning { index, ism, facilities });
            let expected = if facilities.is_empty() { Vec::new() } else { expected.to_vec() };
            assert_eq!(warnings, expected, "{mode:?}");
        }
    }

    #[test]
    fn monitors_that_count_nothing_are_left_out() {
        let idle = [(4, Monitor::default())];
        assert_eq!(QualificationMode::InstructionRange.ism_warnings(&idle).count(), 0);
    }

    #[test]
    fn a_warning_says_what_to_do() {
        let monitors = monitors();
        let warning = QualificationMode::InstructionRange.ism_warnings(&monitors).next().unwrap();
        assert!(warning.to_string().ends_with("works for IA-64 code only; set ism to Ia64Only"));
        assert!(warning.to_string().starts_with("PMC[4].ism is Both, but"));
    }
}
