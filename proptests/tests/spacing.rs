//! Records come where the text says: at the interval, of the lowest slot, one an instruction. LWP-LCB-28, LWP-CNT-13,
//! LWP-SIM-01 to 03, LWP-GAT-05, LWP-OVR-17.

use lwp_model::lwp::{Config, Lane};
use proptest::prelude::*;
use proptests::floor::Floors;
use proptests::lwp::bench::{BUFFER, Memory, Player, play};
use proptests::lwp::monitor::watch;
use proptests::lwp::oracle::{Predicted, records};
use proptests::lwp::scenario::{Block, MemoryBehaviour, Op, Scenario, SlotChoice, plain_lane, scenario, slots};
use proptests::runner::check;
use std::cell::Cell;

/// Records that the ring of these tests can hold; more than their instructions.
const RING: u32 = 256;

/// A session that nothing disturbs: a quick memory, a ring that never fills, no randomness, no filters.
fn undisturbed(slots: Vec<SlotChoice>, ops: Vec<Op>) -> Scenario {
    let block = Block { size: RING * 32, random: 0, head: 0, tail: 0, missed: 0, threshold: 0, filter: 0, slots };
    Scenario {
        straps: Config::default(),
        seed: 0,
        memory: MemoryBehaviour { stall: 0, latency: 1, fault: 0 },
        polite: true,
        boot: true,
        blocks: [block.clone(), block],
        ops,
    }
}

/// The records that reached memory, in order, as far as the oracle predicts them.
fn stored(memory: &Memory, number: usize) -> Vec<Predicted> {
    let word = |record: usize, word: u64| memory.word(BUFFER + 32 * record as u64 + 8 * word);
    (0..number)
        .map(|record| Predicted { event: word(record, 0) as u8, ip: word(record, 1), address: word(record, 2) })
        .collect()
}

fn compare(memory: &Memory, predicted: &[Predicted], head: u32) -> Result<(), String> {
    let found = stored(memory, (head / 32) as usize);
    if found == predicted { Ok(()) } else { Err(format!("found {found:x?}, predicted {predicted:x?}")) }
}

#[test]
fn records_are_those_of_the_oracle() {
    let strategy = (slots(), prop::collection::vec(plain_lane(), 1..120));
    let found = Cell::new(0);
    let name = "records_are_those_of_the_oracle";
    let cases = check("spacing", name, &strategy, |(slots, instructions)| {
        let mut player = Player::<4, 8, 31>::new(&undisturbed(slots.clone(), Vec::new()));
        for lane in instructions {
            player.op(&Op::Retire(vec![*lane]));
            player.op(&Op::Idle(30));
        }
        let head = player.unit().state().ring.head;
        found.set(found.get() + u64::from(head / 32));
        compare(&player.memory, &records(slots, instructions), head)
    });
    Floors { test: name, cases, counts: &[("records", found.get(), 1000)] }.check();
}

/// A group in one cycle gives what its instructions give in as many cycles.
#[test]
fn lanes_are_program_order() {
    let groups = prop::collection::vec(prop::collection::vec(plain_lane(), 1..5), 1..40);
    let recorded = Cell::new(0);
    let cases = check("spacing", "lanes_are_program_order", &(slots(), groups), |(slots, groups)| {
        let rest = || Op::Idle(40);
        let together: Vec<Op> = groups.iter().flat_map(|group| [Op::Retire(group.clone()), rest()]).collect();
        let apart: Vec<Op> = groups
            .iter()
            .flat_map(|group| group.iter().map(|lane: &Lane| Op::Retire(vec![*lane])).chain([rest()]))
            .collect();
        let (_, wide) = play::<4, 8, 31>(&undisturbed(slots.clone(), together));
        let (_, narrow) = play::<1, 8, 31>(&undisturbed(slots.clone(), apart));
        recorded.set(recorded.get() + u64::from(wide.word(BUFFER) != 0));
        if wide.words() == narrow.words() { Ok(()) } else { Err("four lanes differ from one".into()) }
    });
    let counts = [("cases with a record", recorded.get(), 500)];
    Floors { test: "lanes_are_program_order", cases, counts: &counts }.check();
}

/// Whatever happens, two records of an event in one session are at least an interval of its occurrences apart.
#[test]
fn records_are_never_closer_than_the_interval() {
    let compared = Cell::new(0);
    let name = "records_are_never_closer_than_the_interval";
    let cases = check("spacing", name, &scenario(150), |scenario| {
        let (recording, _) = play::<4, 8, 31>(scenario);
        watch(&scenario.straps, &recording)?;
        // Occurrences since the last record, and the interval (which software may change) that was loaded then.
        let mut since = [None::<(u64, u64)>; 3];
        for (cycle, pair) in recording.cycles.windows(2).enumerate() {
            let (now, next) = (&pair[0].state, &pair[1].state);
            if !pair[0].rst_n || !now.session.active || !next.session.active {
                since = [None; 3];
                continue;
            }
            for (index, past) in since.iter_mut().enumerate() {
                if let Some((count, _)) = past {
                    *count += u64::from(now.events[index].counter.saturating_sub(next.events[index].counter));
                }
            }
            if now.store.st == lwp_model::lwp::StoreState::Reset {
                let index = usize::from(now.records[0].event) - 1;
                if let Some((count, least)) = since[index].filter(|(count, least)| count < least) {
                    return Err(format!("cycle {cycle}: event {} after {count} occurrences of {least}", index + 1));
                }
                compared.set(compared.get() + u64::from(since[index].is_some_and(|(_, least)| least > 0)));
                let mask = (1_u32 << now.block.random) - 1;
                since[index] = Some((0, u64::from(now.events[index].interval & !mask)));
            }
        }
        Ok(())
    });
    let counts = [("pairs of records with an interval between them", compared.get(), 230)];
    Floors { test: name, cases, counts: &counts }.check();
}
