//! Properties that hold for one run, by name.

use super::reading::{Reading, outputs};
use lwp_model::Unit;
use lwp_model::perf::{Config, Inputs, Outputs, Perf};
use sim_harness::capsule::Verdict;
use sim_harness::rtl::BuildId;
use sim_harness::with_build;
use std::marker::PhantomData;

/// Checks a property. `reading` is the specification checker ([`reading`](super::reading)), which checks what model and RTL have shown.
pub(super) fn judge(name: &str, build: BuildId, straps: &[u32], inputs: &[u32], rows: &[u32]) -> Verdict {
    match name {
        "reading" => with_build!(perf, build, |U| judged(PhantomData::<U>, straps, inputs, rows)),
        _ => None,
    }
    .unwrap_or(Verdict::Unknown)
}

fn judged<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize>(
    _: PhantomData<Perf<LP, GENERAL, FIXED, LANES>>,
    straps: &[u32],
    inputs: &[u32],
    rows: &[u32],
) -> Verdict
where
    Perf<LP, GENERAL, FIXED, LANES>:
        Unit<Config = Config, Inputs = Inputs<LP, LANES>, Outputs = Outputs<LP, GENERAL, FIXED>>,
{
    let Ok(straps) = <Perf<LP, GENERAL, FIXED, LANES> as Unit>::unpack_straps(straps) else { return Verdict::Holds };
    let Ok(unit) = <Perf<LP, GENERAL, FIXED, LANES> as Unit>::new(straps) else { return Verdict::Holds };
    let during_reset = unit.outputs();
    let mut reading = Reading::<LP, GENERAL, FIXED, LANES>::new(&straps);
    let inputs = inputs.chunks_exact(<Perf<LP, GENERAL, FIXED, LANES> as Unit>::INPUT_WORDS);
    let rows = rows.chunks_exact(<Perf<LP, GENERAL, FIXED, LANES> as Unit>::OUTPUT_WORDS);
    for (number, (row, shown)) in inputs.zip(rows).enumerate() {
        let (inputs, rst_n) = Perf::<LP, GENERAL, FIXED, LANES>::unpack_inputs(row);
        // The outputs of the unit during reset may have any value, and are not looked at.
        let out = if rst_n { outputs::<LP, GENERAL, FIXED, LANES>(shown) } else { Ok(during_reset) };
        if let Err(text) = out.and_then(|out| reading.cycle(rst_n, &inputs, &out)) {
            return Verdict::Violated(number as u64, format!("cycle {number}: {text}"));
        }
    }
    Verdict::Holds
}
