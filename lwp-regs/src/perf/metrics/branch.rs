//! How often the program branches and how well that is predicted.

use super::Metric;
use crate::perf::p6::event::{BR_INST_DECODED, BR_INST_RETIRED, BR_MISS_PRED_RETIRED, INST_RETIRED};

/// Branches per instruction: `BR_INST_DECODED / INST_RETIRED`.
///
/// Crude: decoded branches include those of wrong paths, retired instructions do not. `BR_INST_RETIRED` would compare like
/// with like.
pub const BRANCH_RATE: Metric = Metric::ratio("branch rate", &BR_INST_DECODED, &INST_RETIRED);

/// Mispredicted branches per *instruction*: `BR_MISS_PRED_RETIRED / INST_RETIRED`.
///
/// Not the rate one expects by its name; that is [`BRANCH_MISS_RATIO`].
pub const BRANCH_MISS_RATE: Metric = Metric::ratio("branch misprediction rate", &BR_MISS_PRED_RETIRED, &INST_RETIRED);

/// Mispredicted branches per *branch*: `BR_MISS_PRED_RETIRED / BR_INST_RETIRED`.
pub const BRANCH_MISS_RATIO: Metric =
    Metric::ratio("branch misprediction ratio", &BR_MISS_PRED_RETIRED, &BR_INST_RETIRED);

#[cfg(test)]
mod tests {
    use super::super::MetricError;
    use super::*;

    const COUNTS: [(&crate::perf::p6::Event, u64); 4] =
        [(&BR_INST_DECODED, 25), (&BR_INST_RETIRED, 20), (&BR_MISS_PRED_RETIRED, 5), (&INST_RETIRED, 100)];

    // MET-18: decoded branches
    #[test]
    fn branch_rate() {
        assert_eq!(BRANCH_RATE.of(&COUNTS), Ok(0.25));
    }

    // MET-19: per instruction, not per branch
    #[test]
    fn misprediction() {
        assert_eq!(BRANCH_MISS_RATE.of(&COUNTS), Ok(0.05));
        assert_eq!(BRANCH_MISS_RATIO.of(&COUNTS), Ok(0.25));
        let nothing = BRANCH_MISS_RATE.of(&[(&BR_MISS_PRED_RETIRED, 0), (&INST_RETIRED, 0)]);
        assert_eq!(nothing, Err(MetricError::DivisionByZero("INST_RETIRED")));
    }
}
