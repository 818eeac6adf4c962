//! Coverage of the event qualification: every bin that can be met is, none that cannot, and the book lists them.

use proptests::coverage::expected;
use proptests::itanium::Checks;
use proptests::itanium::coverage::{claims, layout};

#[test]
fn the_book_lists_every_cross_with_its_size() {
    let book = include_str!("../../docs/src/itanium/checks.md");
    expected::listed("docs/src/itanium/checks.md", book, layout(), &claims());
}

/// What only `make nightly` runs.
mod nightly {
    use super::{Checks, claims, expected, layout};

    /// Cases of the model alone.
    const CASES: u64 = 7000;

    #[test]
    fn every_bin_that_can_be_met_is() {
        expected::met(&Checks, layout(), &claims(), CASES);
    }
}
