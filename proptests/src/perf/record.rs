//! The cases of this unit that are recorded.

use super::Sizes;
use super::counting::counting;
use super::scenario::{Scenario, scenario};
use super::soak::case_scenario;
use crate::lockstep::recorded;
use crate::record::{Failed, Output, Runs, run, soak};
use crate::runner::draw;
use crate::soak::Case;
use lwp_model::perf::Perf;
use sim_harness::rtl::BuildId;
use sim_harness::with_build;
use std::marker::PhantomData;

/// Counters of the builds whose cases are recorded.
const P6: Sizes = Sizes { general: 2, fixed: 0 };
const ARCHITECTURAL: Sizes = Sizes { general: 4, fixed: 3 };

/// Records the cases of the four lockstep properties with the same seeds, then those of the long run.
pub(super) fn record(to: &mut Output, runs: &Runs, done: &dyn Fn(u64)) -> Result<(), Failed> {
    for seed in runs.seed..runs.seed + runs.cases {
        let drawn = draw(seed, &scenario(P6, super::STRETCHES));
        one::<1, 2, 0, 4>(to, ("p6_counters_agree", seed), BuildId::PerfC2, &drawn)?;
        done(1);
    }
    for seed in runs.seed..runs.seed + runs.cases {
        let drawn = draw(seed, &scenario(ARCHITECTURAL, super::STRETCHES));
        one::<2, 4, 3, 2>(to, ("architectural_counters_agree", seed), BuildId::PerfC4, &drawn)?;
        done(1);
    }
    for seed in runs.seed..runs.seed + runs.cases {
        let drawn = draw(seed, &counting(P6, super::STRETCHES));
        one::<1, 2, 0, 4>(to, ("p6_programs_agree", seed), BuildId::PerfC2, &drawn)?;
        done(1);
    }
    for seed in runs.seed..runs.seed + runs.cases {
        let drawn = draw(seed, &counting(ARCHITECTURAL, super::STRETCHES));
        one::<2, 4, 3, 2>(to, ("architectural_programs_agree", seed), BuildId::PerfC4, &drawn)?;
        done(1);
    }
    soak(to, &super::Checks, runs, done, |to, case, build| {
        with_build!(perf, build, |U| soaked(PhantomData::<U>, to, case, build)).expect("a build of this unit")
    })
}

fn soaked<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize>(
    _: PhantomData<Perf<LP, GENERAL, FIXED, LANES>>,
    to: &mut Output,
    case: &Case,
    build: BuildId,
) -> Result<(), Failed> {
    let sizes = Sizes { general: GENERAL, fixed: FIXED };
    one::<LP, GENERAL, FIXED, LANES>(to, ("soak", case.number), build, &case_scenario(case, sizes))
}

fn one<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize>(
    to: &mut Output,
    name: (&str, u64),
    build: BuildId,
    scenario: &Scenario<LP, LANES>,
) -> Result<(), Failed> {
    let recording = recorded::<Perf<LP, GENERAL, FIXED, LANES>>(&scenario.straps, &scenario.cycles);
    run::<Perf<LP, GENERAL, FIXED, LANES>>(to, name, build, &scenario.straps, &recording)
}
