//! What a unit's tests expect of its coverage: every bin that can be met is, none that cannot, and the book lists them.

use super::{Bin, Campaign, Claims, Layout, Totals};
use crate::unit::Checks;
use sim_harness::tier::Tier;

/// Cases after which a test looks for holes.
const PART: u64 = 250;

/// Plays so many cases on the model alone, and checks that they meet every bin but those that are claimed to be out of reach. The run
/// ends with the part in which the last bin is met; that of the tier `nightly` takes all cases, and so shows more of the claims.
///
/// # Panics
///
/// With the names of the bins, if some are not met, or are met though they are claimed to be out of reach.
pub fn met(unit: &'static dyn Checks, layout: &'static Layout, claims: &Claims, cases: u64) {
    let whole = Tier::get().pick(false, false, true);
    let (mut totals, mut first) = (Totals::new(layout), 0);
    while first < cases && (whole || !claims.holes(&totals.counts).is_empty()) {
        let part = PART.min(cases - first);
        let campaign = Campaign { unit, seed: 2007, first, cases: part, round: None, threads: 2, lockstep: false };
        let played = campaign.play(&totals, &|_, _| true);
        totals.merge(&played.unwrap_or_else(|failure| panic!("{failure:?}")).met);
        first += part;
    }
    let names = |bins: Vec<Bin>| bins.into_iter().map(|bin| layout.name(bin)).collect::<Vec<String>>();
    println!("{} bins met of {} in {first} cases, {} can be", totals.hit(), layout.total(), claims.reachable());
    let (disproved, holes) = (names(claims.disproved(&totals.counts)), names(claims.holes(&totals.counts)));
    assert!(disproved.is_empty(), "met, though listed as out of reach:\n{}", disproved.join("\n"));
    assert!(holes.is_empty(), "{} holes:\n{}", holes.len(), holes.join("\n"));
}

/// Checks that a page of the book, `text`, has a row for each cross, with its axes, bins, and how many of these are out of reach.
///
/// # Panics
///
/// With the row, if one is not there.
pub fn listed(page: &str, text: &str, layout: &Layout, claims: &Claims) {
    for (at, cross) in layout.crosses.iter().enumerate() {
        let sizes: Vec<String> = cross.axes.iter().map(|axis| format!("{} {}", axis.name, axis.values.len())).collect();
        let out = (0..cross.bins()).filter(|&index| claims.about(Bin { cross: at, index }).is_some()).count();
        let row = format!("| {} | {} | {} | {} | {out} |", cross.id, cross.title, sizes.join(" × "), cross.bins());
        assert!(text.contains(&row), "{page} lacks the row\n{row}");
    }
    let sum = format!("{} bins, {} of them out of reach", layout.total(), layout.total() - claims.reachable());
    assert!(text.contains(&sum), "{page} lacks \"{sum}\"");
}
