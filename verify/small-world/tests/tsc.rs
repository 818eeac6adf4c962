//! The worlds of the time-stamp counter, whole; and that the walk finds a difference that shows on one edge.

use lwp_model::retire::RegOp;
use lwp_model::tsc::{Inputs, State};
use sim_harness::lockstep::Threads;
use small_world::run::{Limits, Outcome, Plan, Verdict, run};
use small_world::tsc::{PROCESSORS, Unit, World as Small, all, find};
use small_world::{Machine, World};

fn whole(world: &Small, machine: Machine<Unit>) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let plan = Plan { limits: Limits::default(), threads: Threads::One, explore_only: false, capsules: folder.path() };
    run(world, machine, plan, &mut |_| ())
}

/// They take a tenth of a second together.
#[test]
fn every_world_is_closed_and_agrees() {
    let sizes = |world: &Small| {
        let outcome = whole(world, Machine::new(world.model()));
        assert!(matches!(outcome.verdict, Verdict::Agrees), "{}: {:?}", world.name, outcome.verdict);
        assert!(outcome.cycles >= outcome.edges as u64 && outcome.frontier == 0);
        (world.name, outcome.states, outcome.edges)
    };
    let found: Vec<_> = all().iter().map(sizes).collect();
    let wanted = [
        ("absent", 3, 16_080),
        ("without", 17, 45_560),
        ("access", 33, 88_440),
        ("boot", 188, 3_648),
        ("variable", 353, 4_164),
        ("narrow", 958, 14_280),
        ("together", 477, 5_397),
        ("count", 571, 14_084),
    ];
    assert_eq!(found, wanted);
}

/// A tick is lost in one single case: the second counter wraps while the first one is read.
fn bug(state: &State<PROCESSORS>, inputs: &mut Inputs) {
    let wraps = u64::from(state.processors[1].counter) == u64::MAX;
    if wraps && state.rate.fraction == 2 && inputs.reg.valid && inputs.reg.op == RegOp::Rdtsc && inputs.reg.lp == 7 {
        inputs.processor.crystal_tick = false;
    }
}

#[test]
fn a_difference_on_one_edge_is_found() {
    let world = find("count").unwrap();
    let outcome = whole(&world, Machine::with_bug(world.model(), bug));
    assert_eq!(outcome.frontier, 0);
    let Verdict::Disagrees(found) = outcome.verdict else { panic!("{:?}", outcome.verdict) };
    assert_eq!(found.field, "state.rate.fraction", "{}", found.text);
    // The file holds inputs, and the model that replays them is the true one.
    assert!(found.capsule.unwrap_err().contains("does not fail again"));
}
