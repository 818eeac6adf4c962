//! The straps as factors.

use crate::straps::{self, Coverage, Factor};
use lwp_model::tsc::{Config, Tsc};
use std::sync::LazyLock;

/// Every strap.
pub static FACTORS: LazyLock<Vec<Factor<Config>>> = LazyLock::new(|| {
    let numbers: &[(&str, &[u64])] = &[
        ("max_ratio", &[1, 2, 3, 64]),
        ("art_whole", &[0, 1, 2, 300]),
        ("art_rest", &[0, 1]),
        ("art_denominator", &[1, 2, 3, 300]),
    ];
    straps::factors::<Tsc<1>>(numbers, &[])
});

/// Straps in which every two values that hardware may have meet, and these pairs.
pub(super) static PAIRWISE: LazyLock<(Vec<Config>, Coverage)> =
    LazyLock::new(|| straps::pairwise(&FACTORS, |config: &mut Config, _| config.validate().is_ok()));

#[cfg(test)]
mod tests {
    use super::*;
    use crate::straps::{every_pair, name};

    #[test]
    fn only_what_no_hardware_may_have_does_not_meet() {
        let mut all = Coverage::default();
        all.extend(&every_pair(&FACTORS));
        let mut missing: Vec<String> = PAIRWISE.1.missing(&all).map(|pair| name(&FACTORS, pair)).collect();
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
