//! The miss address buffer.

use super::World;
use super::parts::*;
use lwp_model::lwp::{Buffer, Config, LatencyPhase, LatencySource, LatencyStep};

/// Worlds about the buffer alone.
pub(super) fn worlds() -> Vec<World> {
    vec![exact(), phased()]
}

fn events() -> Vec<Buffer> {
    let alloc = |entry| Buffer { alloc_valid: true, alloc_entry: entry, ..Buffer::default() };
    let fill = |entry| Buffer { fill_valid: true, fill_entry: entry, ..Buffer::default() };
    let both = Buffer { fill_valid: true, fill_entry: 6, ..alloc(6) };
    vec![Buffer::default(), alloc(6), fill(6), both, fill(1)]
}

/// One entry, cycle by cycle to saturation.
fn exact() -> World {
    let mut alphabet = quiet(memory(Vec::new()));
    alphabet.buffer = events();
    let straps = Config { latency_source: LatencySource::Buffer, ..Config::default() };
    let about = "an entry of the miss address buffer, every latency up to saturation";
    World { name: "buffer", about, straps, setup: Vec::new(), alphabet }
}

/// The same with a free-running phase.
fn phased() -> World {
    let straps =
        Config { latency_step: LatencyStep::Sixteen, latency_phase: LatencyPhase::FreeRunning, ..exact().straps };
    World { name: "phase", about: "the same in steps of 16 with a free-running phase", straps, ..exact() }
}
