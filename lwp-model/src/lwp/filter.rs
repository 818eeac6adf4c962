//! Filters: which DCache misses are eligible for counting.

use super::config::Config;
use super::inputs::Load;
use super::mab::mask;
use super::state::Mab;
use super::straps::{AddressPolicy, LatencySource};
use lwp_regs::lwp::{DataSource, FilterWord};

/// Whether a load counts as a DCache miss: it missed and passes both filters.
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "LWP Control Block", fields MinLatency to OTH.
#[inline]
pub(super) fn eligible<const LAT: u32>(load: &Load, mab: &Mab, filter: FilterWord, straps: &Config) -> bool {
    let replayed = load.tagged && straps.address_policy == AddressPolicy::Replay;
    load.miss && !replayed && passes::<LAT>(latency::<LAT>(load, mab, straps), load.source, filter, straps)
}

/// Whether a miss of this latency from this source passes both filters.
pub(super) fn passes<const LAT: u32>(latency: u32, source: u8, filter: FilterWord, straps: &Config) -> bool {
    latency_ok::<LAT>(latency, filter, straps) && level_ok(source, filter, straps)
}

/// Returns the latency of a load: the core's, or that of its entry in the miss address buffer.
pub(super) const fn latency<const LAT: u32>(load: &Load, mab: &Mab, straps: &Config) -> u32 {
    match straps.latency_source {
        LatencySource::Core => load.latency & mask::<LAT>(),
        LatencySource::Buffer => mab.entry(load.latency).reported(straps),
    }
}

fn latency_ok<const LAT: u32>(latency: u32, filter: FilterWord, straps: &Config) -> bool {
    // Both sides are in units of 16 cycles. A MinLatency above the largest latency acts as the largest latency.
    let highest = (1_u32 << (LAT - 4)) - 1;
    let wanted = u32::from(filter.min_latency()).min(highest);
    !straps.latency_filter || latency >> 4 >= wanted
}

fn level_ok(source: u8, filter: FilterWord, straps: &Config) -> bool {
    !straps.level_filter || !filter.clf() || filter.selects(DataSource::from_bits(source))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn eligible<const LAT: u32>(load: &Load, filter: FilterWord, straps: &Config) -> bool {
        super::eligible::<LAT>(load, &Mab::default(), filter, straps)
    }

    fn miss(latency: u32, source: u8) -> Load {
        Load { miss: true, addr_valid: true, tagged: false, addr: 0, latency, source }
    }

    const fn min_latency(units: u8) -> FilterWord {
        FilterWord::new().with_min_latency(units)
    }

    // LWP-LAT-10, LWP-LAT-12: >= MinLatency * 16, and 0 means no filter.
    #[test]
    fn latency_filter_is_at_least() {
        let straps = Config::default();
        assert!(eligible::<31>(&miss(160, 3), min_latency(10), &straps));
        assert!(!eligible::<31>(&miss(159, 3), min_latency(10), &straps));
        assert!(eligible::<31>(&miss(0, 3), min_latency(0), &straps));
    }

    // LWP-LAT-11: with ten bits the largest latency is 1008; MinLatency 255 acts as 63.
    #[test]
    fn min_latency_is_clamped_to_the_largest_latency() {
        let straps = Config::default();
        assert!(eligible::<10>(&miss(1008, 3), min_latency(255), &straps));
        assert!(!eligible::<10>(&miss(1007, 3), min_latency(255), &straps));
        assert!(!eligible::<31>(&miss(1008, 3), min_latency(255), &straps));
    }

    // LWP-LCB-20, LWP-LCB-21, LWP-LCB-23 to 26, LWP-LCB-45: each source has its bit; sources without a bit fail once CLF is set.
    #[test]
    fn level_filter_has_a_bit_for_each_source() {
        let straps = Config::default();
        let none = FilterWord::new().with_clf(true);
        let all = none.with_nbc(true).with_rdc(true).with_ram(true).with_oth(true);
        for (source, only, all_but) in [
            (1, none.with_nbc(true), all.with_nbc(false)),
            (2, none.with_rdc(true), all.with_rdc(false)),
            (3, none.with_ram(true), all.with_ram(false)),
            (7, none.with_oth(true), all.with_oth(false)),
        ] {
            assert!(eligible::<31>(&miss(0, source), only, &straps));
            assert!(!eligible::<31>(&miss(0, source), all_but, &straps));
            assert!(eligible::<31>(&miss(0, source), all_but.with_clf(false), &straps));
        }
        for source in [0, 4, 5, 6] {
            assert!(!eligible::<31>(&miss(0, source), all, &straps));
            assert!(eligible::<31>(&miss(0, source), all.with_clf(false), &straps));
        }
    }

    // LWP-DCM-25: both filters have to pass. LWP-CPU-22, LWP-CPU-23: a filter that does not exist is ignored.
    #[test]
    fn both_filters_have_to_pass_if_they_exist() {
        let filter = min_latency(2).with_clf(true).with_ram(true);
        let both = Config::default();
        assert!(eligible::<31>(&miss(32, 3), filter, &both));
        assert!(!eligible::<31>(&miss(31, 3), filter, &both));
        assert!(!eligible::<31>(&miss(32, 1), filter, &both));
        assert!(eligible::<31>(&miss(31, 3), filter, &Config { latency_filter: false, ..both }));
        assert!(eligible::<31>(&miss(32, 1), filter, &Config { level_filter: false, ..both }));
    }

    #[test]
    fn a_hit_is_never_eligible() {
        assert!(!eligible::<31>(&Load { miss: false, ..miss(500, 3) }, FilterWord::new(), &Config::default()));
    }
}
