//! The worlds of the performance counters, whole.

use sim_harness::lockstep::Threads;
use small_world::perf::{World as Small, all, all_of_two};
use small_world::run::{Limits, Plan, Verdict, run};
use small_world::{Machine, World};

fn whole<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize>(
    world: &Small<LP, GENERAL, FIXED, LANES>,
) -> (&'static str, usize, usize) {
    let folder = tempfile::tempdir().unwrap();
    let plan = Plan { limits: Limits::default(), threads: Threads::One, explore_only: false, capsules: folder.path() };
    let outcome = run(world, Machine::new(world.model()), plan, &mut |_| ());
    assert!(matches!(outcome.verdict, Verdict::Agrees), "{}: {:?}", world.name, outcome.verdict);
    assert!(outcome.cycles >= outcome.edges as u64 && outcome.frontier == 0);
    (world.name, outcome.states, outcome.edges)
}

#[test]
fn every_world_is_closed_and_agrees() {
    let found: Vec<_> = all().iter().map(whole).chain(all_of_two().iter().map(whole)).collect();
    let wanted = [
        ("counter access", 4, 26_880),
        ("enable", 1016, 14_175),
        ("pin", 290, 8_870),
        ("condition", 232, 6_240),
        ("global control", 1304, 94_240),
        ("interrupt", 1638, 62_076),
        ("any thread", 3588, 113_640),
        ("fixed", 308, 11_360),
    ];
    assert_eq!(found, wanted);
}
