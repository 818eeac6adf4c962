//! Tag, flush and replay: obtains the address of a load in a core that does not keep the addresses of loads.
//!
//! Source: Lightweight Profiling Proposal (2007-07-20), "Reporting the DCache miss data address".

use super::config::Config;
use super::event::MISSES;
use super::filter::passes;
use super::inputs::{Buffer, Inputs, Lane};
use super::mab;
use super::state::{CtlState, MabEntry, State, Tag};
use super::straps::{AddressPolicy, LatencySource};

/// Whether a load whose data returns in this cycle is tagged if it is eligible. `state` is the state at the beginning of the cycle.
pub(super) fn ready<const W: usize>(state: &State, inputs: &Inputs<W>, straps: &Config) -> bool {
    straps.address_policy == AddressPolicy::Replay
        && inputs.buffer.fill_valid
        && !inputs.buffer.replay_abort
        && inputs.mode.ring3()
        && state.session.active
        && state.ctl.st == CtlState::Idle
        && !state.pf.valid
        && state.live(MISSES)
        && state.events[MISSES].counter == 0
        && !state.tag.valid
        && !state.cand.valid
        && !state.queued(MISSES)
}

/// Tags the load whose data returns if it is eligible.
pub(super) fn tag<const LAT: u32>(state: &mut State, fill: &Buffer, entry: MabEntry, straps: &Config) {
    let latency = match straps.latency_source {
        LatencySource::Core => fill.fill_latency & mab::mask::<LAT>(),
        LatencySource::Buffer => entry.reported(straps),
    };
    let source = fill.fill_source & 7;
    if passes::<LAT>(latency, source, state.block.filter, straps) {
        state.tag = Tag { valid: true, source, latency, ip: fill.fill_ip };
        state.retire.flush_req = true;
    }
}

/// Returns the load port of a lane that carries the tagged load.
pub(super) fn tagged_load(lane: &Lane) -> Option<usize> {
    lane.loads.iter().position(|load| load.tagged)
}
