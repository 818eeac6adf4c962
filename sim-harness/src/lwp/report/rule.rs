//! The rule behind a field in a cycle: its chapter and its requirements, by the operation, the access or the event.

use super::moment::Moment;
use crate::lwp::registers::{Writer, index_of};
use crate::lwp::stages::Stage;
use lwp_model::lwp::{CtlOp, CtlState, StoreState};

/// Chapter and requirements.
pub(super) type Rule = (&'static str, &'static [&'static str]);

const CONTEXT: &str = "docs/src/lwp/context.md";
const CONTROL: &str = "docs/src/lwp/control.md";
const COUNT: &str = "docs/src/lwp/count-gather.md";
const STORE: &str = "docs/src/lwp/store.md";

/// Operations of the control stage.
const OPERATIONS: &[(CtlOp, Rule)] = &[
    (CtlOp::Slwpcb, (CONTROL, &["LWP-SLW-01", "LWP-SLW-02", "LWP-SLW-03", "LWP-SLW-08"])),
    (CtlOp::ReadMsr0, (CONTROL, &["LWP-MSR0-01", "LWP-MSR0-11"])),
    (CtlOp::WriteMsr0, (CONTROL, &["LWP-MSR0-01", "LWP-MSR0-07", "LWP-MSR0-09", "LWP-MSR0-10", "LWP-MSR0-15"])),
    (CtlOp::ReadMsr1, (CONTROL, &["LWP-MSR1-01", "LWP-MSR1-02"])),
    (CtlOp::WriteMsr1, (CONTROL, &["LWP-MSR1-01", "LWP-MSR1-03", "LWP-MSR1-04"])),
];
/// LLWPCB, of the registers that say how far an operation is.
const LLWPCB: Rule = (CONTROL, &["LWP-LLW-01", "LWP-LLW-02", "LWP-LLW-12", "LWP-LLW-13"]);
/// The initialisation that waits for ring 3.
const INITIALISATION: Rule = (CONTROL, &["LWP-LLW-10", "LWP-LLW-11", "LWP-LLW-13", "LWP-CTX-14"]);
/// Words of the context, by number, saved or restored.
const WORDS: [&[&str]; 10] = [
    &["LWP-CTX-02", "LWP-CTX-07", "LWP-CTX-12"],
    &["LWP-CTX-03", "LWP-CTX-05", "LWP-CTX-16"],
    &["LWP-CTX-04"],
    &["LWP-CTX-04", "LWP-CTX-06"],
    &["LWP-CTX-16"],
    &["LWP-CTX-16"],
    &["LWP-CTX-16"],
    &["LWP-CTX-07", "LWP-CTX-08"],
    &["LWP-CTX-07"],
    &["LWP-CTX-01", "LWP-CTX-07"],
];
/// Counters of the events.
const COUNTERS: [&[&str]; 3] = [
    &["LWP-CNT-01", "LWP-CNT-03", "LWP-CNT-06", "LWP-INS-01"],
    &["LWP-CNT-01", "LWP-CNT-06", "LWP-BRN-01", "LWP-BRN-02", "LWP-BRN-18", "LWP-BRN-19"],
    &["LWP-CNT-05", "LWP-CNT-06", "LWP-DCM-01", "LWP-DCM-25", "LWP-DCM-26", "LWP-LAT-10"],
];
/// Parts of a record.
const PARTS: &[(&str, &[&str])] = &[
    ("event", &["LWP-GAT-01", "LWP-INS-02", "LWP-BRN-05", "LWP-DCM-07"]),
    ("flags", &["LWP-BRN-08", "LWP-BRN-09", "LWP-BRN-10", "LWP-BRN-11", "LWP-BRN-12", "LWP-DCM-10", "LWP-DCM-11"]),
    ("data", &["LWP-DCM-19", "LWP-LAT-01", "LWP-LAT-02", "LWP-LAT-05"]),
    ("ip", &["LWP-INS-05", "LWP-BRN-14", "LWP-DCM-20"]),
    ("addr", &["LWP-BRN-15", "LWP-DCM-21", "LWP-DCM-22"]),
];

/// Returns the rule by which the stage of `writer` writes `field` in this cycle.
pub(super) fn of(writer: &'static Writer, field: &str, now: &Moment) -> Rule {
    let particular = match writer.stage {
        Stage::Control => operation(field, now),
        Stage::Count if field.ends_with(".counter") => index_of(field).map(|event| (COUNT, COUNTERS[event])),
        Stage::Gather if field.contains("records[") => part(field),
        Stage::Store if field.contains("mem_") => Some((STORE, access(now.state.store.st))),
        _ => None,
    };
    particular.unwrap_or((writer.stage.facts().chapter, writer.requirements))
}

fn operation(field: &str, now: &Moment) -> Option<Rule> {
    let (ctl, presented) = (&now.state.ctl, &now.inputs.ctl);
    let progress = ["ctl_", "rsp_"].iter().any(|beginning| field.trim_start_matches("state.").starts_with(beginning));
    let begins = ctl.st == CtlState::Idle;
    // Nothing is presented: what begins is the initialisation that has waited.
    if ctl.init || begins && !presented.valid {
        return progress.then_some(INITIALISATION);
    }
    let op = if begins { presented.op } else { ctl.op };
    if matches!(op, CtlOp::Save | CtlOp::Restore) {
        let number = if begins { presented.word & 15 } else { ctl.idx };
        return Some((CONTEXT, WORDS.get(usize::from(number)).copied().unwrap_or(WORDS[7])));
    }
    let known = OPERATIONS.iter().find(|(known, _)| *known == op).map(|(_, rule)| *rule);
    known.or((progress && op == CtlOp::Llwpcb).then_some(LLWPCB))
}

fn part(field: &str) -> Option<Rule> {
    let part = field.rsplit('.').next()?;
    PARTS.iter().find(|(name, _)| *name == part).map(|(_, requirements)| (COUNT, *requirements))
}

/// The access that the store asks for.
fn access(st: StoreState) -> &'static [&'static str] {
    match st {
        StoreState::Interval => &["LWP-RST-09", "LWP-ACC-10"],
        StoreState::Tail => &["LWP-ACC-06", "LWP-ACC-08", "LWP-ACC-16"],
        StoreState::Head | StoreState::FullHead => &["LWP-STO-02", "LWP-STO-03", "LWP-STO-04"],
        StoreState::MissRead | StoreState::MissWrite => &["LWP-STO-05", "LWP-STO-13", "LWP-ACC-14"],
        _ => &["LWP-STO-01", "LWP-REC-06", "LWP-REC-09"],
    }
}

/// Every rule of this file, for the test that looks them up.
#[cfg(test)]
pub(in crate::lwp) fn all() -> Vec<Rule> {
    let states = [StoreState::Interval, StoreState::Tail, StoreState::Head, StoreState::MissRead, StoreState::Write];
    let mut all = vec![LLWPCB, INITIALISATION];
    all.extend(OPERATIONS.iter().map(|(_, rule)| *rule));
    all.extend(WORDS.map(|requirements| (CONTEXT, requirements)));
    all.extend(COUNTERS.map(|requirements| (COUNT, requirements)));
    all.extend(PARTS.iter().map(|(_, requirements)| (COUNT, *requirements)));
    all.extend(states.map(|st| (STORE, access(st))));
    all
}
