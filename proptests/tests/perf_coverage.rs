//! Coverage of the performance counters: every bin that can be met is, and none that cannot.

use proptests::coverage::{Bin, Campaign, Totals};
use proptests::perf::Checks;
use proptests::perf::coverage::{claims, layout};

/// Cases of the model alone.
const CASES: u64 = 6000;

#[test]
fn every_bin_that_can_be_met_is() {
    let campaign =
        Campaign { unit: &Checks, seed: 2007, first: 0, cases: CASES, round: None, threads: 2, lockstep: false };
    let totals =
        campaign.play(&Totals::new(layout()), &|_, _| true).unwrap_or_else(|failure| panic!("{failure:?}")).met;
    let claims = claims();
    let names = |bins: Vec<Bin>| bins.into_iter().map(|bin| layout().name(bin)).collect::<Vec<String>>();
    println!("{} bins met of {}, {} can be", totals.hit(), layout().total(), claims.reachable());
    let (disproved, holes) = (names(claims.disproved(&totals.counts)), names(claims.holes(&totals.counts)));
    assert!(disproved.is_empty(), "met, though listed as out of reach:\n{}", disproved.join("\n"));
    assert!(holes.is_empty(), "{} holes:\n{}", holes.len(), holes.join("\n"));
}
