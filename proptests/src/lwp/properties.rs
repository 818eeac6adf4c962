//! Properties that hold for one run, by name.

use crate::capsule;
use crate::lwp::bench::{Cycle, Recording};
use crate::lwp::lockstep::{Lanes, ports_and_registers, rows};
use crate::lwp::monitor::watch_cycles;
use crate::lwp::reading::Reading;
use lwp_model::lwp::Config;
use sim_harness::capsule::{Judge, Verdict};
use sim_harness::lwp::flat::{OUT_WORDS, in_words};
use sim_harness::lwp::unflat::{unpack_inputs, unpack_straps};
use sim_harness::rtl::BuildId;

/// Notes that a recording violates a property, and the cycle that shows it. A recording of a size for which this
/// program has no RTL is not noted.
pub fn note_property<const W: usize>(name: &str, straps: &Config, recording: &Recording<W>, cycle: u64, reason: &str) {
    let build = BuildId::ALL.iter().find(|build| build.parameter("RetireLanes") == Some(W as u32));
    let Some(&build) = build else { return };
    capsule::note_property::<Lanes<W>>(name, build, straps, &rows(straps, recording).inputs, (cycle, reason));
}

/// The property checker of this unit. `monitors` are the families of [`monitor`](crate::lwp::monitor); `reading` is the
/// specification checker ([`reading`](crate::lwp::reading)). Both check what model and RTL have shown.
#[derive(Clone, Copy, Debug)]
pub struct Properties;

impl Judge for Properties {
    fn judge(&self, name: &str, build: BuildId, straps: &[u32], inputs: &[u32], rows: &[u32]) -> Verdict {
        let Ok(straps) = unpack_straps(straps) else { return Verdict::Holds };
        let result = match (build.parameter("RetireLanes"), name) {
            (Some(1), _) => judge::<1>(name, build, &straps, inputs, rows),
            (Some(2), _) => judge::<2>(name, build, &straps, inputs, rows),
            (Some(4), _) => judge::<4>(name, build, &straps, inputs, rows),
            (Some(8), _) => judge::<8>(name, build, &straps, inputs, rows),
            _ => None,
        };
        match result {
            None => Verdict::Unknown,
            Some(Ok(())) => Verdict::Holds,
            Some(Err((cycle, reason))) => Verdict::Violated(cycle, reason),
        }
    }
}

fn judge<const W: usize>(
    name: &str,
    build: BuildId,
    straps: &Config,
    inputs: &[u32],
    rows: &[u32],
) -> Option<Result<(), (u64, String)>> {
    let recording = recording::<W>(inputs, rows);
    match name {
        "monitors" => Some(watch_cycles(straps, &recording)),
        "reading" => Some(read(build, straps, &recording)),
        _ => None,
    }
}

fn recording<const W: usize>(inputs: &[u32], rows: &[u32]) -> Recording<W> {
    let cycles = inputs.chunks_exact(in_words(W)).zip(rows.chunks_exact(OUT_WORDS)).map(|(inputs, row)| {
        let (inputs, rst_n) = unpack_inputs(inputs);
        let (out, state) = ports_and_registers(row);
        Cycle { inputs, rst_n, out, state }
    });
    Recording { cycles: cycles.collect() }
}

/// Checks up to the last cycle; what is still expected then may come later.
fn read<const W: usize>(build: BuildId, straps: &Config, recording: &Recording<W>) -> Result<(), (u64, String)> {
    let size = |name| build.parameter(name).unwrap_or(0);
    let mut reading = Reading::<W>::new(straps, size("EventSlots") as usize, size("LatencyBits"));
    for (number, cycle) in recording.cycles.iter().enumerate() {
        let judged = reading.cycle(cycle.rst_n, &cycle.inputs, &cycle.out);
        judged.map_err(|text| (number as u64, format!("cycle {number}: {text}")))?;
    }
    let last = (recording.cycles.len() as u64).saturating_sub(1);
    reading.finish().map(drop).map_err(|text| (last, format!("cycle {last}: {text}")))
}
