//! The runs that are looked at: those made by hand, and some of each family that is drawn.

use super::Toggles;
use crate::lwp::bench::{Recording, play, play_noise, play_sequence};
use crate::lwp::directed;
use crate::lwp::lockstep::agree;
use crate::lwp::scenario::{busy, noise, scenario, sequence};
use crate::runner::draw;
use lwp_model::lwp::Config;
use sim_harness::rtl::BuildId;

/// The build with four lanes, in the runs made by hand and `cases` of each family from this seed on.
///
/// # Errors
///
/// The run in which model and RTL differ.
pub fn four_lanes(seed: u64, cases: u64) -> Result<Toggles, String> {
    let mut toggles = Toggles::new("w4", 4);
    drawn_and_directed::<4, 8, 31>(&mut toggles, BuildId::LwpW4, seed, cases)?;
    for seed in seed..seed + cases {
        let (straps, inputs) = draw(seed, &noise());
        let recording = play_noise(&straps, &inputs)?;
        add(&mut toggles, BuildId::LwpW4, &straps, &recording).map_err(|why| format!("noise of seed {seed}: {why}"))?;
    }
    Ok(toggles)
}

/// The build with one lane, the same. (There is no noise for it.)
///
/// # Errors
///
/// The run in which model and RTL differ.
pub fn one_lane(seed: u64, cases: u64) -> Result<Toggles, String> {
    let mut toggles = Toggles::new("w1", 1);
    drawn_and_directed::<1, 3, 10>(&mut toggles, BuildId::LwpW1, seed, cases)?;
    Ok(toggles)
}

fn add<const W: usize>(
    toggles: &mut Toggles,
    build: BuildId,
    straps: &Config,
    recording: &Recording<W>,
) -> Result<(), String> {
    agree(build, straps, recording)?;
    toggles.add(straps, recording);
    Ok(())
}

fn drawn_and_directed<const W: usize, const S: usize, const LAT: u32>(
    toggles: &mut Toggles,
    build: BuildId,
    seed: u64,
    cases: u64,
) -> Result<(), String> {
    for (number, directed) in directed::all().iter().enumerate() {
        let (recording, _) = play_sequence::<W, S, LAT>(&directed.sequence);
        add(toggles, build, &directed.sequence.scenario.straps, &recording)
            .map_err(|why| format!("directed run {number}: {why}"))?;
    }
    for seed in seed..seed + cases {
        for scenario in [draw(seed, &scenario(120)), draw(seed, &busy(80))] {
            let (recording, _) = play::<W, S, LAT>(&scenario);
            add(toggles, build, &scenario.straps, &recording)
                .map_err(|why| format!("scenario of seed {seed}: {why}"))?;
        }
        let sequence = draw(seed, &sequence(20));
        let (recording, _) = play_sequence::<W, S, LAT>(&sequence);
        add(toggles, build, &sequence.scenario.straps, &recording)
            .map_err(|why| format!("sequence of seed {seed}: {why}"))?;
    }
    Ok(())
}
