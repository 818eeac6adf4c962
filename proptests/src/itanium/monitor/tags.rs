//! Tags are made at fetch and issue, and carried; nothing else changes them.

use super::{Checked, Step, ensure};
use lwp_model::itanium::{Fetch, Issue, MAX_ENTRIES, Matcher, TagEntry};

pub(super) fn check<const BUNDLES: usize, const ENTRIES: usize>(
    step: &Step<'_, BUNDLES, ENTRIES>,
    checked: &mut Checked,
) -> Result<(), String> {
    for (e, tag) in step.next.tag.iter().enumerate() {
        let fail = |text: &str| format!("entry {e}: {text}: {tag:?}");
        // ITA-22, ITA-23: a bundle outside of the range has no tags.
        ensure!(tag.range || tag.pmc8 | tag.pmc9 == 0, "{}", fail("tags outside of the range"));
        ensure!(e < ENTRIES || *tag == TagEntry::default(), "{}", fail("an entry that does not exist"));
    }
    let inputs = step.inputs;
    for e in 0..MAX_ENTRIES.min(ENTRIES) {
        let (before, after) = (&step.now.tag[e], &step.next.tag[e]);
        let fail = |text: &str| format!("entry {e}: {text}: {before:?}, {after:?}");
        let fetch = inputs.fetch.iter().rfind(|fetch| fetch.valid && step.entry(fetch.id) == e);
        let issue = inputs.issue.iter().rfind(|issue| issue.valid && step.entry(issue.id) == e);
        match (fetch, issue) {
            // ITA-05, ITA-10, ITA-21: no tag is made of what the port shows while IA-32 code runs.
            _ if inputs.psr_is => ensure!(before == after, "{}", fail("changes in IA-32 code")),
            // ITA-02, ITA-29: inside the range, or with ta.
            (Some(fetch), _) => {
                let tag = TagEntry { range: step.now.pmc13.ta || inside(step, fetch), ..TagEntry::default() };
                ensure!(*after == tag, "{}", fail("the tag of a fetch"));
            }
            (None, Some(issue)) => {
                ensure!(after.range == before.range, "{}", fail("an issue changes the range"));
                let tags = [after.pmc8, after.pmc9];
                for (matcher, tags) in step.now.matcher.iter().zip(tags).filter(|_| before.range) {
                    slots(matcher, issue, tags).map_err(fail)?;
                }
                checked.tagged += u64::from(tags != [0, 0]);
            }
            // ITA-03: what is written behind the fetch and the issue changes no tag.
            (None, None) => ensure!(before == after, "{}", fail("changes without a fetch or an issue")),
        }
    }
    Ok(())
}

/// Whether the fetch lies in the block of an IBR pair that is a range.
fn inside<const BUNDLES: usize, const ENTRIES: usize>(step: &Step<'_, BUNDLES, ENTRIES>, fetch: &Fetch) -> bool {
    step.now.ibr.iter().any(|pair| {
        let compared = (pair.mask | 0xFF << 56) & !0xF;
        !pair.x && pair.plm >> fetch.cpl & 1 != 0 && fetch.addr & compared == pair.addr & compared
    })
}

/// Checks the tags of a bundle inside the range, without its template but for the slots that have no kind.
fn slots(matcher: &Matcher, issue: &Issue, tags: u8) -> Result<(), &'static str> {
    let reserved = matches!(issue.template_code, 0x06 | 0x07 | 0x14 | 0x15 | 0x1A | 0x1B | 0x1E | 0x1F);
    let long = matches!(issue.template_code, 0x04 | 0x05);
    let all = matcher.b && matcher.f && matcher.i && matcher.m;
    let none = !(matcher.b || matcher.f || matcher.i || matcher.m);
    for (s, slot) in [issue.slot0, issue.slot1, issue.slot2].into_iter().enumerate() {
        let tag = tags >> s & 1 != 0;
        let bits = (slot >> 27 & 0x3FFF) << 13 | slot & 0x1FFF;
        // ITA-07, ITA-30: a bit of the mask that is 1 does not matter, so all ones match everything.
        let agrees = (bits as u32 ^ matcher.match_value) & !matcher.mask & 0x7FF_FFFF == 0;
        if tag && (reserved || (long && s == 1)) {
            return Err("a tag in a slot without an instruction");
        }
        if tag && (none || !agrees) {
            return Err("a tag of an instruction that does not match");
        }
        if !tag && all && agrees && !reserved && !(long && s == 1) {
            return Err("no tag of an instruction that matches");
        }
    }
    Ok(())
}
