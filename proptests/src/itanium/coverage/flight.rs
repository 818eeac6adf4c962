//! Bundles in flight, as a core knows them: what was fetched and issued under each number.

use lwp_model::itanium::{Fetch, Inputs, Issue, MAX_ENTRIES, State};
use lwp_regs::bits::{U5, U27, U41};
use lwp_regs::itanium::{Bundle, Pmc89};

/// A bundle in flight.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct InFlight {
    /// Its fetch.
    pub(super) fetch: Option<Fetch>,
    /// Its issue, and the slots that PMC\[8\] matched in that cycle, whether in the range or not.
    pub(super) issue: Option<(Issue, u8)>,
}

/// The bundles in flight.
pub(super) type Flight = [InFlight; MAX_ENTRIES];

/// Returns the entry of a number, of so many.
pub(super) const fn entry<const ENTRIES: usize>(id: u8) -> usize {
    id as usize % ENTRIES
}

/// Follows a cycle with these registers.
pub(super) fn follow<const BUNDLES: usize, const ENTRIES: usize>(
    flight: &mut Flight,
    inputs: &Inputs<BUNDLES>,
    now: &State,
) {
    if inputs.psr_is {
        return;
    }
    for issue in inputs.issue.iter().filter(|issue| issue.valid) {
        flight[entry::<ENTRIES>(issue.id)].issue = Some((*issue, bundle(issue).matches(matcher(now, 0))));
    }
    for fetch in inputs.fetch.iter().filter(|fetch| fetch.valid) {
        flight[entry::<ENTRIES>(fetch.id)] = InFlight { fetch: Some(*fetch), issue: None };
    }
}

/// Returns the bundle that is issued.
pub(super) fn bundle(issue: &Issue) -> Bundle {
    let slots = [issue.slot0, issue.slot1, issue.slot2].map(U41::masked);
    Bundle { template: U5::masked(issue.template_code), slots }
}

/// Returns PMC\[8\] or PMC\[9\].
pub(super) fn matcher(state: &State, which: usize) -> Pmc89 {
    let matcher = &state.matcher[which];
    Pmc89::new()
        .with_mask(U27::masked(matcher.mask))
        .with_match_value(U27::masked(matcher.match_value))
        .with_b(matcher.b)
        .with_f(matcher.f)
        .with_i(matcher.i)
        .with_m(matcher.m)
}
