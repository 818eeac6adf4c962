//! Nothing from outside ring 3 is ever visible. LWP-SEC-01, LWP-CNT-03, LWP-SMM-01.

use lwp_model::lwp::{Lane, Lwp, Mode};
use proptest::prelude::*;
use proptests::floor::Floors;
use proptests::lwp::bench::{BLOCKS, Cycle, Player, play};
use proptests::lwp::scenario::{Op, Scenario, lane, scenario};
use proptests::runner::{check, draw};
use std::cell::Cell;

/// The scenario with other instructions outside ring 3.
fn with_other_kernel(scenario: &Scenario, kernel: &[Lane]) -> Scenario {
    let mut ring3 = scenario.boot;
    let mut other = scenario.clone();
    let mut lanes = kernel.iter().cycle();
    for op in &mut other.ops {
        match op {
            Op::Enter(mode) => ring3 = mode.ring3(),
            Op::Retire(group) if !ring3 => group.iter_mut().for_each(|lane| *lane = *lanes.next().unwrap_or(lane)),
            Op::Partial(lane) if !ring3 => *lane = *lanes.next().unwrap_or(lane),
            _ => {}
        }
    }
    other
}

#[test]
fn the_kernel_leaves_no_trace() {
    let strategy = (scenario(150), prop::collection::vec(lane(), 1..20));
    let different = Cell::new(0);
    let cases = check("secrecy", "the_kernel_leaves_no_trace", &strategy, |(scenario, kernel)| {
        let (one, one_memory) = play::<4, 8, 31>(scenario);
        let (other, other_memory) = play::<4, 8, 31>(&with_other_kernel(scenario, kernel));
        let active = |cycle: &Cycle<4>| cycle.state.session.active && !cycle.inputs.mode.ring3();
        let mut cycles = one.cycles.iter().zip(&other.cycles);
        let counts = cycles.any(|(one, other)| active(one) && one.inputs.lanes != other.inputs.lanes);
        different.set(different.get() + u64::from(counts));
        if one_memory.words() != other_memory.words() {
            return Err("memory tells what the kernel did".into());
        }
        match one.cycles.iter().zip(&other.cycles).position(|(one, other)| one.state != other.state) {
            None => Ok(()),
            Some(cycle) => Err(format!("a register tells what the kernel did, in cycle {cycle}")),
        }
    });
    let counts = [("cases in which the kernel runs other code during a session", different.get(), 100)];
    Floors { test: "the_kernel_leaves_no_trace", cases, counts: &counts }.check();
}

/// The check above would pass if nothing were ever recorded; this one shows that it can fail.
#[test]
fn user_code_does_leave_a_trace() {
    let strategy = scenario(80);
    let mut differed = false;
    for seed in 0..20 {
        let scenario = draw(seed, &strategy);
        let mut other = scenario.clone();
        for op in &mut other.ops {
            if let Op::Retire(lanes) = op {
                lanes.clear();
            }
        }
        differed |= play::<4, 8, 31>(&scenario).1.words() != play::<4, 8, 31>(&other).1.words();
    }
    assert!(differed, "what user code does never reaches memory");
}

/// A session of the program, then a kernel that only runs its own code: no cycle asks anything of memory.
#[test]
fn the_kernel_runs_without_memory_traffic() {
    let strategy = (scenario(40), prop::collection::vec(lane(), 1..20), 0_u8..3, any::<bool>());
    let active = Cell::new(0);
    let name = "the_kernel_runs_without_memory_traffic";
    let cases = check("secrecy", name, &strategy, |(scenario, kernel, cpl, smm)| {
        let mut player = Player::<4, 8, 31>::new(&Scenario { polite: true, ..scenario.clone() });
        for op in &scenario.ops {
            player.op(op);
        }
        let mode =
            if *smm { Mode { cpl: 3, smm: true, ..Mode::default() } } else { Mode { cpl: *cpl, ..Mode::default() } };
        player.op(&Op::Enter(mode));
        player.op(&Op::Idle(80));
        let state = player.unit().state();
        active.set(active.get() + u64::from(state.session.active && counters(player.unit()) != [0; 3]));
        let before = (player.memory.words().clone(), counters(player.unit()));
        for lane in kernel {
            player.op(&Op::Retire(vec![*lane]));
            if player.unit().outputs().mem_req {
                return Err("a request to memory from outside ring 3".into());
            }
        }
        if (player.memory.words().clone(), counters(player.unit())) != before {
            return Err(format!("memory or counters changed outside ring 3 (block at {:#x})", BLOCKS[0]));
        }
        Ok(())
    });
    Floors { test: name, cases, counts: &[("cases with a session that counts", active.get(), 100)] }.check();
}

fn counters(unit: &Lwp<4, 8, 31>) -> [u32; 3] {
    unit.state().events.map(|event| event.counter)
}
