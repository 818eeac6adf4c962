//! One, two, four and eight lanes give the same records for the same program order. LWP-CNT-13, LWP-CNT-01, LWP-GAT-05.

use lwp_model::lwp::{Config, CtlOp, Entropy, Lane, StoreTiming, WriteOnFull};
use proptest::prelude::*;
use proptests::floor::Floors;
use proptests::lwp::bench::{BUFFER, Memory, Player};
use proptests::lwp::scenario::{Argument, Block, MemoryBehaviour, Op, Scenario, block, config, plain_lane};
use proptests::runner::check;
use std::cell::Cell;

/// A program on hardware that a polite core drives.
fn scenario(straps: Config, memory: MemoryBehaviour, block: &Block, seed: u64) -> Scenario {
    let straps = Config { entropy: Entropy::Lfsr, present: true, ..straps };
    Scenario { straps, seed, memory, polite: true, boot: true, blocks: [block.clone(), block.clone()], ops: Vec::new() }
}

/// The memory after the groups have retired on `W` lanes, with a pause after each, and after a last flush.
fn memory_after<const W: usize>(scenario: &Scenario, groups: &[Vec<Lane>], pause: u8) -> Memory {
    let mut player = Player::<W, 8, 31>::new(scenario);
    for group in groups {
        player.op(&Op::Retire(group.clone()));
        player.op(&Op::Idle(pause));
    }
    player.op(&Op::Idle(200));
    player.op(&Op::Control(CtlOp::Slwpcb, Argument::Zero, 0));
    player.finish().1
}

/// Compares the memories; counts the cases in which a record was stored.
fn same_on_all_widths(
    scenario: &Scenario,
    groups: &[Vec<Lane>],
    pause: u8,
    recorded: &Cell<u64>,
) -> Result<(), String> {
    let one = memory_after::<1>(scenario, groups, pause);
    recorded.set(recorded.get() + u64::from((0..0x1000).step_by(8).any(|at| one.word(BUFFER + at) != 0)));
    let others = [
        (2, memory_after::<2>(scenario, groups, pause)),
        (4, memory_after::<4>(scenario, groups, pause)),
        (8, memory_after::<8>(scenario, groups, pause)),
    ];
    match others.iter().find(|(_, memory)| memory.words() != one.words()) {
        None => Ok(()),
        Some((lanes, _)) => Err(format!("{lanes} lanes leave another memory than one")),
    }
}

fn groups() -> impl Strategy<Value = Vec<Vec<Lane>>> {
    prop::collection::vec(prop::collection::vec(plain_lane(), 1..9), 1..30)
}

/// With a synchronous store a group ends with the instruction that is recorded, so nothing depends on time: all straps, any memory,
/// no pauses.
#[test]
fn synchronous_stores() {
    let memory = (0_u8..200, 1_u8..20).prop_map(|(stall, latency)| MemoryBehaviour { stall, latency, fault: 0 });
    let strategy = (config(), memory, block(), groups(), any::<u64>());
    let recorded = Cell::new(0);
    let cases = check("lanes", "synchronous_stores", &strategy, |(straps, memory, block, groups, seed)| {
        let straps = Config { store_timing: StoreTiming::Sync, ..*straps };
        same_on_all_widths(&scenario(straps, *memory, block, *seed), groups, 0, &recorded)
    });
    let counts = [("cases with a record", recorded.get(), 500)];
    Floors { test: "synchronous_stores", cases, counts: &counts }.check();
}

/// With an asynchronous store what is gathered depends on how long a store takes; if each group finds the unit at rest, it does not.
/// A record takes longer to write than eight instructions take to retire one by one.
#[test]
fn asynchronous_stores_at_rest() {
    let memory = MemoryBehaviour { stall: 0, latency: 1, fault: 0 };
    let strategy = (config(), block(), groups());
    let recorded = Cell::new(0);
    let cases = check("lanes", "asynchronous_stores_at_rest", &strategy, |(straps, block, groups)| {
        let straps = Config {
            store_timing: StoreTiming::Async,
            write_on_full: WriteOnFull::WriteSlot,
            fault_policy: lwp_model::lwp::FaultPolicy::Trap,
            ..*straps
        };
        same_on_all_widths(&scenario(straps, memory, block, 0), groups, 120, &recorded)
    });
    let counts = [("cases with a record", recorded.get(), 500)];
    Floors { test: "asynchronous_stores_at_rest", cases, counts: &counts }.check();
}
