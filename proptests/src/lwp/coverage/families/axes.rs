//! Axes whose values are the model's own enums and numbers.

use crate::coverage::Axis;

/// Every value of every strap.
pub(in super::super) const STRAP: Axis = Axis { name: "strap", values: &[] };

/// The events.
pub(super) const EVENT: Axis = Axis { name: "event", values: &["instructions", "branches", "misses"] };

const STORE_STATES: &[&str] =
    &["idle", "interval", "write", "tail", "head", "full_head", "report", "reset", "miss_read", "miss_write"];
const CONTROL_STATES: &[&str] = &["idle", "wait", "probe", "flush", "load", "flags", "done"];

/// The state of the store state machine.
pub(super) const STORE: Axis = Axis { name: "store", values: STORE_STATES };
/// The next state of the store state machine.
pub(super) const STORE_NEXT: Axis = Axis { name: "then", values: STORE_STATES };
/// The state of the control state machine.
pub(super) const CONTROL: Axis = Axis { name: "control", values: CONTROL_STATES };
/// The next state of the control state machine.
pub(super) const CONTROL_NEXT: Axis = Axis { name: "then", values: CONTROL_STATES };

/// The operating mode.
pub(super) const OP_MODE: Axis =
    Axis { name: "op_mode", values: &["real", "virtual-8086", "protected", "compatibility", "64-bit"] };
/// The operating mode afterwards.
pub(super) const OP_MODE_NEXT: Axis = Axis { name: "then", values: OP_MODE.values };
/// The privilege level.
pub(super) const CPL: Axis = Axis { name: "cpl", values: &["0", "1", "2", "3"] };
/// Whether system management mode is active.
pub(super) const SMM: Axis = Axis { name: "smm", values: &["0", "1"] };
/// The destination when ring 3 is left.
pub(super) const LEFT_FOR: Axis = Axis { name: "for", values: &["the kernel", "SMM"] };

/// The strap `fault_policy`, as an axis of its own.
pub(super) const FAULT_POLICY: Axis =
    Axis { name: "fault_policy", values: &["trap", "fault", "trap+pending", "nonpaged"] };
/// The strap `leave_policy`.
pub(super) const LEAVE_POLICY: Axis = Axis { name: "leave_policy", values: &["discard", "drain", "hold"] };
/// The strap `write_on_full`.
pub(super) const WRITE_ON_FULL: Axis = Axis { name: "write_on_full", values: &["write-slot", "skip"] };
/// The strap `tail_reread`.
pub(super) const TAIL_REREAD: Axis = Axis { name: "tail_reread", values: &["each", "lazy"] };
/// The strap `latency_step`.
pub(super) const LATENCY_STEP: Axis = Axis { name: "latency_step", values: &["1", "16"] };
/// The strap `latency_source`.
pub(super) const LATENCY_SOURCE: Axis = Axis { name: "latency_source", values: &["core", "buffer"] };

/// The state of the memory port.
pub(super) const PORT: Axis = Axis { name: "port", values: &["idle", "requested", "granted", "disowned"] };
/// The number of records in flight.
pub(super) const QUEUE: Axis = Axis { name: "queue", values: &["0", "1", "2", "3"] };
/// The number of records in flight, if there is any.
pub(super) const SOME_QUEUE: Axis = Axis { name: "queue", values: &["1", "2", "3"] };
/// The number of records gathered in a cycle.
pub(super) const GATHERED: Axis = Axis { name: "gathered", values: &["0", "1", "2", "3"] };
/// The number of missed events that are owed to memory.
pub(super) const MISSED: Axis = Axis { name: "missed", values: &["0", "1", "several", "65535"] };
/// The lane after which a group is cut.
pub(super) const CUT: Axis =
    Axis { name: "cut after", values: &["the only lane", "the first", "an inner", "the last"] };
/// The branch kind.
pub(super) const BRANCH: Axis = Axis {
    name: "branch",
    values: &[
        "none",
        "JMP",
        "Jcc",
        "JMP indirect",
        "CALL",
        "CALL indirect",
        "RET",
        "far JMP",
        "far CALL",
        "far RET",
        "system",
    ],
};
/// The result of counting a branch.
pub(super) const BRANCH_FATE: Axis = Axis { name: "fate", values: &["counts", "dropped by NDB", "no branch"] };
/// The source of the data of a load.
pub(super) const SOURCE: Axis = Axis { name: "source", values: &["0", "1", "2", "3", "4", "5", "6", "7"] };
/// The word of the context.
pub(super) const WORD: Axis =
    Axis { name: "word", values: &["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10 to 15"] };
/// The operation on the word: save or restore.
pub(super) const CONTEXT: Axis = Axis { name: "context", values: &["save", "restore"] };
/// The number of an entry of the miss address buffer.
pub(super) const ENTRY: Axis = Axis { name: "entry", values: &["0", "1", "2", "3", "4", "5", "6", "7"] };
