//! Properties that hold for one run, by name.

use super::monitor::watch_cycles;
use super::reading::{Reading, outputs};
use crate::lockstep::UnitCycle;
use lwp_model::Unit;
use lwp_model::tsc::{Config, Inputs, Tsc};
use sim_harness::capsule::Verdict;
use sim_harness::rtl::BuildId;

/// Checks a property. `monitors` are the families of [`monitor`](super::monitor); `reading` is the specification
/// checker ([`reading`](super::reading)). Both check what model and RTL have shown.
pub(super) fn judge(name: &str, build: BuildId, straps: &[u32], inputs: &[u32], rows: &[u32]) -> Verdict {
    let result = match build.parameter("LogicalProcessors") {
        Some(1) => judged::<1>(name, straps, inputs, rows),
        Some(2) => judged::<2>(name, straps, inputs, rows),
        Some(4) => judged::<4>(name, straps, inputs, rows),
        Some(8) => judged::<8>(name, straps, inputs, rows),
        _ => None,
    };
    match result {
        None => Verdict::Unknown,
        Some(Ok(())) => Verdict::Holds,
        Some(Err((cycle, reason))) => Verdict::Violated(cycle, reason),
    }
}

/// A check of a run; an error is the cycle and its text.
type Judged = Result<(), (u64, String)>;

fn judged<const LP: usize>(name: &str, straps: &[u32], inputs: &[u32], rows: &[u32]) -> Option<Judged>
where
    Tsc<LP>: Unit<Config = Config, Inputs = Inputs>,
{
    let Ok(straps) = Tsc::<LP>::unpack_straps(straps) else { return Some(Ok(())) };
    let cycle = |row: &[u32]| {
        let (inputs, rst_n) = Tsc::<LP>::unpack_inputs(row);
        UnitCycle { reset: !rst_n, inputs }
    };
    let cycles: Vec<_> = inputs.chunks_exact(Tsc::<LP>::INPUT_WORDS).map(cycle).collect();
    match name {
        "monitors" => Some(watch_cycles::<Tsc<LP>>(&straps, &cycles, rows)),
        "reading" => Some(read::<LP>(&straps, &cycles, rows)),
        _ => None,
    }
}

fn read<const LP: usize>(straps: &Config, cycles: &[UnitCycle<Inputs>], rows: &[u32]) -> Judged
where
    Tsc<LP>: Unit,
{
    let mut reading = Reading::<LP>::new(straps);
    for (number, (cycle, row)) in cycles.iter().zip(rows.chunks_exact(Tsc::<LP>::OUTPUT_WORDS)).enumerate() {
        // The outputs of the unit during reset may have any value.
        let out = if cycle.reset { Ok(lwp_model::tsc::Outputs::default()) } else { outputs::<LP>(row) };
        let judged = out.and_then(|out| reading.cycle(!cycle.reset, &cycle.inputs, &out));
        judged.map_err(|text| (number as u64, format!("cycle {number}: {text}")))?;
    }
    Ok(())
}
