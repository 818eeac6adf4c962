//! Which bin a case tries.

use crate::coverage::{Bin, Totals};
use crate::lwp::coverage::claims;

/// Of so many cases one is not steered, so that nothing that nobody thought of is lost.
const UNSTEERED: u64 = 4;
/// Weight of a bin that was never met. One that was met n times has this shifted right by the digits of n in base 2.
const NEVER: u64 = 64;

/// Bins that are rare, with their weights.
#[derive(Clone, Debug)]
pub struct Steer {
    /// Bins and the sum of weights up to and with each.
    bins: Vec<(u64, Bin)>,
}

impl Steer {
    /// The rare bins of these counts.
    #[must_use]
    pub fn new(totals: &Totals) -> Self {
        let (layout, claims) = (totals.layout, claims());
        let mut sum = 0;
        let mut bins = Vec::new();
        for bin in layout.bins().filter(|bin| claims.about(*bin).is_none()) {
            let weight = weight(totals.counts[layout.place(bin)]);
            if weight != 0 {
                sum += weight;
                bins.push((sum, bin));
            }
        }
        Self { bins }
    }

    /// The bin that a case with this draw tries, if it is steered.
    #[must_use]
    pub fn target(&self, draw: u64) -> Option<Bin> {
        let (sum, _) = self.bins.last()?;
        if draw.is_multiple_of(UNSTEERED) {
            return None;
        }
        let place = draw / UNSTEERED % sum;
        let at = self.bins.partition_point(|(up_to, _)| *up_to <= place);
        Some(self.bins[at].1)
    }
}

/// How much a bin is wanted that was met so often.
fn weight(count: u64) -> u64 {
    NEVER >> (u64::BITS - count.leading_zeros()).min(u64::BITS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lwp::coverage::layout;

    #[test]
    fn what_is_rarer_is_wanted_more() {
        assert_eq!([0, 1, 2, 3, 4, 31, 64, u64::MAX].map(weight), [64, 32, 16, 16, 8, 2, 0, 0]);
    }

    #[test]
    fn nothing_out_of_reach_is_tried_and_the_rest_in_proportion() {
        let (layout, claims) = (layout(), claims());
        let mut totals = Totals { counts: vec![1000; layout.total()], ..Totals::new(layout) };
        let reachable: Vec<Bin> = layout.bins().filter(|bin| claims.about(*bin).is_none()).collect();
        let (never, once) = (reachable[7], reachable[70]);
        totals.counts[layout.place(never)] = 0;
        totals.counts[layout.place(once)] = 1;
        let impossible = layout.bins().find(|bin| claims.about(*bin).is_some()).expect("there are claims");
        totals.counts[layout.place(impossible)] = 0;
        let steer = Steer::new(&totals);
        let tried: Vec<Option<Bin>> = (0..4 * 96).map(|draw| steer.target(draw)).collect();
        let times = |bin| tried.iter().filter(|tried| **tried == bin).count();
        assert_eq!((times(None), times(Some(never)), times(Some(once))), (96, 3 * 64, 3 * 32));
    }

    #[test]
    fn where_all_is_met_often_nothing_is_steered() {
        let totals = Totals { counts: vec![1000; layout().total()], ..Totals::new(layout()) };
        assert_eq!((0..100).find_map(|draw| Steer::new(&totals).target(draw)), None);
    }
}
