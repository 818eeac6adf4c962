//! Properties that hold for one run, by name.

use super::judged;
use super::reading::Reading;
use lwp_model::Unit;
use lwp_model::trace::{Config, Inputs, Outputs, TraceUnit};
use sim_harness::capsule::Verdict;
use sim_harness::rtl::BuildId;
use sim_harness::with_build;
use std::marker::PhantomData;

/// Checks a property of what model or RTL has shown: `reading` is the specification checker ([`reading`](super::reading)).
pub(super) fn judge(name: &str, build: BuildId, straps: &[u32], inputs: &[u32], rows: &[u32]) -> Verdict {
    if name != "reading" {
        return Verdict::Unknown;
    }
    let judged = with_build!(trace, build, |U| read(PhantomData::<U>, straps, inputs, rows));
    match judged.expect("a build of this unit") {
        Ok(()) => Verdict::Holds,
        Err((cycle, reason)) => Verdict::Violated(cycle, reason),
    }
}

fn read<const LANES: usize, const ENTRIES: usize>(
    _: PhantomData<TraceUnit<LANES, ENTRIES>>,
    straps: &[u32],
    inputs: &[u32],
    rows: &[u32],
) -> Result<(), (u64, String)>
where
    TraceUnit<LANES, ENTRIES>: Unit<Config = Config, Inputs = Inputs<LANES>, Outputs = Outputs>,
{
    let Ok(straps) = TraceUnit::<LANES, ENTRIES>::unpack_straps(straps) else { return Ok(()) };
    let mut reading = Reading::new(judged::straps(&straps), LANES);
    let inputs = inputs.chunks_exact(TraceUnit::<LANES, ENTRIES>::INPUT_WORDS);
    let rows = rows.chunks_exact(TraceUnit::<LANES, ENTRIES>::OUTPUT_WORDS);
    for (number, (inputs, row)) in inputs.zip(rows).enumerate() {
        let (inputs, rst_n) = TraceUnit::<LANES, ENTRIES>::unpack_inputs(inputs);
        if !rst_n {
            reading.reset();
            continue;
        }
        let out = TraceUnit::<LANES, ENTRIES>::unpack_outputs(row);
        let judged = reading.cycle(&judged::inputs(&inputs), &judged::outputs(&out));
        judged.map_err(|violation| (number as u64, violation.to_string()))?;
    }
    Ok(())
}
