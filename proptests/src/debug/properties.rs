//! Properties that hold for one run, by name.

use super::reading::{Reading, outputs};
use lwp_model::Unit;
use lwp_model::debug::{Config, DebugUnit, Inputs};
use sim_harness::capsule::Verdict;
use sim_harness::rtl::BuildId;
use sim_harness::with_build;
use std::marker::PhantomData;

/// Checks a property of what model or RTL has shown: `reading` is the specification checker ([`reading`](super::reading)).
pub(super) fn judge(name: &str, build: BuildId, straps: &[u32], inputs: &[u32], rows: &[u32]) -> Verdict {
    if name != "reading" {
        return Verdict::Unknown;
    }
    let judged = with_build!(debug, build, |U| read(PhantomData::<U>, straps, inputs, rows));
    match judged.expect("a build of this unit") {
        Ok(()) => Verdict::Holds,
        Err((cycle, reason)) => Verdict::Violated(cycle, reason),
    }
}

fn read<const LANES: usize, const ACCESSES: usize>(
    _: PhantomData<DebugUnit<LANES, ACCESSES>>,
    straps: &[u32],
    inputs: &[u32],
    rows: &[u32],
) -> Result<(), (u64, String)>
where
    DebugUnit<LANES, ACCESSES>: Unit<Config = Config, Inputs = Inputs<LANES>>,
{
    let Ok(straps) = DebugUnit::<LANES, ACCESSES>::unpack_straps(straps) else { return Ok(()) };
    let mut reading = Reading::<LANES, ACCESSES>::new(&straps);
    let inputs = inputs.chunks_exact(DebugUnit::<LANES, ACCESSES>::INPUT_WORDS);
    for (number, (inputs, row)) in inputs.zip(rows.chunks_exact(DebugUnit::<LANES, ACCESSES>::OUTPUT_WORDS)).enumerate()
    {
        let (inputs, rst_n) = DebugUnit::<LANES, ACCESSES>::unpack_inputs(inputs);
        // The outputs of the unit during reset may have any value.
        let out = if rst_n { outputs::<LANES, ACCESSES>(row) } else { Ok(lwp_model::debug::Outputs::default()) };
        let judged = out.and_then(|out| reading.cycle(rst_n, &inputs, &out));
        judged.map_err(|text| (number as u64, format!("cycle {number}: {text}")))?;
    }
    Ok(())
}
