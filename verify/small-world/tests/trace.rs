//! The worlds of branch records, whole; and that the walk finds a difference that shows on one edge.

use lwp_model::trace::{Inputs, State, Step};
use sim_harness::lockstep::Threads;
use small_world::run::{Limits, Outcome, Plan, Verdict, run};
use small_world::trace::{ENTRIES, LANES, Unit, World as Small, all, find};
use small_world::{Machine, World};

fn whole(world: &Small, machine: Machine<Unit>) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let plan = Plan { limits: Limits::default(), threads: Threads::One, explore_only: false, capsules: folder.path() };
    run(world, machine, plan, &mut |_| ())
}

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
        ("messages", 28, 308),
        ("debugctl", 1_139, 12_529),
        ("precise", 459, 4_131),
        ("stack", 3_665, 25_655),
        ("area", 1_396, 12_564),
    ];
    assert_eq!(found, wanted);
}

/// In one single case the fault of a record's second field is not seen.
fn bug(state: &State<ENTRIES>, inputs: &mut Inputs<LANES>) {
    let second = state.store.step == Step::Record && state.store.field == 1;
    if second && state.port.mem_wait && inputs.mem.rvalid && state.store.circular {
        inputs.mem.err = false;
    }
}

#[test]
fn a_difference_on_one_edge_is_found() {
    let world = find("area").unwrap();
    let outcome = whole(&world, Machine::with_bug(world.model(), bug));
    let Verdict::Disagrees(found) = outcome.verdict else { panic!("{:?}", outcome.verdict) };
    // The record that is not lost keeps the queue full.
    assert_eq!(found.field, "stall", "{}", found.text);
    // The file holds inputs, and the model that replays them is the true one.
    assert!(found.capsule.unwrap_err().contains("does not fail again"));
}
