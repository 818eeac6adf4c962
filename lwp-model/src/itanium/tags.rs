//! Stage tags: the table of tags in flight.

use super::inputs::{Fetch, Inputs};
use super::state::{Ibr, MAX_ENTRIES, Matcher, PAIRS, Pmc13, TagEntry};
use super::{opcode, range};
use lwp_regs::itanium::{Tag, Tags};

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
    pub(super) matcher: &'a [Matcher; 2],
    pub(super) ibr: &'a [Ibr; PAIRS],
    pub(super) pmc13: &'a Pmc13,
}

impl Sources<'_> {
    /// The entry of a bundle that is fetched.
    #[inline]
    fn fetched(&self, fetch: &Fetch) -> TagEntry {
        TagEntry { range: range::tag(self.ibr, self.pmc13, fetch), pmc8: 0, pmc9: 0 }
    }
}

/// A cycle of the table: bundles that are issued, then those that are fetched. While IA-32 code runs, it stays.
#[inline]
pub(super) fn step<const BUNDLES: usize, const ENTRIES: usize>(
    table: &mut [TagEntry; MAX_ENTRIES],
    sources: &Sources<'_>,
    inputs: &Inputs<BUNDLES>,
) {
    if inputs.psr_is {
        return;
    }
    for issue in inputs.issue.iter().filter(|issue| issue.valid) {
        let entry = &mut table[entry::<ENTRIES>(issue.id)];
        (entry.pmc8, entry.pmc9) = if entry.range { opcode::matches(sources.matcher, issue) } else { (0, 0) };
    }
    for fetch in inputs.fetch.iter().filter(|fetch| fetch.valid) {
        table[entry::<ENTRIES>(fetch.id)] = sources.fetched(fetch);
    }
}
