//! The cases of this unit that are recorded.

use super::bench::{Recording, play, play_noise};
use super::scenario::{Scenario, noise, scenario};
use super::soak::case_scenario;
use crate::record::{Failed, Output, Runs, run, soak};
use crate::runner::draw;
use lwp_model::lwp::Lwp;
use sim_harness::rtl::BuildId;

/// Records the cases of `four_lanes_agree`, `one_lane_agrees` and `noise_agrees` with the same seeds, then those of the
/// long run in the two builds that the replay has.
pub(super) fn record(to: &mut Output, runs: &Runs, done: &dyn Fn(u64)) -> Result<(), Failed> {
    let seeds = || runs.seed..runs.seed + runs.cases;
    for seed in seeds() {
        whole::<4, 8, 31>(to, ("four_lanes_agree", seed), BuildId::LwpW4, &draw(seed, &scenario(120)))?;
        done(1);
    }
    for seed in seeds() {
        whole::<1, 3, 10>(to, ("one_lane_agrees", seed), BuildId::LwpW1, &draw(seed, &scenario(120)))?;
        done(1);
    }
    for seed in seeds() {
        let (straps, cycles) = draw(seed, &noise());
        let recording: Recording<4> = play_noise(&straps, &cycles).map_err(Failed::Differ)?;
        run::<Lwp<4, 8, 31>>(to, ("noise_agrees", seed), BuildId::LwpW4, &straps, &recording)?;
        done(1);
    }
    soak(to, &super::Checks, runs, done, |to, case, build| match build {
        BuildId::LwpW4 => whole::<4, 8, 31>(to, ("soak", case.number), build, &case_scenario(case)),
        BuildId::LwpW1 => whole::<1, 3, 10>(to, ("soak", case.number), build, &case_scenario(case)),
        #[allow(unreachable_patterns, reason = "with all sizes there are more")]
        _ => Ok(()),
    })
}

fn whole<const W: usize, const S: usize, const LAT: u32>(
    to: &mut Output,
    name: (&str, u64),
    build: BuildId,
    scenario: &Scenario,
) -> Result<(), Failed> {
    let (recording, _) = play::<W, S, LAT>(scenario);
    run::<Lwp<W, S, LAT>>(to, name, build, &scenario.straps, &recording)
}
