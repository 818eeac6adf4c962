//! The codes of the contract and their names in it.

use lwp_model::lwp::CtlOp;

pub(in super::super) const STORE_STATES: [&str; 10] =
    ["idle", "interval", "write", "tail", "head", "full_head", "report", "reset", "miss_read", "miss_write"];
pub(in super::super) const CONTROL_STATES: [&str; 7] = ["idle", "wait", "probe", "flush", "load", "flags", "done"];
pub(super) const OPERATIONS: [&str; 8] =
    ["LLWPCB", "SLWPCB", "RDMSR LWPMSR0", "WRMSR LWPMSR0", "RDMSR LWPMSR1", "WRMSR LWPMSR1", "save", "restore"];
pub(super) const FAULTS: [&str; 4] = ["none", "#UD", "#GP(0)", "#PF"];
pub(super) const COMMANDS: [&str; 3] = ["read", "write", "probe"];

/// Returns the name of a code; a code without a name is reported as meaningless.
pub(in super::super) fn name_of(names: &[&str], code: u64) -> String {
    let name = usize::try_from(code).ok().and_then(|code| names.get(code));
    name.map_or_else(|| format!("code {code}, which means nothing"), |name| (*name).to_owned())
}

/// Returns the name of an operation as software knows it.
pub(in super::super) fn control_operation(op: CtlOp) -> String {
    name_of(&OPERATIONS, op as u64)
}

/// Returns the name of the event with identifier `id`.
pub(in super::super) fn event_name(id: u8) -> String {
    match id {
        0 => "no event".to_owned(),
        1 => "instructions retired".to_owned(),
        2 => "branches retired".to_owned(),
        3 => "DCache misses".to_owned(),
        other => format!("event {other}"),
    }
}
