//! Threads, guests and SMM take turns on one unit; each gets what it would have got alone. LWP-OVR-04, LWP-CTX-06, LWP-CTX-07,
//! LWP-CTX-10, LWP-SVM-01, LWP-SMM-02, LWP-SEC-02, LWP-SEC-04.

use lwp_model::lwp::{Config, CtlOp, Entropy, GatherSelect, Lane};
use proptest::prelude::*;
use proptests::floor::Floors;
use proptests::lwp::bench::{BLOCKS, BUFFER, Memory, Player};
use proptests::lwp::scenario::{Argument, Block, MemoryBehaviour, Op, Scenario, TailMove, block, config, plain_lane};
use proptests::runner::check;
use std::cell::Cell;

/// The ring of the second thread.
const SECOND_BUFFER: u64 = BUFFER + 0x8000;
/// Bytes of a block with eight slots, and of the largest ring drawn here.
const BLOCK_BYTES: u64 = 104;
const RING_BYTES: u64 = 320;

/// What happens between two switches.
#[derive(Clone, Debug)]
struct Turn {
    groups: Vec<Vec<Lane>>,
    drain: bool,
    /// SMM comes in between, with loss of power or without.
    smm: Option<bool>,
}

fn turn() -> impl Strategy<Value = Turn> {
    let groups = prop::collection::vec(prop::collection::vec(plain_lane(), 1..4), 0..6);
    (groups, any::<bool>(), prop::option::weighted(0.3, any::<bool>())).prop_map(|(groups, drain, smm)| Turn {
        groups,
        drain,
        smm,
    })
}

/// Straps whose choices depend neither on the LFSR, which belongs to the core (random low bits are off in the blocks too), nor on how
/// old the cached tail is: a restored session reads it anew, so with every n-th reading it may see a drain earlier than alone.
fn repeatable(straps: Config) -> Config {
    let gather_select = match straps.gather_select {
        GatherSelect::Random => GatherSelect::Rotating,
        other => other,
    };
    Config { gather_select, entropy: Entropy::Lfsr, present: true, tail_nth: 1, ..straps }
}

fn player(straps: Config, blocks: &[Block; 2]) -> Player<2, 8, 31> {
    let blocks = blocks.clone().map(|block| Block { random: 0, ..block });
    let second = blocks[1].bytes(SECOND_BUFFER, 8);
    let memory = MemoryBehaviour { stall: 30, latency: 3, fault: 0 };
    let mut player = Player::new(&Scenario { straps, seed: 1, memory, polite: true, boot: false, blocks, ops: vec![] });
    player.memory.write(BLOCKS[1], &second);
    let msr0 = lwp_regs::lwp::LwpMsr0::writable_mask(straps.available());
    player.op(&Op::Control(CtlOp::WriteMsr0, Argument::Wild(msr0), 0));
    player.op(&Op::Enter(lwp_model::lwp::Mode { cpl: 3, ..lwp_model::lwp::Mode::default() }));
    player
}

fn take(player: &mut Player<2, 8, 31>, thread: u8, turn: &Turn) {
    for group in &turn.groups {
        player.op(&Op::Retire(group.clone()));
        // The unit comes to rest, so that nothing is on its way when the thread leaves.
        player.op(&Op::Idle(255));
    }
    if turn.drain {
        player.op(&Op::Tail(thread, TailMove::Drain));
    }
}

/// Everything a thread can see.
fn seen(memory: &Memory, thread: usize) -> Vec<u64> {
    let ring = [BUFFER, SECOND_BUFFER][thread];
    let block = (0..BLOCK_BYTES / 8).map(|word| memory.word(BLOCKS[thread] + 8 * word));
    block.chain((0..RING_BYTES / 8).map(|word| memory.word(ring + 8 * word))).collect()
}

/// Whether the ring of a thread holds a record.
fn recorded(memory: &Memory, thread: usize) -> bool {
    seen(memory, thread)[(BLOCK_BYTES / 8) as usize..].iter().any(|word| *word != 0)
}

fn together(straps: Config, blocks: &[Block; 2], turns: &[[Turn; 2]]) -> Memory {
    let mut player = player(straps, blocks);
    player.op(&Op::Control(CtlOp::Llwpcb, Argument::Block(0), 0));
    for pair in turns {
        for (thread, turn) in (0..).zip(pair) {
            take(&mut player, thread, turn);
            if let Some(power) = turn.smm {
                player.op(&Op::Smm(power));
                player.op(&Op::Idle(255));
            }
            player.op(&Op::Switch);
            player.op(&Op::Idle(255));
        }
    }
    for _ in 0..2 {
        player.op(&Op::Control(CtlOp::Slwpcb, Argument::Zero, 0));
        player.op(&Op::Switch);
        player.op(&Op::Idle(255));
    }
    player.finish().1
}

fn alone(straps: Config, blocks: &[Block; 2], thread: u8, turns: &[[Turn; 2]]) -> Memory {
    let mut player = player(straps, blocks);
    player.op(&Op::Control(CtlOp::Llwpcb, Argument::Block(thread), 0));
    for pair in turns {
        take(&mut player, thread, &pair[usize::from(thread)]);
    }
    player.op(&Op::Control(CtlOp::Slwpcb, Argument::Zero, 0));
    player.finish().1
}

#[test]
fn interleaved_runs_are_the_runs_done_apart() {
    let strategy = (config(), [block(), block()], prop::collection::vec([turn(), turn()], 1..5));
    let stored = Cell::new(0);
    let name = "interleaved_runs_are_the_runs_done_apart";
    let cases = check("context", name, &strategy, |(straps, blocks, turns)| {
        let straps = repeatable(*straps);
        let both = together(straps, blocks, turns);
        for thread in 0..2_u8 {
            let one = alone(straps, blocks, thread, turns);
            stored.set(stored.get() + u64::from(recorded(&one, thread.into())));
            if seen(&both, thread.into()) != seen(&one, thread.into()) {
                return Err(format!("thread {thread} sees another memory than when it runs alone"));
            }
        }
        Ok(())
    });
    Floors { test: name, cases, counts: &[("threads that stored a record", stored.get(), 1000)] }.check();
}

/// What one thread does makes no difference to the other.
#[test]
fn a_thread_does_not_see_the_other() {
    let turns = prop::collection::vec([turn(), turn()], 1..4);
    let strategy = (config(), [block(), block()], turns, prop::collection::vec(turn(), 4));
    let different = Cell::new(0);
    let name = "a_thread_does_not_see_the_other";
    let cases = check("context", name, &strategy, |(straps, blocks, turns, others)| {
        let straps = repeatable(*straps);
        let changed: Vec<[Turn; 2]> = turns
            .iter()
            .zip(others)
            .map(|([first, second], other)| [first.clone(), Turn { smm: second.smm, ..other.clone() }])
            .collect();
        let (one, other) = (together(straps, blocks, turns), together(straps, blocks, &changed));
        // The second thread itself must see what it did differently.
        different.set(different.get() + u64::from(recorded(&one, 0) && seen(&one, 1) != seen(&other, 1)));
        if seen(&one, 0) == seen(&other, 0) { Ok(()) } else { Err("the first thread sees what the second does".into()) }
    });
    let counts = [("cases in which the first thread records and the second one differs", different.get(), 100)];
    Floors { test: name, cases, counts: &counts }.check();
}
