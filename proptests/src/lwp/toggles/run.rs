//! The runs whose toggles are counted: the directed ones, and some of each family of random runs.

use super::waits::waited;
use crate::coverage::toggles::{ToggleRuns, Toggles};
use crate::lockstep::agree;
use crate::lwp::bench::{play, play_noise, play_sequence};
use crate::lwp::directed;
use crate::lwp::scenario::{busy, noise, scenario, sequence};
use crate::runner::draw;
use lwp_model::lwp::{Config, Lwp};
use recording::Of;
use sim_harness::rtl::{BuildId, Flavour};
use std::any::TypeId;
use std::marker::PhantomData;

/// Counts the toggles of a build in the directed runs and in some of each family from a seed on. The noise and the wait
/// for long latencies have four lanes, so they run only in the build with as many.
///
/// # Errors
///
/// Describes the run in which model and RTL differ.
pub fn drawn_and_by_hand<const W: usize, const S: usize, const LAT: u32>(
    _: PhantomData<Lwp<W, S, LAT>>,
    build: BuildId,
    runs: &ToggleRuns,
) -> Result<Toggles, String> {
    let mut toggles = Toggles::new::<Lwp<W, S, LAT>>(build);
    drawn::<W, S, LAT>(&mut toggles, build, runs)?;
    if TypeId::of::<Lwp<W, S, LAT>>() == TypeId::of::<Lwp<4, 8, 31>>() {
        for seed in runs.seed..runs.seed + runs.cases {
            let (straps, inputs) = draw(seed, &noise());
            let recording = play_noise(&straps, &inputs)?;
            add::<Lwp<4, 8, 31>>(&mut toggles, build, &straps, &recording)
                .map_err(|why| format!("noise of seed {seed}: {why}"))?;
        }
        waited(runs.wait_bits, &mut toggles)?;
    }
    Ok(toggles)
}

fn add<U: lwp_model::Unit<Config = Config>>(
    toggles: &mut Toggles,
    build: BuildId,
    straps: &Config,
    recording: &Of<U>,
) -> Result<(), String> {
    agree::<U>(build, Flavour::Fast, straps, recording)?;
    toggles.add::<U>(straps, recording);
    Ok(())
}

fn drawn<const W: usize, const S: usize, const LAT: u32>(
    toggles: &mut Toggles,
    build: BuildId,
    runs: &ToggleRuns,
) -> Result<(), String> {
    for (number, directed) in directed::all().iter().enumerate() {
        let (recording, _) = play_sequence::<W, S, LAT>(&directed.sequence);
        add::<Lwp<W, S, LAT>>(toggles, build, &directed.sequence.scenario.straps, &recording)
            .map_err(|why| format!("directed run {number}: {why}"))?;
    }
    for seed in runs.seed..runs.seed + runs.cases {
        for scenario in [draw(seed, &scenario(120)), draw(seed, &busy(80))] {
            let (recording, _) = play::<W, S, LAT>(&scenario);
            add::<Lwp<W, S, LAT>>(toggles, build, &scenario.straps, &recording)
                .map_err(|why| format!("scenario of seed {seed}: {why}"))?;
        }
        let sequence = draw(seed, &sequence(20));
        let (recording, _) = play_sequence::<W, S, LAT>(&sequence);
        add::<Lwp<W, S, LAT>>(toggles, build, &sequence.scenario.straps, &recording)
            .map_err(|why| format!("sequence of seed {seed}: {why}"))?;
    }
    Ok(())
}
