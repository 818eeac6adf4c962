//! Generation of straps.

mod factors;
mod pairwise;

pub use factors::FACTORS;
pub use pairwise::pairwise;

use crate::straps::set_all;
use lwp_model::lwp::Config;
use proptest::prelude::*;

/// Generates legal straps: any combination, often with all features, and mostly with LWP present.
pub fn config() -> BoxedStrategy<Config> {
    let levels: Vec<_> = FACTORS.iter().map(|factor| 0..factor.levels).collect();
    let plain = prop::bool::weighted(0.6);
    let rest = (prop::bool::weighted(0.98), any::<u8>(), 1..=u32::MAX);
    (levels, plain, rest)
        .prop_map(|(levels, plain, (present, core_id, lfsr_seed))| {
            let mut config = Config { present, core_id, lfsr_seed, ..Config::default() };
            set_all(&FACTORS, &mut config, levels);
            if plain {
                (config.avail_ire, config.avail_bre, config.avail_dme, config.avail_int) = (true, true, true, true);
            }
            legal(config)
        })
        .boxed()
}

/// Returns the nearest legal straps: contradicting straps are changed, so that nothing that was generated is discarded.
pub(super) fn legal(mut config: Config) -> Config {
    use lwp_model::lwp::{GatherPolicy, LatencyPhase, LatencyStep, StoreTiming, TailReread};
    config.latency_filter |= !config.level_filter;
    if config.fault_policy == lwp_model::lwp::FaultPolicy::Fault {
        config.store_timing = StoreTiming::Sync;
        config.one_per_instr = true;
    }
    config.one_per_instr |= config.gather_policy == GatherPolicy::One;
    if config.latency_step == LatencyStep::One {
        config.latency_phase = LatencyPhase::Exact;
    }
    if config.tail_reread == TailReread::EachRecord {
        config.tail_nth = 1;
    }
    debug_assert_eq!(config.validate(), Ok(()));
    config
}
