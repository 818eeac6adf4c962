//! Stage tags: the table of tags in flight.

use super::inputs::Inputs;
use super::state::{Ibr, MAX_ENTRIES, PAIRS, Pmc13, TagEntry};
use super::{opcode, range};
use lwp_regs::itanium::{Pmc89, Tag, Tags};

/// The entry of a build with `ENTRIES` entries that a field `id` names.
#[inline]
pub(super) const fn entry<const ENTRIES: usize>(id: u8) -> usize {
    id as usize & (ENTRIES - 1)
}

impl TagEntry {
    /// The tags of the instruction in slot `s`, with this DBRRangeTag.
    #[inline]
    pub(super) const fn of(&self, s: u8, psr_is: bool, dbr: Tag) -> Tags {
        if psr_is {
            return Tags { pmc8: Tag::Off, pmc9: Tag::Off, dbr };
        }
        Tags { pmc8: tag(self.pmc8 >> s & 1 == 1), pmc9: tag(self.pmc9 >> s & 1 == 1), dbr }
    }
}

#[inline]
const fn tag(hit: bool) -> Tag {
    if hit { Tag::Hit } else { Tag::Miss }
}

/// What decides about tags.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sources<'a> {
    pub(super) matcher: &'a [Pmc89; 2],
    pub(super) ibr: &'a [Ibr; PAIRS],
    pub(super) pmc13: &'a Pmc13,
}

/// A cycle of the table: bundles that are issued, then those that are fetched. While IA-32 code runs, the table stays.
#[inline]
pub(super) fn step<const BUNDLES: usize, const ENTRIES: usize>(
    table: &mut [TagEntry; MAX_ENTRIES],
    sources: &Sources<'_>,
    inputs: &Inputs<BUNDLES>,
) {
    // Whether there is a bundle is hard to predict, so what is cheap has no branch.
    for issue in &inputs.issue {
        let entry = &mut table[entry::<ENTRIES>(issue.id)];
        let issued = issue.valid & !inputs.psr_is;
        (entry.pmc8, entry.pmc9) = if issued & entry.range {
            opcode::matches(sources.matcher, issue)
        } else {
            (entry.pmc8 * u8::from(!issued), entry.pmc9 * u8::from(!issued))
        };
    }
    for fetch in &inputs.fetch {
        let entry = &mut table[entry::<ENTRIES>(fetch.id)];
        let fetched = fetch.valid & !inputs.psr_is;
        let range = range::tag(sources.ibr, sources.pmc13, fetch);
        *entry = TagEntry {
            range: fetched & range | !fetched & entry.range,
            pmc8: entry.pmc8 * u8::from(!fetched),
            pmc9: entry.pmc9 * u8::from(!fetched),
        };
    }
}
