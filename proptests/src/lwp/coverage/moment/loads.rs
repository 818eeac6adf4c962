//! Loads that missed: the filters that they pass, and their latency. Written from the chapter "Count and gather", not
//! from the model.

use super::Moment;
use crate::coverage::axis;
use lwp_model::lwp::{AddressPolicy, LatencySource, LatencyStep, Load};

axis! {
    /// The result of the filters for a load.
    LoadFate "load" {
        /// The load is eligible.
        Eligible = "eligible",
        /// Its latency is too short.
        TooFast = "dropped by latency",
        /// Its source is not selected.
        WrongSource = "dropped by level",
        /// The load is the tagged one, replayed: not another miss.
        Tagged = "tagged",
    }
}

axis! {
    /// A class of latencies.
    LatencyClass "latency" {
        /// 0.
        Zero = "0",
        /// Less than a unit of the filter.
        Short = "1 to 15",
        /// A unit of the filter or more.
        Long = "16 or more",
        /// The largest latency that can be reported.
        Saturated = "saturated",
    }
}

/// Returns the latency of a load as the unit has it.
fn latency(moment: &Moment<'_>, load: &Load) -> u32 {
    if moment.straps.latency_source == LatencySource::Core {
        return load.latency & ((1 << moment.latency_bits) - 1);
    }
    let measured = moment.now.mab.entries[load.latency as usize & 7].latency;
    if moment.straps.latency_step == LatencyStep::Sixteen { measured & !15 } else { measured }
}

/// Returns the result of the filters for a load; `None` if the load did not miss.
pub(crate) fn load_fate(moment: &Moment<'_>, load: &Load) -> Option<LoadFate> {
    let (straps, filter) = (moment.straps, moment.now.block.filter);
    if load.tagged && straps.address_policy == AddressPolicy::Replay {
        return Some(LoadFate::Tagged);
    }
    if !load.miss {
        return None;
    }
    let least = u32::from(filter.min_latency()).min((1 << (moment.latency_bits - 4)) - 1);
    if straps.latency_filter && latency(moment, load) / 16 < least {
        return Some(LoadFate::TooFast);
    }
    let selected = match load.source & 7 {
        1 => filter.nbc(),
        2 => filter.rdc(),
        3 => filter.ram(),
        7 => filter.oth(),
        _ => false,
    };
    Some(if straps.level_filter && filter.clf() && !selected { LoadFate::WrongSource } else { LoadFate::Eligible })
}

/// Returns the class of the latency of a load that missed.
pub(crate) fn latency_class(moment: &Moment<'_>, load: &Load) -> LatencyClass {
    match latency(moment, load) {
        0 => LatencyClass::Zero,
        1..=15 => LatencyClass::Short,
        latency if latency >= (1 << moment.latency_bits) - 16 => LatencyClass::Saturated,
        _ => LatencyClass::Long,
    }
}
