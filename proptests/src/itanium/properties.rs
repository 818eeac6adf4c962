//! Properties that hold for one run, by name.

use super::monitor;
use crate::lockstep::UnitCycle;
use lwp_model::Unit;
use lwp_model::itanium::Itanium;
use sim_harness::capsule::Verdict;
use sim_harness::rtl::BuildId;
use sim_harness::with_build;
use std::marker::PhantomData;

/// Checks a property of what model or RTL has shown. `monitors` are the families of [`monitor`].
pub(super) fn judge(name: &str, build: BuildId, straps: &[u32], inputs: &[u32], rows: &[u32]) -> Verdict {
    let judged = match name {
        "monitors" => with_build!(itanium, build, |U| watch(PhantomData::<U>, straps, inputs, rows)),
        _ => return Verdict::Unknown,
    };
    match judged.expect("a build of this unit") {
        Ok(()) => Verdict::Holds,
        Err((cycle, reason)) => Verdict::Violated(cycle, reason),
    }
}

fn watch<const BUNDLES: usize, const ENTRIES: usize>(
    _: PhantomData<Itanium<BUNDLES, ENTRIES>>,
    straps: &[u32],
    inputs: &[u32],
    rows: &[u32],
) -> Result<(), (u64, String)> {
    let Ok(straps) = Itanium::<BUNDLES, ENTRIES>::unpack_straps(straps) else { return Ok(()) };
    let cycle = |row: &[u32]| {
        let (inputs, rst_n) = Itanium::<BUNDLES, ENTRIES>::unpack_inputs(row);
        UnitCycle { reset: !rst_n, inputs }
    };
    let words = <Itanium<BUNDLES, ENTRIES> as Unit>::INPUT_WORDS;
    let cycles: Vec<_> = inputs.chunks_exact(words).map(cycle).collect();
    monitor::watch::<BUNDLES, ENTRIES>(&straps, &cycles, rows).map(|_| ())
}
