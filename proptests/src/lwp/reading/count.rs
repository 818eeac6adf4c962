//! Count and Gather: "Overview" steps 1 and 2, and "Multiple simultaneous events".

use super::env::{EVENTS, Env, MISSES, Record};
use super::happening::{Cut, Instruction, Miss};
use super::world::{Counter, World};
use lwp_model::lwp::{AddressPolicy, Collision, FaultPolicy, GatherPolicy, GatherSelect, GatherTarget, StoreTiming};
use std::rc::Rc;

/// Returns the states after loads of an instruction that retires later.
pub(super) fn loads(env: &Env, world: World, instruction: &Instruction) -> Result<Vec<World>, String> {
    if !env.ring3 || !world.active() {
        return Ok(vec![world]);
    }
    let world = begin(env, world)?;
    Ok(misses(env, vec![world], instruction))
}

/// Returns the states after an instruction retires.
pub(super) fn retire(env: &Env, world: World, instruction: &Instruction) -> Result<Vec<World>, String> {
    if !env.ring3 || !world.active() {
        let mut world = world;
        world.before = None;
        return cut_fits(env, instruction, false).then(|| vec![world]).ok_or_else(|| "a cut without a record".into());
    }
    let world = begin(env, world)?;
    let mut worlds = misses(env, vec![world], instruction);
    if instruction.counts {
        worlds = occur_all(env, worlds, 0, &env.instruction_record(instruction));
        let branch = env.branch_record(instruction);
        worlds = worlds
            .into_iter()
            .flat_map(|world| match Env::branches(&world.session, instruction) {
                true => occur(env, world, 1, &branch),
                false => vec![world],
            })
            .collect();
    }
    let mut results = Vec::new();
    let mut refused = String::new();
    for mut world in worlds {
        if env.straps.address_policy != AddressPolicy::Replay
            && let Some(record) = &mut world.candidates[MISSES]
        {
            // Earlier loads belong to this instruction.
            record.words[1] = instruction.mode.linear(instruction.ip);
        }
        let queued = world.queue.len();
        for mut chosen in gather(env, world) {
            let gathered = chosen.queue.len() > queued;
            if cut_fits(env, instruction, gathered) {
                chosen.candidates = [None, None, None];
                chosen.expired = [false; EVENTS];
                chosen.open = false;
                results.push(chosen);
            } else {
                refused = format!(
                    "a cut {:?}, but a record is {}",
                    instruction.cut,
                    if gathered { "gathered" } else { "not" }
                );
            }
        }
    }
    if results.is_empty() { Err(refused) } else { Ok(results) }
}

/// Whether the cut fits: with a synchronous store a group ends where a record is gathered.
fn cut_fits(env: &Env, instruction: &Instruction, gathered: bool) -> bool {
    match instruction.cut {
        Cut::Here => gathered && env.straps.store_timing == StoreTiming::Sync,
        Cut::No => !gathered || env.straps.store_timing == StoreTiming::Async,
        Cut::Last => true,
    }
}

/// Checks what must be complete before an instruction may retire, and keeps the state for undoing it.
fn begin(env: &Env, mut world: World) -> Result<World, String> {
    if world.pending == Some(true) {
        return Err("an instruction retires before the pending record is stored".into());
    }
    if env.straps.store_timing == StoreTiming::Sync && !world.queue.is_empty() {
        return Err("an instruction retires before the record of an older one is stored".into());
    }
    if !world.open {
        world.before = None;
        if env.straps.fault_policy == FaultPolicy::Fault {
            world.before = Some(Rc::new(world.clone()));
        }
        world.open = true;
    }
    Ok(world)
}

fn misses(env: &Env, mut worlds: Vec<World>, instruction: &Instruction) -> Vec<World> {
    for miss in &instruction.misses {
        worlds = worlds.into_iter().flat_map(|world| one_miss(env, world, instruction, miss)).collect();
    }
    worlds
}

fn one_miss(env: &Env, mut world: World, instruction: &Instruction, miss: &Miss) -> Vec<World> {
    if miss.tagged && env.straps.address_policy == AddressPolicy::Replay {
        // This is the second pass of the tagged load, not another miss.
        if let Some(tag) = world.tag.take()
            && instruction.counts
            && world.live(env, MISSES)
            && world.counters[MISSES] == Counter::Waiting
        {
            world.candidates[MISSES] = Some(env.replay_record(&tag, instruction.mode, miss));
        }
        return vec![world];
    }
    if !miss.missed || !instruction.counts || !env.eligible(&world.session, miss.latency, miss.source) {
        return vec![world];
    }
    let record = env.miss_record(instruction.mode, instruction.ip, miss);
    occur(env, world, MISSES, &record)
}

fn occur_all(env: &Env, worlds: Vec<World>, event: usize, record: &Record) -> Vec<World> {
    worlds.into_iter().flat_map(|world| occur(env, world, event, record)).collect()
}

/// Returns the states after one occurrence of an event.
fn occur(env: &Env, mut world: World, event: usize, record: &Record) -> Vec<World> {
    if !world.live(env, event) {
        return vec![world];
    }
    match world.counters[event] {
        Counter::Recorded => vec![world],
        Counter::Waiting => wait(env, world, event, record),
        Counter::Counting(least, most) => {
            let mut worlds = Vec::new();
            if most > 1 {
                let mut goes_on = world.clone();
                goes_on.counters[event] = Counter::Counting(least.max(2) - 1, most - 1);
                worlds.push(goes_on);
            }
            if least <= 1 {
                world.counters[event] = Counter::Waiting;
                world.expired[event] = true;
                if !recorded_next(env, event) && !replayed(env, event) {
                    world.candidates[event] = Some(record.clone());
                }
                worlds.push(world);
            }
            worlds
        }
    }
}

/// Returns the states after an occurrence of an event whose counter is already at zero.
fn wait(env: &Env, mut world: World, event: usize, record: &Record) -> Vec<World> {
    if replayed(env, event) || world.candidates[event].is_some() {
        return vec![world];
    }
    // The text has "The next instruction that causes the event", but also "the next eligible DCache miss". A further
    // load of the instruction that brought the counter to zero may be either.
    let open = world.expired[event].then(|| world.clone());
    world.candidates[event] = Some(record.clone());
    open.into_iter().chain([world]).collect()
}

fn recorded_next(env: &Env, event: usize) -> bool {
    env.straps.gather_target == GatherTarget::Next
        || event == MISSES && env.straps.address_policy == AddressPolicy::NextLoad
}

fn replayed(env: &Env, event: usize) -> bool {
    event == MISSES && env.straps.address_policy == AddressPolicy::Replay
}

/// Returns the states after every choice that the straps allow among the events that could be recorded.
fn gather(env: &Env, world: World) -> Vec<World> {
    let able: Vec<usize> = (0..EVENTS).filter(|event| world.candidates[*event].is_some()).collect();
    let busy = !world.queue.is_empty();
    let straps = &env.straps;
    if able.is_empty() || busy && straps.gather_policy == GatherPolicy::One {
        return vec![world];
    }
    let mut worlds = Vec::new();
    if busy && straps.collision == Collision::Discard {
        worlds.push(world.clone());
    }
    if straps.one_per_instr || straps.collision == Collision::Discard {
        worlds.extend(choices(env, &world, &able).into_iter().map(|event| take(env, &world, &[event])));
    } else {
        // They are recorded one after another, in an order that the text does not give.
        worlds.extend(orders(&able).iter().map(|order| take(env, &world, order)));
    }
    worlds
}

fn choices(env: &Env, world: &World, able: &[usize]) -> Vec<usize> {
    match env.straps.gather_select {
        GatherSelect::LowestSlot => {
            able.iter().copied().min_by_key(|event| world.session.slot[*event]).into_iter().collect()
        }
        // The event that was chosen last has the lowest priority.
        GatherSelect::Rotating if able.len() > 1 => {
            able.iter().copied().filter(|event| world.last != Some(*event)).collect()
        }
        GatherSelect::Rotating | GatherSelect::Random => able.to_vec(),
    }
}

fn orders(events: &[usize]) -> Vec<Vec<usize>> {
    if events.len() < 2 {
        return vec![events.to_vec()];
    }
    let mut all = Vec::new();
    for (at, first) in events.iter().enumerate() {
        let rest: Vec<usize> = events.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, e)| *e).collect();
        all.extend(orders(&rest).into_iter().map(|order| core::iter::once(*first).chain(order).collect()));
    }
    all
}

fn take(env: &Env, world: &World, events: &[usize]) -> World {
    let mut world = world.clone();
    if world.queue.is_empty() {
        world.since = env.now;
    }
    for event in events {
        world.queue.extend(world.candidates[*event].take());
        world.counters[*event] = Counter::Recorded;
        world.last = Some(*event);
    }
    world
}
