//! Properties that hold for one run, by name.

use super::Build;
use super::reading::{Reading, outputs};
use super::whole::watch_rows;
use lwp_model::rdt::Outputs;
use sim_harness::capsule::Verdict;
use sim_harness::rtl::BuildId;
use sim_harness::with_build;
use std::marker::PhantomData;

/// Checks a property of what model or RTL has shown: `monitors` are the families of [`monitor`](super::monitor), `reading` is the specification
/// checker ([`reading`](super::reading)).
pub(super) fn judge(name: &str, build: BuildId, straps: &[u32], inputs: &[u32], rows: &[u32]) -> Verdict {
    let judged = match name {
        "monitors" => with_build!(rdt, build, |U| watch(PhantomData::<U>, straps, inputs, rows)),
        "reading" => with_build!(rdt, build, |U| read(PhantomData::<U>, straps, inputs, rows)),
        _ => return Verdict::Unknown,
    };
    match judged.expect("a build of this unit") {
        Ok(()) => Verdict::Holds,
        Err((cycle, reason)) => Verdict::Violated(cycle, reason),
    }
}

fn watch<U: Build<LP>, const LP: usize>(
    _: PhantomData<U>,
    straps: &[u32],
    inputs: &[u32],
    rows: &[u32],
) -> Result<(), (u64, String)> {
    let Ok(straps) = U::unpack_straps(straps) else { return Ok(()) };
    watch_rows::<U, LP>(&straps, inputs, rows).map(|_| ())
}

fn read<U: Build<LP>, const LP: usize>(
    _: PhantomData<U>,
    straps: &[u32],
    inputs: &[u32],
    rows: &[u32],
) -> Result<(), (u64, String)> {
    let Ok(straps) = U::unpack_straps(straps) else { return Ok(()) };
    let mut reading = Reading::<LP>::new(&straps);
    let rows = inputs.chunks_exact(U::INPUT_WORDS).zip(rows.chunks_exact(U::OUTPUT_WORDS));
    for (number, (inputs, row)) in rows.enumerate() {
        let (inputs, rst_n) = U::unpack_inputs(inputs);
        // The outputs of the unit during reset may have any value.
        let out = if rst_n { outputs::<U, LP>(row) } else { Ok(Outputs::default()) };
        let judged = out.and_then(|out| reading.cycle(rst_n, &inputs, &out));
        judged.map_err(|text| (number as u64, format!("cycle {number}: {text}")))?;
    }
    Ok(())
}
