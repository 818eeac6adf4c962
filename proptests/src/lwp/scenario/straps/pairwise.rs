//! Sets of straps in which every two values of two straps meet, if they legally can.

use super::factors::FACTORS;
use crate::straps::{self, Coverage, Draw};
use lwp_model::lwp::Config;

/// Returns legal straps in which every pair that can meet does, and those pairs.
#[must_use]
pub fn pairwise() -> (Vec<Config>, Coverage) {
    straps::pairwise(&FACTORS, |config: &mut Config, draw: &mut Draw| {
        config.core_id = draw.below(256) as u8;
        config.lfsr_seed = 1 + draw.below(u32::MAX as usize) as u32;
        config.validate().is_ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::straps::{every_pair, name};

    #[test]
    fn only_what_the_book_forbids_does_not_meet() {
        let (configs, covered) = pairwise();
        assert!(configs.iter().all(|config| config.validate().is_ok()));
        let mut all = Coverage::default();
        all.extend(&every_pair(&FACTORS));
        let mut missing: Vec<String> = covered.missing(&all).map(|pair| name(&FACTORS, pair)).collect();
        missing.sort();
        assert_eq!(
            missing,
            [
                "gather_policy=0 with one_per_instr=0",
                "latency_filter=0 with level_filter=0",
                "latency_step=0 with latency_phase=1",
                "one_per_instr=0 with fault_policy=1",
                "store_timing=0 with fault_policy=1",
                "tail_reread=0 with tail_nth=1",
                "tail_reread=0 with tail_nth=2",
            ]
        );
        assert!(configs.len() < 60, "{} sets of straps", configs.len());
    }
}
