//! Coverage of the unit of branch records: every bin that can be met is, none that cannot, and the book lists them.

use proptests::coverage::{Bin, Campaign, Totals};
use proptests::trace::Checks;
use proptests::trace::coverage::{claims, layout};

/// What this many cases have met, model alone.
fn met(cases: u64) -> Totals {
    let campaign = Campaign { unit: &Checks, seed: 2007, first: 0, cases, round: None, threads: 2, lockstep: false };
    campaign.play(&Totals::new(layout()), &|_, _| true).unwrap_or_else(|failure| panic!("{failure:?}")).met
}

#[test]
fn every_bin_that_can_be_met_is() {
    let (totals, claims) = (met(CASES), claims());
    let names = |bins: Vec<Bin>| bins.into_iter().map(|bin| layout().name(bin)).collect::<Vec<String>>();
    println!("{} bins met of {}, {} can be", totals.hit(), layout().total(), claims.reachable());
    let (disproved, holes) = (names(claims.disproved(&totals.counts)), names(claims.holes(&totals.counts)));
    assert!(disproved.is_empty(), "met, though listed as out of reach:\n{}", disproved.join("\n"));
    assert!(holes.is_empty(), "{} holes:\n{}", holes.len(), holes.join("\n"));
}

/// Cases of the model alone.
const CASES: u64 = 6000;

#[test]
fn the_book_lists_every_cross_with_its_size() {
    let book = include_str!("../../docs/src/trace/checks.md");
    let (layout, claims) = (layout(), claims());
    for (at, cross) in layout.crosses.iter().enumerate() {
        let sizes: Vec<String> = cross.axes.iter().map(|axis| format!("{} {}", axis.name, axis.values.len())).collect();
        let out = (0..cross.bins()).filter(|&index| claims.about(Bin { cross: at, index }).is_some()).count();
        let row = format!("| {} | {} | {} | {} | {out} |", cross.id, cross.title, sizes.join(" × "), cross.bins());
        assert!(book.contains(&row), "docs/src/trace/checks.md lacks the row\n{row}");
    }
    let sum = format!("{} bins, {} of them out of reach", layout.total(), layout.total() - claims.reachable());
    assert!(book.contains(&sum), "docs/src/trace/checks.md lacks \"{sum}\"");
}
