//! Values that the rules of counting read: the filters, and the misses that pass through them.

use super::meaning::{filter, source};
use super::moment::Moment;
use crate::lwp::registers::index_of;
use lwp_model::Choice;
use lwp_model::lwp::{LatencySource, Load};

/// Index of the events that a filter concerns: branches retired, DCache misses.
const BRANCHES: usize = 1;
const MISSES: usize = 2;
/// Cycles of a step of MinLatency.
const STEP: u32 = 16;

/// Returns the values that the rule of `field` reads beside the lanes; empty if there are none.
pub(super) fn of_count(field: &str, now: &Moment) -> String {
    let event = if field.contains("cand_") { Some(MISSES) } else { index_of(field) };
    match event {
        Some(BRANCHES) => format!("; {}", word(now)),
        Some(MISSES) => format!("; {}{}", word(now), misses(now)),
        _ => String::new(),
    }
}

/// What the filter word asks for, and what the straps take from it.
fn word(now: &Moment) -> String {
    let missing = [(now.straps.latency_filter, "latency"), (now.straps.level_filter, "level")];
    let missing: Vec<&str> = missing.into_iter().filter_map(|(has, name)| (!has).then_some(name)).collect();
    let without =
        if missing.is_empty() { String::new() } else { format!(", without the filter by {}", missing.join(" and ")) };
    let word = now.state.block.filter;
    if word.into_bits() == 0 {
        return format!("no filter is set{without}");
    }
    format!("the filter is {}{without}", filter(word))
}

/// The loads that missed, each with its latency in steps of the filter.
fn misses(now: &Moment) -> String {
    let lanes = now.inputs.lanes.iter().enumerate().filter(|(_, lane)| lane.valid);
    let loads = lanes.flat_map(|(at, lane)| lane.loads.iter().filter(|load| load.miss).map(move |load| (at, load)));
    let said: Vec<String> = loads.map(|(at, load)| format!("lane {at} {}", miss(load, now))).collect();
    if said.is_empty() { "; no load missed".to_owned() } else { format!("; missed: {}", said.join(", ")) }
}

fn miss(load: &Load, now: &Moment) -> String {
    let from = source(load.source.into());
    if now.straps.latency_source == LatencySource::Buffer {
        let entry = load.latency as usize % now.state.mab.entries.len();
        let cycles = now.state.mab.entries[entry].latency;
        return format!(
            "after {cycles} cycles in entry {entry} (in steps of {}) from {from}",
            now.straps.latency_step.name()
        );
    }
    format!("after {} cycles ({} steps of {STEP}) from {from}", load.latency, load.latency / STEP)
}
