//! Count: the occurrences of each event in one lane.

use super::config::Config;
use super::event::{BRANCHES, INSTRUCTIONS, MISSES};
use super::filter::eligible;
use super::inputs::{BranchKind, LOAD_PORTS, Lane, Load};
use super::state::{Mab, NUM_EVENTS};
use lwp_regs::lwp::FilterWord;

/// Occurrences of each event in one lane.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Occurrences {
    pub(super) number: [u32; NUM_EVENTS],
    /// Whether each load of the lane is eligible.
    eligible: [bool; LOAD_PORTS],
}

impl Occurrences {
    /// Counts the occurrences in a valid lane. A partial lane has only loads.
    #[inline]
    pub(super) fn of<const LAT: u32>(
        lane: &Lane,
        partial: bool,
        mab: &Mab,
        filter: FilterWord,
        straps: &Config,
    ) -> Self {
        let mut found = Self::default();
        if !lane.counts {
            return found;
        }
        if !partial {
            found.number[INSTRUCTIONS] = 1;
            found.number[BRANCHES] = u32::from(is_branch(lane.branch_kind, filter));
        }
        for (load, eligible) in lane.loads.iter().zip(&mut found.eligible) {
            *eligible = self::eligible::<LAT>(load, mab, filter, straps);
            found.number[MISSES] += u32::from(*eligible);
        }
        found
    }

    /// Returns the load of `lane` that brings `counter` to zero, or the first eligible load if the counter is zero. With `next`, returns the
    /// eligible load after the one that brings the counter to zero.
    pub(super) fn expiring_load<'a>(&self, lane: &'a Lane, counter: u32, next: bool) -> Option<&'a Load> {
        let mut eligible = lane.loads.iter().zip(self.eligible).filter_map(|(load, eligible)| eligible.then_some(load));
        eligible.nth(if next { counter } else { counter.saturating_sub(1) } as usize)
    }
}

/// Whether `number` occurrences make an event with this counter expire. With `next`, one of them must follow the one that brings the
/// counter to zero.
pub(super) const fn expires(number: u32, counter: u32, next: bool) -> bool {
    if next { number > counter } else { number > 0 && number >= counter }
}

/// Source: Lightweight Profiling Proposal (2007-07-20), "Branches Retired" and field NDB of the control block.
fn is_branch(kind: BranchKind, filter: FilterWord) -> bool {
    match kind {
        BranchKind::None | BranchKind::System => false,
        BranchKind::Jmp => !filter.ndb(),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No filter, direct branches counted.
    const ANY: FilterWord = FilterWord::new();

    fn lane(kind: BranchKind, misses: usize) -> Lane {
        let mut lane = Lane { valid: true, counts: true, branch_kind: kind, ..Lane::default() };
        for (index, load) in lane.loads.iter_mut().take(misses).enumerate() {
            *load = Load { miss: true, addr_valid: true, tagged: false, addr: index as u64, latency: 100, source: 3 };
        }
        lane
    }

    fn number(lane: &Lane, partial: bool, filter: FilterWord) -> [u32; NUM_EVENTS] {
        Occurrences::of::<31>(lane, partial, &Mab::default(), filter, &Config::default()).number
    }

    // LWP-CNT-12: the reference case, an indirect jump through memory.
    #[test]
    fn one_instruction_may_cause_all_three_events() {
        assert_eq!(number(&lane(BranchKind::JmpInd, 1), false, ANY), [1, 1, 1]);
    }

    // LWP-BRN-02 to 04, LWP-BRN-18, LWP-BRN-19.
    #[test]
    fn branch_classes() {
        use BranchKind::*;
        for kind in [Jmp, Jcc, JmpInd, Call, CallInd, Ret, FarJmp, FarCall, FarRet] {
            assert_eq!(number(&lane(kind, 0), false, ANY), [1, 1, 0], "{kind:?}");
            assert_eq!(
                number(&lane(kind, 0), false, ANY.with_ndb(true)),
                [1, u32::from(kind != Jmp), 0],
                "{kind:?} with NDB"
            );
        }
        for kind in [None, System] {
            assert_eq!(number(&lane(kind, 0), false, ANY), [1, 0, 0], "{kind:?}");
        }
    }

    // LWP-DCM-26: one per missing load.
    #[test]
    fn a_partial_lane_brings_loads_alone() {
        assert_eq!(number(&lane(BranchKind::Jmp, 2), true, ANY), [0, 0, 2]);
    }

    #[test]
    fn what_does_not_count_brings_nothing() {
        assert_eq!(number(&Lane { counts: false, ..lane(BranchKind::Jmp, 2) }, false, ANY), [0, 0, 0]);
    }

    // LWP-LCB-41: a counter of 0 acts like 1.
    #[test]
    fn the_expiring_load_is_the_one_that_reaches_zero() {
        let lane = lane(BranchKind::None, 2);
        let found = Occurrences::of::<31>(&lane, false, &Mab::default(), ANY, &Config::default());
        let addr = |counter| found.expiring_load(&lane, counter, false).map(|load| load.addr);
        assert_eq!([addr(0), addr(1), addr(2), addr(3)], [Some(0), Some(0), Some(1), None]);
        let expires = |number, counter| super::expires(number, counter, false);
        assert!(expires(2, 0) && expires(2, 1) && expires(2, 2) && !expires(2, 3) && !expires(0, 0));
    }

    // LWP-GAT-02, LWP-ADR-03: with "next" the occurrence that brings the counter to zero is not the one.
    #[test]
    fn the_next_load_is_the_one_after_zero() {
        let lane = lane(BranchKind::None, 2);
        let found = Occurrences::of::<31>(&lane, false, &Mab::default(), ANY, &Config::default());
        let addr = |counter| found.expiring_load(&lane, counter, true).map(|load| load.addr);
        assert_eq!([addr(0), addr(1), addr(2)], [Some(0), Some(1), None]);
        let expires = |number, counter| super::expires(number, counter, true);
        assert!(expires(2, 0) && expires(2, 1) && !expires(2, 2) && !expires(0, 0) && !expires(1, 1) && expires(1, 0));
    }
}
