//! Whether an event is counted.

use super::{Monitor, MonitorLevel, Pmc0, Psr, Tags};

/// How an event takes part in qualification by tags.
///
/// Source: Intel Itanium Processor Reference Manual for Software Development, "Combining Opcode Matching, Instruction,
/// and Data Address Range Check", Figure 6-5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum EventClass {
    /// An event of the pipeline, downstream of the matchers: qualified by `Tag(PMC[8])`.
    Pipeline,
    /// An event of the memory hierarchy (L1 and L2 data cache, data TLB): by `Tag(PMC[8])` and `DBRRangeTag`.
    Memory,
    /// IA64_TAGGED_INSTRS_RETIRED for PMC\[8\]: an instruction with `Tag(PMC[8])`.
    TaggedByPmc8,
    /// IA64_TAGGED_INSTRS_RETIRED for PMC\[9\]: an instruction with `Tag(PMC[9])`.
    TaggedByPmc9,
    /// An event that belongs to no instruction, or to one of IA-32 code: by no tag.
    Untagged,
}

impl Tags {
    /// Whether an event of this class passes the tags of its instruction.
    #[must_use]
    #[inline]
    pub const fn qualify(self, class: EventClass) -> bool {
        match class {
            EventClass::Pipeline => self.pmc8.passes(),
            EventClass::Memory => self.pmc8.passes() && self.dbr.passes(),
            EventClass::TaggedByPmc8 => self.pmc8.is_hit(),
            EventClass::TaggedByPmc9 => self.pmc9.is_hit(),
            EventClass::Untagged => true,
        }
    }
}

impl Monitor {
    /// Whether the monitor is on: not frozen, enabled by its bit of the PSR, at a level and in an instruction set that
    /// it counts.
    ///
    /// Source: Intel Itanium Architecture Software Developer's Manual, volume 2, "Performance Monitoring"; Intel
    /// Itanium Processor Reference Manual for Software Development, Figure 6-4 (event qualification).
    #[must_use]
    #[inline]
    pub const fn enabled(self, pmc0: Pmc0, psr: Psr) -> bool {
        let by_psr = match self.pm {
            MonitorLevel::User => psr.up(),
            MonitorLevel::System => psr.pp(),
        };
        !pmc0.fr() && by_psr && self.plm.allows(psr.cpl().get()) && self.ism.allows(psr.is())
    }

    /// Whether an event is counted that has happened and has passed its unit mask: the monitor is on and the tags of
    /// the instruction let the event pass.
    #[must_use]
    #[inline]
    pub const fn counts(self, pmc0: Pmc0, psr: Psr, class: EventClass, tags: Tags) -> bool {
        self.enabled(pmc0, psr) && tags.qualify(class)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::U2;
    use crate::itanium::{Ism, Plm, Tag};

    const USER: Monitor = Monitor { plm: Plm::USER, pm: MonitorLevel::User, ism: Ism::Both };
    const SYSTEM: Monitor = Monitor { pm: MonitorLevel::System, ..USER };
    const HIT: Tags = Tags { pmc8: Tag::Hit, pmc9: Tag::Hit, dbr: Tag::Hit };

    fn tag(hit: bool) -> Tag {
        if hit { Tag::Hit } else { Tag::Miss }
    }

    // ITA-01, ITA-26: a memory event counts in one of the 2^5 cases, that in which everything is true. The
    // event itself happens in all of them; address range and opcode are one tag, of which tags.rs has the truth table
    #[test]
    fn all_qualifiers_together() {
        let ia64 = Monitor { ism: Ism::Ia64Only, ..USER };
        for case in 0..32u32 {
            let [tagged, in_dbr, level, set, thawed] = core::array::from_fn(|i| case >> i & 1 == 1);
            let psr =
                Psr::new().with_up(true).with_cpl(if level { U2::of::<3>() } else { U2::of::<0>() }).with_is(!set);
            let tags = Tags { pmc8: tag(tagged), pmc9: Tag::Miss, dbr: tag(in_dbr) };
            let counted = ia64.counts(Pmc0::new().with_fr(!thawed), psr, EventClass::Memory, tags);
            assert_eq!(counted, case == 31, "{case:05b}");
        }
    }

    // ITA-46, ITA-47: up for user-level monitors, pp for system-level ones, and not the other
    #[test]
    fn each_kind_of_monitor_has_its_bit() {
        for (up, pp) in [(false, false), (false, true), (true, false), (true, true)] {
            let psr = Psr::new().with_cpl(U2::of::<3>()).with_up(up).with_pp(pp);
            assert_eq!(USER.enabled(Pmc0::RUNNING, psr), up);
            assert_eq!(SYSTEM.enabled(Pmc0::RUNNING, psr), pp);
        }
    }

    // ITA-44: plm[PSR.cpl], for all masks and levels
    #[test]
    fn privilege_levels() {
        for mask in 0..16u8 {
            for cpl in 0..4 {
                let monitor = Monitor { plm: Plm::from_bits_retain(mask), ..USER };
                let psr = Psr::new().with_up(true).with_cpl(U2::masked(cpl));
                assert_eq!(monitor.enabled(Pmc0::RUNNING, psr), mask & 1 << cpl != 0);
            }
        }
    }

    // ITA-16: what IA-64 only and IA-32 only count is together what both count
    #[test]
    fn instruction_sets() {
        for is in [false, true] {
            let psr = Psr::new().with_up(true).with_cpl(U2::of::<3>()).with_is(is);
            let enabled = |ism| Monitor { ism, ..USER }.enabled(Pmc0::RUNNING, psr);
            assert!(enabled(Ism::Both) && !enabled(Ism::Neither));
            assert_eq!((enabled(Ism::Ia64Only), enabled(Ism::Ia32Only)), (!is, is));
        }
    }

    // ITA-18: frozen, nothing counts; overflow bits alone stop nothing
    #[test]
    fn frozen() {
        let psr = Psr::new().with_up(true).with_pp(true).with_cpl(U2::of::<3>());
        for monitor in [USER, SYSTEM] {
            assert!(!monitor.enabled(Pmc0::FROZEN, psr));
            assert!(monitor.enabled(Pmc0::from_bits(0xF0), psr));
        }
    }

    // ITA-24, ITA-25: Tag(PMC[9]) decides about its own count and nothing else
    #[test]
    fn the_second_matcher_qualifies_only_itself() {
        for class in [EventClass::Pipeline, EventClass::Memory, EventClass::TaggedByPmc8] {
            assert!(Tags { pmc9: Tag::Miss, ..HIT }.qualify(class));
            assert!(!Tags { pmc8: Tag::Miss, ..HIT }.qualify(class));
        }
        assert!(!Tags { pmc9: Tag::Miss, ..HIT }.qualify(EventClass::TaggedByPmc9));
        assert!(Tags { pmc8: Tag::Miss, ..HIT }.qualify(EventClass::TaggedByPmc9));
    }

    #[test]
    fn what_has_no_tags_passes() {
        let miss = Tags { pmc8: Tag::Miss, pmc9: Tag::Miss, dbr: Tag::Miss };
        assert!(miss.qualify(EventClass::Untagged) && !miss.qualify(EventClass::Pipeline));
    }

    // ITA-12, ITA-26: the data range is for memory events
    #[test]
    fn the_data_range_qualifies_memory_events() {
        let outside = Tags { dbr: Tag::Miss, ..HIT };
        assert!(outside.qualify(EventClass::Pipeline) && !outside.qualify(EventClass::Memory));
    }
}
