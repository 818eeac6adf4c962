//! Loads that missed: which filter they pass, how late they are. Read from the chapter "Count and gather", not from the model.

use super::Moment;
use crate::coverage::axis;
use lwp_model::lwp::{AddressPolicy, LatencySource, LatencyStep, Load};

axis! {
    /// What the filters make of a load.
    LoadFate "load" {
        /// It is eligible.
        Eligible = "eligible",
        /// It came back too soon.
        TooFast = "dropped by latency",
        /// Its source is not selected.
        WrongSource = "dropped by level",
        /// It is the tagged load, replayed: no further miss.
        Tagged = "tagged",
    }
}

axis! {
    /// How late a load is.
    LatencyClass "latency" {
        /// 0.
        Zero = "0",
        /// Less than a unit of the filter.
        Short = "1 to 15",
        /// More.
        Long = "16 or more",
        /// The largest that can be told.
        Saturated = "saturated",
    }
}

/// The latency that the unit takes for a load.
fn latency(moment: &Moment<'_>, load: &Load) -> u32 {
    if moment.straps.latency_source == LatencySource::Core {
        return load.latency & ((1 << moment.latency_bits) - 1);
    }
    let measured = moment.now.mab.entries[load.latency as usize & 7].latency;
    if moment.straps.latency_step == LatencyStep::Sixteen { measured & !15 } else { measured }
}

/// What the filters make of a load; `None` if it did not miss.
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

/// How late a load is that missed.
pub(crate) fn latency_class(moment: &Moment<'_>, load: &Load) -> LatencyClass {
    match latency(moment, load) {
        0 => LatencyClass::Zero,
        1..=15 => LatencyClass::Short,
        latency if latency >= (1 << moment.latency_bits) - 16 => LatencyClass::Saturated,
        _ => LatencyClass::Long,
    }
}
