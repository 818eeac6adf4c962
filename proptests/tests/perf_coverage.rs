//! Coverage of the performance counters: every bin that can be met is, and none that cannot.

use proptests::coverage::expected;
use proptests::perf::Checks;
use proptests::perf::coverage::{claims, layout};

/// Cases of the model alone.
const CASES: u64 = 6000;

#[test]
fn every_bin_that_can_be_met_is() {
    expected::met(&Checks, layout(), &claims(), CASES);
}
