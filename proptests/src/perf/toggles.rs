//! Which bits of this unit's ports and registers have changed, both ways.

use super::Sizes;
use super::counting::counting;
use super::scenario::{Scenario, scenario};
use crate::coverage::toggles::{ToggleRuns, Toggles, Unchanging};
use crate::lockstep::{UnitCycle, agree, recorded};
use crate::runner::draw;
use lwp_model::perf::{Config, Inputs, Perf, Personality};
use lwp_model::retire::{RegOp, RegRequest};
use lwp_regs::perf::architectural::Ia32PerfCapabilities;
use sim_harness::rtl::{BuildId, Flavour};
use sim_harness::with_build;
use std::marker::PhantomData;

/// Stretches of a scenario at most.
const STRETCHES: usize = 100;

/// Returns the bits that cannot change, of this version.
pub(super) fn unchanging() -> Result<Unchanging, String> {
    let text = include_str!("../../coverage/perf/state_unreachable.toml");
    Unchanging::new("proptests/coverage/perf/state_unreachable.toml", text)
}

/// Returns every build in generated runs, and in one that writes every register with ones and zeros.
pub(super) fn toggles(runs: &ToggleRuns) -> Result<Vec<Toggles>, String> {
    let of = |build| with_build!(perf, build, |U| drawn(PhantomData::<U>, build, runs)).expect("a build of this unit");
    BuildId::of_unit("perf").map(of).collect()
}

fn drawn<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize>(
    _: PhantomData<Perf<LP, GENERAL, FIXED, LANES>>,
    build: BuildId,
    runs: &ToggleRuns,
) -> Result<Toggles, String> {
    let sizes = Sizes { general: GENERAL, fixed: FIXED };
    let mut toggles = Toggles::new::<Perf<LP, GENERAL, FIXED, LANES>>(build);
    let (any, programs) = (scenario::<LP, LANES>(sizes, STRETCHES), counting::<LP, LANES>(sizes, STRETCHES));
    let seeds = runs.seed..runs.seed + runs.cases;
    let scenarios = seeds.clone().map(|seed| (seed, draw(seed, &any)));
    let written = (sizes.general > 2).then(|| (0, writes(sizes)));
    for (seed, scenario) in scenarios.chain(written).chain(seeds.map(|seed| (seed, draw(seed, &programs)))) {
        let recording = recorded::<Perf<LP, GENERAL, FIXED, LANES>>(&scenario.straps, &scenario.cycles);
        agree::<Perf<LP, GENERAL, FIXED, LANES>>(build, Flavour::Fast, &scenario.straps, &recording)
            .map_err(|why| format!("{}, scenario of seed {seed}: {why}", build.name()))?;
        toggles.add::<Perf<LP, GENERAL, FIXED, LANES>>(&scenario.straps, &recording);
    }
    Ok(toggles)
}

/// Returns a run of version 3 with all counters, in full width. It writes ones and then zeros to each register of each counter; then lets
/// each fixed counter overflow, and clears its status.
fn writes<const LP: usize, const LANES: usize>(sizes: Sizes) -> Scenario<LP, LANES> {
    let straps = Config {
        personality: Personality::Version3,
        counters: sizes.general as u8,
        width: 48,
        fixed: sizes.fixed as u8,
        fixed_width: 48,
        any_thread: true,
        pdcm: true,
        capabilities: Ia32PerfCapabilities::from_bits(1 << 13),
        ..Config::default()
    };
    let full = (1 << 48) - 1;
    let general = (0..sizes.general as u32).flat_map(|at| [(0x186 + at, u64::from(u32::MAX)), (0x4C1 + at, full)]);
    let fixed = (0..sizes.fixed as u32).map(|at| (0x309 + at, full));
    let all_fixed = (1 << (4 * sizes.fixed)) - 1;
    let registers: Vec<(u32, u64)> = general.chain(fixed).chain([(0x38D, all_fixed)]).collect();
    let writes = (0..LP as u8).flat_map(|lp| registers.iter().map(move |&(number, ones)| (lp, number, ones)));
    let ones_and_zeros = writes.flat_map(|(lp, number, ones)| [(lp, number, ones), (lp, number, 0)]);
    let overflows = (0..LP as u8).flat_map(|lp| {
        let starts = [(lp, 0x38D, all_fixed), (lp, 0x38F, 7 << 32)];
        let one = move |at: usize| [(lp, 0x309 + at as u32, full), (lp, 0x390, 0), (lp, 0x390, 1 << (32 + at))];
        starts.into_iter().chain((0..sizes.fixed).flat_map(one))
    });
    let first = UnitCycle { reset: true, inputs: Inputs::default() };
    let written = ones_and_zeros.chain(overflows).map(|(lp, number, wdata)| {
        let reg = RegRequest { valid: true, op: RegOp::Wrmsr, lp, number, wdata };
        UnitCycle { reset: false, inputs: Inputs { reg, ..busy() } }
    });
    // The last cycle shows the last write.
    let last = UnitCycle { reset: false, inputs: Inputs::default() };
    Scenario { straps, cycles: [first].into_iter().chain(written).chain([last]).collect() }
}

/// A cycle of each clock, in which each logical processor retires an instruction.
fn busy<const LP: usize, const LANES: usize>() -> Inputs<LP, LANES> {
    let mut inputs = Inputs { core_clock: true, bus_tick: true, ..Inputs::default() };
    for lanes in &mut inputs.lanes {
        (lanes[0].valid, lanes[0].counts) = (true, true);
    }
    inputs
}
