//! The worlds of the event qualification, whole; and that the walk finds a difference that shows in one case.

use lwp_model::itanium::{Inputs, State};
use sim_harness::lockstep::Threads;
use small_world::itanium::{Unit, World as Small, all, find};
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
        ("records", 152, 6_248),
        ("tags", 1_056, 66_816),
        ("ism", 888, 30_528),
        ("ism-printed", 888, 30_528),
        ("psr", 154, 19_866),
        ("psr-cleared", 157, 20_253),
        ("overflow", 573, 10_748),
        ("overflow-always", 621, 11_676),
    ];
    assert_eq!(found, wanted);
}

/// In one single case a write of PMC\[0\] is lost: in the cycle in which one counter overflows and the other one has overflowed.
fn bug(state: &State, inputs: &mut Inputs<1>) {
    let overflows = state.counter[0].count == u32::MAX && inputs.core_clock && !state.freeze.fr;
    if overflows && state.freeze.overflow == 2 && inputs.reg.wdata == 0x20 {
        inputs.reg.valid = false;
    }
}

#[test]
fn a_difference_in_one_case_is_found() {
    let world = find("overflow").unwrap();
    let outcome = whole(&world, Machine::with_bug(world.model(), bug));
    let Verdict::Disagrees(found) = outcome.verdict else { panic!("{:?}", outcome.verdict) };
    assert!(found.text.contains("reg_done"), "{}", found.text);
    // The file holds inputs, and the model that replays them is the true one.
    assert!(found.capsule.unwrap_err().contains("does not fail again"));
}
