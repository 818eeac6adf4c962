//! The straps as factors.

use crate::straps::{self, Coverage, Factor, choice, flag, number};
use lwp_model::Choice;
use lwp_model::tsc::{Config, DeepSleep};
use lwp_regs::tsc::{TscRate, TscWrite};
use std::sync::LazyLock;

/// Every strap.
pub const FACTORS: &[Factor<Config>] = &[
    flag!(present),
    flag!(adjust),
    flag!(aux),
    choice!(rate, TscRate),
    choice!(write_width, TscWrite),
    choice!(deep_sleep, DeepSleep),
    number!(max_ratio, [1, 2, 3, 64]),
    number!(art_whole, [0, 1, 2, 300]),
    number!(art_rest, [0, 1]),
    number!(art_denominator, [1, 2, 3, 300]),
];

/// Straps in which every two values that hardware may have meet, and these pairs.
pub(super) static PAIRWISE: LazyLock<(Vec<Config>, Coverage)> =
    LazyLock::new(|| straps::pairwise(FACTORS, |config: &mut Config, _| config.validate().is_ok()));

#[cfg(test)]
mod tests {
    use super::*;
    use crate::straps::{every_pair, name};

    #[test]
    fn only_what_no_hardware_may_have_does_not_meet() {
        let mut all = Coverage::default();
        all.extend(&every_pair(FACTORS));
        let mut missing: Vec<String> = PAIRWISE.1.missing(&all).map(|pair| name(FACTORS, pair)).collect();
        missing.sort();
        assert_eq!(
            missing,
            [
                // A rest is less than the denominator, and a tick of the crystal is not worth 0.
                "art_rest=1 with art_denominator=0",
                "art_whole=0 with art_denominator=0",
                "art_whole=0 with art_rest=0",
                // A unit without the counter has none of the other registers.
                "present=0 with adjust=1",
                "present=0 with aux=1",
                // An invariant counter does not stop.
                "rate=0 with deep_sleep=1",
            ]
        );
    }
}
