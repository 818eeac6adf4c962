//! The rules by which a stage may change a register in a cycle.

use super::meaning::{CONTROL_STATES, STORE_STATES, context, control_operation, event_name, name_of};
use super::moment::Moment;
use super::reads;
use crate::lwp::registers::index_of;
use crate::lwp::stages::Stage;
use lwp_model::Choice;
use lwp_model::lwp::{CtlState, FaultPolicy, LatencySource, StoreState};

/// Returns why `stage` may change `field` at the end of this cycle; `None` if none of its rules applies.
pub(super) fn acts(stage: Stage, field: &str, now: &Moment) -> Option<String> {
    match stage {
        Stage::Control | Stage::Store if is_of_port(field) => asks(stage, field, now),
        Stage::Reset => reset(field, now),
        Stage::Undo => undo(field, now),
        Stage::Control => control(field, now),
        Stage::Count => {
            let retired = now.counting().then(|| retired(now)).flatten()?;
            Some(format!("{retired}{}", reads::of_count(field, now)))
        }
        Stage::Gather => gather(now),
        Stage::Replay => replay(now),
        Stage::Mab => mab(now),
        Stage::Store => store(now),
        Stage::Report => report(now),
        Stage::Port => port(now),
        Stage::Trap => trap(now),
        Stage::Retire => Some("what the core is told follows the registers in every cycle".to_owned()),
    }
}

fn reset(field: &str, now: &Moment) -> Option<String> {
    let event = now.state.records[0].event;
    let other_counter = field.ends_with(".counter") && index_of(field) != Some(usize::from(event).wrapping_sub(1));
    (now.state.store.st == StoreState::Reset && !other_counter)
        .then(|| format!("`store_st` is reset and records[0] holds a record of {}", event_name(event)))
}

fn undo(field: &str, now: &Moment) -> Option<String> {
    if now.straps.fault_policy != FaultPolicy::Fault {
        return None;
    }
    if field.ends_with(".counter") {
        let undone = now.faulted() && now.state.undo.valid && now.state.store.st != StoreState::Idle;
        return undone.then(|| "the store has page-faulted, and its instruction is undone".to_owned());
    }
    Some("with `fault_policy` = fault the counters before the gathering instruction are kept".to_owned())
}

/// Returns the reason for the control stage. In *wait* the store machine continues, and the registers that both
/// machines write belong to the store.
fn control(field: &str, now: &Moment) -> Option<String> {
    const SHARED: [&str; 6] = ["head", "tail", "missed", "events[", "records[", "pending"];
    let name = field.strip_prefix("state.").unwrap_or(field);
    let shared = SHARED.iter().any(|shared| name.starts_with(shared));
    let ctl = &now.state.ctl;
    let operation = if ctl.init { "the deferred initialisation".to_owned() } else { control_operation(ctl.op) };
    let session = &now.state.session;
    match ctl.st {
        CtlState::Idle if shared => None,
        CtlState::Idle if now.inputs.ctl.valid => Some("an operation is presented".to_owned()),
        CtlState::Idle if session.init_pending && now.inputs.mode.ring3() => {
            Some("a session waits to be initialised".to_owned())
        }
        CtlState::Idle => None,
        CtlState::Wait if shared && now.state.store.st != StoreState::Idle => None,
        st => {
            let name = name_of(&CONTROL_STATES, st as u64);
            let step = match context::number(&now.state) {
                Some(number) => format!("word {number}: {}", context::content(number)),
                None => format!("step {}", ctl.idx),
            };
            Some(format!("{operation} is under way (`ctl_st` {name}, {step})"))
        }
    }
}

fn retired(now: &Moment) -> Option<String> {
    let lanes = now.valid_lanes();
    let verb = if now.inputs.partial { "brought loads" } else { "retired" };
    match lanes[..] {
        [] => None,
        [one] => Some(format!("lane {one} {verb} in ring 3 while the session is active")),
        _ => {
            let list: Vec<String> = lanes.iter().map(ToString::to_string).collect();
            Some(format!("lanes {} {verb} in ring 3 while the session is active", list.join(", ")))
        }
    }
}

fn gather(now: &Moment) -> Option<String> {
    if !now.inputs.mode.ring3() && now.state.records.iter().any(|record| record.event != 0) {
        return Some("ring 3 was left with a record that is not stored".to_owned());
    }
    if now.counting() && !now.state.pf.valid { retired(now) } else { None }
}

fn replay(now: &Moment) -> Option<String> {
    if now.inputs.buffer.fill_valid {
        return Some("the data of a load returns".to_owned());
    }
    now.state.tag.valid.then(|| "a tagged load is under way".to_owned())
}

fn mab(now: &Moment) -> Option<String> {
    if now.straps.latency_source != LatencySource::Buffer {
        return None;
    }
    let waiting = now.state.mab.entries.iter().filter(|entry| entry.counting).count();
    let (step, phase) = (now.straps.latency_step.name(), now.straps.latency_phase.name());
    Some(format!("the buffer measures latencies in steps of {step} ({phase}); {waiting} of its entries count"))
}

fn store(now: &Moment) -> Option<String> {
    let state = &now.state;
    match state.store.st {
        StoreState::Idle if state.records[0].event != 0 => Some("a record waits in records[0]".to_owned()),
        StoreState::Idle if state.ring.missed != 0 => Some("missed events are owed to memory".to_owned()),
        StoreState::Idle => None,
        st => {
            let name = name_of(&STORE_STATES, st as u64);
            Some(format!("`store_st` is {name}, beat {} ({})", state.store.beat, ring(now)))
        }
    }
}

/// Returns the values that the rules of the ring read.
fn ring(now: &Moment) -> String {
    let (ring, block) = (&now.state.ring, &now.state.block);
    let (head, tail, size, threshold) = (ring.head, ring.tail, block.size, block.threshold);
    let used = if head >= tail { head - tail } else { (head + size).saturating_sub(tail) };
    format!("head {head:#x}, tail {tail:#x}, {used} of {size} bytes used, threshold {threshold}")
}

fn report(now: &Moment) -> Option<String> {
    let irq = &now.state.irq;
    if now.state.store.st == StoreState::Report {
        return Some(format!("`store_st` is report: the space used is compared with the threshold ({})", ring(now)));
    }
    if irq.count != 0 {
        return Some(format!("a delayed interrupt is {} cycles away", irq.count));
    }
    (irq.valid && now.inputs.irq_ack).then(|| "the core takes the interrupt".to_owned())
}

fn port(now: &Moment) -> Option<String> {
    let port = &now.state.port;
    let granted = now.inputs.mem.gnt;
    match (port.req, port.wait) {
        (true, _) if granted => Some("the request is granted".to_owned()),
        (true, _) => Some("a request stands".to_owned()),
        (_, true) if now.inputs.mem.rvalid => Some("the answer is here".to_owned()),
        (_, true) => Some("an answer is outstanding".to_owned()),
        _ => wants_port(now),
    }
}

fn wants_port(now: &Moment) -> Option<String> {
    let asking = [Stage::Control, Stage::Store].into_iter().find(|&stage| in_access(stage, now))?;
    Some(format!("{} wants an access", asking.facts().name))
}

/// Whether the stage's machine is in a state that accesses memory.
fn in_access(stage: Stage, now: &Moment) -> bool {
    match stage {
        Stage::Store => !matches!(now.state.store.st, StoreState::Idle | StoreState::Report | StoreState::Reset),
        _ => !matches!(now.state.ctl.st, CtlState::Idle | CtlState::Wait | CtlState::Done),
    }
}

fn is_of_port(field: &str) -> bool {
    field.strip_prefix("state.").unwrap_or(field).starts_with("mem_")
}

/// Returns the reason if the stage's machine chooses the request of the idle port, or the sum that is written back for
/// a word that was read.
fn asks(stage: Stage, field: &str, now: &Moment) -> Option<String> {
    let port = &now.state.port;
    let goes_back = now.answered() && field.ends_with("mem_wdata");
    if !in_access(stage, now) || (port.req || port.wait) && !goes_back {
        return None;
    }
    let state = match stage {
        Stage::Store => format!("`store_st` {}", name_of(&STORE_STATES, now.state.store.st as u64)),
        _ => format!("`ctl_st` {}, step {}", name_of(&CONTROL_STATES, now.state.ctl.st as u64), now.state.ctl.idx),
    };
    let name = stage.facts().name;
    Some(if goes_back {
        format!("{name} adds to the word that it has read ({state})")
    } else {
        format!("the port is idle, and {name} asks it for an access ({state})")
    })
}

fn trap(now: &Moment) -> Option<String> {
    if now.faulted() {
        return Some("memory answers with a page fault".to_owned());
    }
    (now.state.pf.valid && now.inputs.pf_ack).then(|| "the core takes the page fault".to_owned())
}
