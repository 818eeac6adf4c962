//! What the tags of an instruction are: address range, opcode, data address range.

use super::{Instruction, Pmc11, Pmc13, Pmc89, Psr};

/// A tag that an instruction carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Tag {
    /// The instruction is in the range and matches.
    Hit,
    /// It is not, or does not.
    Miss,
    /// Nothing has been compared, since IA-32 code runs.
    ///
    /// Such an instruction passes as a qualifier, and is not counted as tagged. That is this project's reading: the
    /// manual says that checks are disabled for IA-32 code, and that its events have to be kept out by `ism`.
    Off,
}

impl Tag {
    /// Whether an event of the instruction passes.
    #[must_use]
    #[inline]
    pub const fn passes(self) -> bool {
        !matches!(self, Self::Miss)
    }

    /// Whether the instruction itself counts as tagged.
    #[must_use]
    #[inline]
    pub const fn is_hit(self) -> bool {
        matches!(self, Self::Hit)
    }
}

/// The tags of one instruction.
///
/// Source: Intel Itanium Processor Reference Manual for Software Development, "Combining Opcode Matching, Instruction,
/// and Data Address Range Check", Figure 6-5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Tags {
    /// `Tag(PMC[8])`: qualifies all downstream events.
    pub pmc8: Tag,
    /// `Tag(PMC[9])`: qualifies nothing but its own count.
    pub pmc9: Tag,
    /// `DBRRangeTag`: qualifies events of the memory hierarchy besides.
    pub dbr: Tag,
}

/// Where an instruction lies, as the debug registers compare it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Ranges {
    /// Its address is in the range of the IBRs.
    pub in_ibr: bool,
    /// The address that it accesses is in the range of the DBRs; `None` for an instruction that accesses no memory.
    pub in_dbr: Option<bool>,
}

/// The registers that decide about tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct TagRegisters {
    /// First opcode matcher.
    pub pmc8: Pmc89,
    /// Second opcode matcher.
    pub pmc9: Pmc89,
    /// Of it `pt`.
    pub pmc11: Pmc11,
    /// Of it `ta`.
    pub pmc13: Pmc13,
}

impl TagRegisters {
    /// The tags of an instruction that runs while the PSR is `psr`: first the address range, then, with its result, the
    /// two opcode matchers. The data address range is checked for instructions that access memory.
    #[must_use]
    #[inline]
    pub const fn tags(&self, psr: Psr, instruction: Instruction, ranges: Ranges) -> Tags {
        if psr.is() {
            return Tags { pmc8: Tag::Off, pmc9: Tag::Off, dbr: Tag::Off };
        }
        let in_range = self.pmc13.ta() || ranges.in_ibr;
        let dbr = match ranges.in_dbr {
            Some(in_dbr) => self.pmc11.pt() || in_dbr,
            None => true,
        };
        Tags {
            pmc8: Self::tag(in_range && self.pmc8.matches(instruction)),
            pmc9: Self::tag(in_range && self.pmc9.matches(instruction)),
            dbr: Self::tag(dbr),
        }
    }

    #[inline]
    const fn tag(hit: bool) -> Tag {
        if hit { Tag::Hit } else { Tag::Miss }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::itanium::SlotType;

    const LOAD: Instruction = Instruction { slot: SlotType::M, encoding: 0x123 };
    const MATCH: Pmc89 = Pmc89::for_instruction(LOAD, u64::MAX);
    const NO_MATCH: Pmc89 = Pmc89::for_instruction(Instruction { encoding: 0x124, ..LOAD }, u64::MAX);

    fn registers(pmc8: Pmc89, pmc9: Pmc89, ta: bool, pt: bool) -> TagRegisters {
        TagRegisters { pmc8, pmc9, pmc11: Pmc11::new().with_pt(pt), pmc13: Pmc13::new().with_ta(ta) }
    }

    // ITA-22, ITA-23, ITA-07: a tag is address range and opcode, for each matcher by itself
    #[test]
    fn range_and_opcode() {
        for (in_ibr, ta) in [(false, false), (false, true), (true, false), (true, true)] {
            let tags =
                |pmc8, pmc9| registers(pmc8, pmc9, ta, true).tags(Psr::new(), LOAD, Ranges { in_ibr, in_dbr: None });
            let expected = if ta || in_ibr { Tag::Hit } else { Tag::Miss };
            assert_eq!((tags(MATCH, NO_MATCH).pmc8, tags(MATCH, NO_MATCH).pmc9), (expected, Tag::Miss));
            assert_eq!((tags(NO_MATCH, MATCH).pmc8, tags(NO_MATCH, MATCH).pmc9), (Tag::Miss, expected));
        }
    }

    // ITA-31, ITA-12: pt = 1 passes all; without it the range decides, but only about memory operations
    #[test]
    fn data_range() {
        let tag = |pt, in_dbr| {
            let registers = registers(Pmc89::UNCONSTRAINED, Pmc89::UNCONSTRAINED, true, pt);
            registers.tags(Psr::new(), LOAD, Ranges { in_ibr: false, in_dbr }).dbr
        };
        assert_eq!([tag(true, Some(false)), tag(true, Some(true)), tag(true, None)], [Tag::Hit; 3]);
        assert_eq!(
            [tag(false, Some(false)), tag(false, Some(true)), tag(false, None)],
            [Tag::Miss, Tag::Hit, Tag::Hit]
        );
    }

    // ITA-29: ta = 1 tags all
    #[test]
    fn tag_all() {
        let out_of_range = Ranges::default();
        let tag = |ta| registers(MATCH, MATCH, ta, true).tags(Psr::new(), LOAD, out_of_range).pmc8;
        assert_eq!((tag(true), tag(false)), (Tag::Hit, Tag::Miss));
    }

    // ITA-05, ITA-10, ITA-21: for IA-32 code nothing is compared; no restriction, and nothing tagged
    #[test]
    fn ia_32_code_has_no_tags() {
        let ia32 = Psr::new().with_is(true);
        for ranges in [Ranges::default(), Ranges { in_ibr: true, in_dbr: Some(true) }] {
            for opcode in [MATCH, NO_MATCH] {
                let tags = registers(opcode, opcode, false, false).tags(ia32, LOAD, ranges);
                assert_eq!(tags, Tags { pmc8: Tag::Off, pmc9: Tag::Off, dbr: Tag::Off });
            }
        }
        assert!(Tag::Off.passes() && !Tag::Off.is_hit());
        assert!(Tag::Hit.passes() && Tag::Hit.is_hit());
        assert!(!Tag::Miss.passes() && !Tag::Miss.is_hit());
    }
}
