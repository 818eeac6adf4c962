//! The worlds of the debug unit, whole; and that the walk finds a difference that shows on one edge.

use lwp_model::debug::{Inputs, State};
use sim_harness::lockstep::Threads;
use small_world::debug::{LANES, Unit, World as Small, all, find};
use small_world::run::{Limits, Outcome, Plan, Verdict, run};
use small_world::{Machine, World};

fn whole(world: &Small, machine: Machine<Unit>) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let plan = Plan { limits: Limits::default(), threads: Threads::One, explore_only: false, capsules: folder.path() };
    run(world, machine, plan, &mut |_| ())
}

/// They take a second together.
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
        ("io", 32, 288),
        ("region", 2_097, 37_746),
        ("data", 1_737, 31_266),
        ("step", 532, 10_640),
        ("fetch", 16_453, 312_607),
        ("mov", 1_386, 634_788),
    ];
    assert_eq!(found, wanted);
}

/// In one single case an interruption does not end a fast string: a breakpoint is held, and the second iteration is done.
fn bug(state: &State, inputs: &mut Inputs<LANES>) {
    if state.flags.string_n == 1 && !state.held.off.is_empty() && inputs.int.valid && !inputs.db_ack {
        inputs.int.valid = false;
    }
}

#[test]
fn a_difference_on_one_edge_is_found() {
    let world = find("data").unwrap();
    let outcome = whole(&world, Machine::with_bug(world.model(), bug));
    assert_eq!(outcome.frontier, 0);
    let Verdict::Disagrees(found) = outcome.verdict else { panic!("{:?}", outcome.verdict) };
    assert_eq!(found.field, "hold", "{}", found.text);
    // The file holds inputs, and the model that replays them is the true one.
    assert!(found.capsule.unwrap_err().contains("does not fail again"));
}
