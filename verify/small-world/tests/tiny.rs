//! The smallest world, whole; and that the walk finds a difference that shows on one edge.

use lwp_model::lwp::{Inputs, State, StoreState};
use sim_harness::lockstep::Threads;
use small_world::lwp::{self, LANES, Unit};
use small_world::run::{Limits, Outcome, Plan, Verdict, run};
use small_world::{Machine, World};
use std::path::Path;

fn whole(machine: Machine<Unit>, limits: Limits, capsules: &Path) -> Outcome {
    let world = lwp::find("tiny").unwrap();
    let plan = Plan { limits, threads: Threads::One, explore_only: false, capsules };
    run(&world, machine, plan, &mut |_| ())
}

fn machine() -> Machine<Unit> {
    Machine::new(lwp::find("tiny").unwrap().model())
}

#[test]
fn the_tiny_world_is_closed_and_agrees() {
    let folder = tempfile::tempdir().unwrap();
    let outcome = whole(machine(), Limits::default(), folder.path());
    assert!(matches!(outcome.verdict, Verdict::Agrees), "{:?}", outcome.verdict);
    assert_eq!((outcome.states, outcome.edges, outcome.frontier), (630, 2584, 0));
    assert!(outcome.cycles >= outcome.edges as u64);
}

#[test]
fn a_limit_is_not_a_closed_world() {
    let folder = tempfile::tempdir().unwrap();
    for limits in [Limits { states: 629, ..Limits::default() }, Limits { edges: 2583, ..Limits::default() }] {
        let outcome = whole(machine(), limits, folder.path());
        assert!(matches!(outcome.verdict, Verdict::Open), "{:?}", outcome.verdict);
        assert!(outcome.frontier > 0);
        assert_eq!(outcome.cycles, 0, "nothing is said of a world that is not closed");
    }
}

/// A tail of 64 is taken for 0 in one single case: the head is in the last place, the tail was 64 before, and an instruction
/// retires in the cycle in which the answer comes.
fn bug(state: &State, inputs: &mut Inputs<LANES>) {
    let strikes = state.store.st == StoreState::Tail
        && inputs.mem.rvalid
        && inputs.mem.rdata >> 32 == 64
        && (state.ring.head, state.ring.tail) == (96, 64)
        && inputs.mode.cpl == 3
        && inputs.lanes[0].valid;
    if strikes {
        inputs.mem.rdata = 0;
    }
}

#[test]
fn a_difference_on_one_edge_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let outcome = whole(Machine::with_bug(lwp::find("tiny").unwrap().model(), bug), Limits::default(), folder.path());
    assert_eq!(outcome.frontier, 0);
    let Verdict::Disagrees(found) = outcome.verdict else { panic!("{:?}", outcome.verdict) };
    assert_eq!(found.field, "state.tail", "{}", found.text);
    assert!(found.steps > 60, "it is far from the root: {} steps", found.steps);
    // The file holds inputs, and the model that replays them is the true one.
    assert!(found.capsule.unwrap_err().contains("does not fail again"));
}

/// The LFSR is in no state of the graph. In a world that it steers model and RTL agree, and the graph is not believed all the same.
#[test]
fn what_the_graph_leaves_out_must_not_steer() {
    let folder = tempfile::tempdir().unwrap();
    let mut world = lwp::find("tiny").unwrap();
    assert_eq!(world.lfsr_matters(), None);
    world.alphabet.memory.blocks[0].words[0][0] |= 1 << 60;
    assert!(world.lfsr_matters().is_some());
    let plan = Plan { limits: Limits::default(), threads: Threads::One, explore_only: false, capsules: folder.path() };
    let outcome = run(&world, Machine::new(world.model()), plan, &mut |_| ());
    assert!(matches!(outcome.verdict, Verdict::Drift(_)), "{:?}", outcome.verdict);
}
