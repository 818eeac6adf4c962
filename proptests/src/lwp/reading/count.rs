//! Count and Gather: "Overview" steps 1 and 2, and "Multiple simultaneous events".

use super::env::{EVENTS, Env, MISSES, Record};
use super::happening::{Cut, Instruction, Miss};
use super::state::{Counter, State};
use lwp_model::lwp::{AddressPolicy, Collision, FaultPolicy, GatherPolicy, GatherSelect, GatherTarget, StoreTiming};
use std::rc::Rc;

/// Returns the states after loads of an instruction that retires later.
pub(super) fn loads(env: &Env, state: State, instruction: &Instruction) -> Result<Vec<State>, String> {
    if !env.ring3 || !state.active() {
        return Ok(vec![state]);
    }
    let state = begin(env, state)?;
    Ok(misses(env, vec![state], instruction))
}

/// Returns the states after an instruction retires.
pub(super) fn retire(env: &Env, state: State, instruction: &Instruction) -> Result<Vec<State>, String> {
    if !env.ring3 || !state.active() {
        let mut state = state;
        state.before = None;
        return cut_fits(env, instruction, false).then(|| vec![state]).ok_or_else(|| "a cut without a record".into());
    }
    let state = begin(env, state)?;
    let mut states = misses(env, vec![state], instruction);
    if instruction.counts {
        states = occur_all(env, states, 0, &env.instruction_record(instruction));
        let branch = env.branch_record(instruction);
        states = states
            .into_iter()
            .flat_map(|state| match Env::branches(&state.session, instruction) {
                true => occur(env, state, 1, &branch),
                false => vec![state],
            })
            .collect();
    }
    let mut results = Vec::new();
    let mut refused = String::new();
    for mut state in states {
        if env.straps.address_policy != AddressPolicy::Replay
            && let Some(record) = &mut state.candidates[MISSES]
        {
            // Earlier loads belong to this instruction.
            record.words[1] = instruction.mode.linear(instruction.ip);
        }
        let queued = state.queue.len();
        for mut chosen in gather(env, state) {
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
fn begin(env: &Env, mut state: State) -> Result<State, String> {
    if state.pending == Some(true) {
        return Err("an instruction retires before the pending record is stored".into());
    }
    if env.straps.store_timing == StoreTiming::Sync && !state.queue.is_empty() {
        return Err("an instruction retires before the record of an older one is stored".into());
    }
    if !state.open {
        state.before = None;
        if env.straps.fault_policy == FaultPolicy::Fault {
            state.before = Some(Rc::new(state.clone()));
        }
        state.open = true;
    }
    Ok(state)
}

fn misses(env: &Env, mut states: Vec<State>, instruction: &Instruction) -> Vec<State> {
    for miss in &instruction.misses {
        states = states.into_iter().flat_map(|state| one_miss(env, state, instruction, miss)).collect();
    }
    states
}

fn one_miss(env: &Env, mut state: State, instruction: &Instruction, miss: &Miss) -> Vec<State> {
    if miss.tagged && env.straps.address_policy == AddressPolicy::Replay {
        // This is the second pass of the tagged load, not another miss.
        if let Some(tag) = state.tag.take()
            && instruction.counts
            && state.live(env, MISSES)
            && state.counters[MISSES] == Counter::Waiting
        {
            state.candidates[MISSES] = Some(env.replay_record(&tag, instruction.mode, miss));
        }
        return vec![state];
    }
    if !miss.missed || !instruction.counts || !env.eligible(&state.session, miss.latency, miss.source) {
        return vec![state];
    }
    let record = env.miss_record(instruction.mode, instruction.ip, miss);
    occur(env, state, MISSES, &record)
}

fn occur_all(env: &Env, states: Vec<State>, event: usize, record: &Record) -> Vec<State> {
    states.into_iter().flat_map(|state| occur(env, state, event, record)).collect()
}

/// Returns the states after one occurrence of an event.
fn occur(env: &Env, mut state: State, event: usize, record: &Record) -> Vec<State> {
    if !state.live(env, event) {
        return vec![state];
    }
    match state.counters[event] {
        Counter::Recorded => vec![state],
        Counter::Waiting => wait(env, state, event, record),
        Counter::Counting(least, most) => {
            let mut states = Vec::new();
            if most > 1 {
                let mut goes_on = state.clone();
                goes_on.counters[event] = Counter::Counting(least.max(2) - 1, most - 1);
                states.push(goes_on);
            }
            if least <= 1 {
                state.counters[event] = Counter::Waiting;
                state.expired[event] = true;
                if !recorded_next(env, event) && !replayed(env, event) {
                    state.candidates[event] = Some(record.clone());
                }
                states.push(state);
            }
            states
        }
    }
}

/// Returns the states after an occurrence of an event whose counter is already at zero.
fn wait(env: &Env, mut state: State, event: usize, record: &Record) -> Vec<State> {
    if replayed(env, event) || state.candidates[event].is_some() {
        return vec![state];
    }
    // The text has "The next instruction that causes the event", but also "the next eligible DCache miss". A further
    // load of the instruction that brought the counter to zero may be either.
    let open = state.expired[event].then(|| state.clone());
    state.candidates[event] = Some(record.clone());
    open.into_iter().chain([state]).collect()
}

fn recorded_next(env: &Env, event: usize) -> bool {
    env.straps.gather_target == GatherTarget::Next
        || event == MISSES && env.straps.address_policy == AddressPolicy::NextLoad
}

fn replayed(env: &Env, event: usize) -> bool {
    event == MISSES && env.straps.address_policy == AddressPolicy::Replay
}

/// Returns the states after every choice that the straps allow among the events that could be recorded.
fn gather(env: &Env, state: State) -> Vec<State> {
    let able: Vec<usize> = (0..EVENTS).filter(|event| state.candidates[*event].is_some()).collect();
    let busy = !state.queue.is_empty();
    let straps = &env.straps;
    if able.is_empty() || busy && straps.gather_policy == GatherPolicy::One {
        return vec![state];
    }
    let mut states = Vec::new();
    if busy && straps.collision == Collision::Discard {
        states.push(state.clone());
    }
    if straps.one_per_instr || straps.collision == Collision::Discard {
        states.extend(choices(env, &state, &able).into_iter().map(|event| take(env, &state, &[event])));
    } else {
        // They are recorded one after another, in an order that the text does not give.
        states.extend(orders(&able).iter().map(|order| take(env, &state, order)));
    }
    states
}

fn choices(env: &Env, state: &State, able: &[usize]) -> Vec<usize> {
    match env.straps.gather_select {
        GatherSelect::LowestSlot => {
            able.iter().copied().min_by_key(|event| state.session.slot[*event]).into_iter().collect()
        }
        // The event that was chosen last has the lowest priority.
        GatherSelect::Rotating if able.len() > 1 => {
            able.iter().copied().filter(|event| state.last != Some(*event)).collect()
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

fn take(env: &Env, state: &State, events: &[usize]) -> State {
    let mut state = state.clone();
    if state.queue.is_empty() {
        state.since = env.now;
    }
    for event in events {
        state.queue.extend(state.candidates[*event].take());
        state.counters[*event] = Counter::Recorded;
        state.last = Some(*event);
    }
    state
}
