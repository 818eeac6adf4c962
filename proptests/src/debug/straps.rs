//! The straps as factors.

use crate::straps::{self, Coverage, Factor};
use lwp_model::debug::{Config, DebugUnit};
use std::sync::LazyLock;

/// Every strap.
pub static FACTORS: LazyLock<Vec<Factor<Config>>> =
    LazyLock::new(|| straps::factors::<DebugUnit<1, 1>>(&[("string_group", &[0, 1, 2, 63])], &[]));

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
        // A fault that leaves RF alone is the Pentium's, which has neither.
        assert_eq!(missing, ["long_mode=1 with fault_rf=0", "rtm=1 with fault_rf=0"]);
    }
}
