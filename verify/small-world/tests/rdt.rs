//! The worlds of the shared cache, whole; and that the walk finds a difference that shows in one case.

use lwp_model::rdt::Inputs;
use sim_harness::lockstep::Threads;
use small_world::rdt::{State, Unit, World as Small, all};
use small_world::run::{Limits, Outcome, Plan, Verdict, run};
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
    let expected =
        [("walks", 213, 1_065), ("association", 417, 5_421), ("unpowered", 243, 5_832), ("paced", 460, 11_040)];
    assert_eq!(found, expected);
}

/// With CDP on, a class of the upper half is taken for one of the lower half.
fn bug(state: &State, inputs: &mut Inputs<2>) {
    if state.cdp.l3 && inputs.reg.valid && inputs.reg.lp == 1 && inputs.reg.wdata == 3 << 32 | 1 {
        inputs.reg.wdata = 1 << 32 | 1;
    }
}

#[test]
fn a_difference_in_one_case_is_found() {
    let world = all().into_iter().find(|world| world.name == "association").unwrap();
    let outcome = whole(&world, Machine::with_bug(world.model(), bug));
    let Verdict::Disagrees(found) = outcome.verdict else { panic!("{:?}", outcome.verdict) };
    assert!(found.text.contains("reg_result"), "{}", found.text);
}
