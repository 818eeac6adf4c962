//! The bin that a case tries to meet.

use crate::coverage::{Bin, Totals};
use crate::lwp::coverage::claims;

/// One case in this many is not steered, so that situations that no bin describes are also tried.
const UNSTEERED: u64 = 4;
/// The weight of a bin that was never met. That of a bin that was met n times is this, shifted right by the number of
/// binary digits of n.
const NEVER: u64 = 64;

/// The rare bins, with their weights.
#[derive(Clone, Debug)]
pub struct Steer {
    /// The bins, each with the sum of the weights up to and including it.
    bins: Vec<(u64, Bin)>,
}

impl Steer {
    /// Returns the rare bins of these counts.
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

    /// Returns the bin that a case with this random number tries to meet, if the case is steered.
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

/// Returns the weight of a bin that was met `count` times.
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
