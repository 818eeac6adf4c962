//! The crosses, in the order of [`Cover`].

use crate::coverage::{Axis, Declared};

/// The crosses by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(super) enum Cover {
    StrapValue,
    Transfer,
    Format,
    Several,
    Control,
    Request,
    Privilege,
    Ending,
    Place,
    Threshold,
    Queue,
    Precise,
    Elapsed,
}

impl From<Cover> for usize {
    fn from(cover: Cover) -> Self {
        cover as Self
    }
}

const STRAP: Axis = Axis { name: "strap", values: &[] };
const TRANSFER: Axis = Axis {
    name: "transfer",
    values: &["near branch", "far branch", "interrupt", "exception", "debug exception", "NMI", "SMI", "RSM"],
};
const SINK: Axis = Axis { name: "sink", values: &["none", "message", "record"] };
const STACK: Axis = Axis { name: "stack", values: &["stands still", "records"] };
const FORMAT: Axis = Axis { name: "format", values: &["offset32", "linear", "effective", "flags", "tsx", "info"] };
const MODE: Axis = Axis { name: "mode", values: &["64-bit", "other"] };
const FAR: Axis = Axis { name: "far", values: &["no", "to 64-bit", "to other"] };
const ABOUT: Axis = Axis { name: "about", values: &["nothing", "mispredicted", "in a region", "aborted"] };
const RECORDS: Axis = Axis { name: "records", values: &["1", "2", "3", "4"] };
const DEPTH: Axis = Axis { name: "depth", values: &["4", "8", "16", "32"] };
const WRAPS: Axis = Axis { name: "wraps", values: &["no", "yes"] };
const CAUSE: Axis = Axis { name: "cause", values: &["WRMSR", "pmi", "ds_pmi", "debug exception", "SMI", "RSM"] };
const LBR: Axis = Axis { name: "LBR", values: &["0", "1"] };
const TR: Axis = Axis { name: "TR", values: &["0", "1"] };
const FLAG: Axis = Axis { name: "its flag", values: &["0", "1"] };
const OP: Axis = Axis { name: "operation", values: &["RDMSR", "WRMSR", "another"] };
const REGISTER: Axis = Axis {
    name: "register",
    values: &["DEBUGCTL", "TOS", "LER", "from", "to", "information", "DS_AREA", "PEBS_ENABLE", "another"],
};
const RESULT: Axis = Axis { name: "result", values: &["done", "#GP(0)", "not mine"] };
const LEVEL: Axis = Axis { name: "level", values: &["0", "above 0"] };
const OFF_OS: Axis = Axis { name: "BTS_OFF_OS", values: &["0", "1"] };
const OFF_USR: Axis = Axis { name: "BTS_OFF_USR", values: &["0", "1"] };
const TRACED: Axis = Axis { name: "traced", values: &["no", "yes"] };
const STEP: Axis = Axis {
    name: "step",
    values: &["idle", "base", "index", "maximum", "threshold", "place", "record", "publish", "reset"],
};
const KIND: Axis = Axis { name: "record", values: &["branch", "PEBS"] };
const WIDTH: Axis = Axis { name: "area", values: &["32-bit", "64-bit"] };
const OUTCOME: Axis =
    Axis { name: "outcome", values: &["goes on", "lost", "stored", "reloaded", "fault without loss"] };
const CIRCULAR: Axis = Axis { name: "circular", values: &["no", "yes"] };
const PLACED: Axis =
    Axis { name: "placed", values: &["at the index", "at the base", "misaligned", "outside", "no room"] };
const BEFORE: Axis = Axis { name: "index before", values: &["below the threshold", "at it or above"] };
const DUE: Axis = Axis { name: "interrupt", values: &["no", "yes"] };
const WAITING: Axis = Axis { name: "waiting", values: &["none", "some", "stall"] };
const APPENDED: Axis = Axis { name: "appended", values: &["0", "1", "2", "3", "4"] };
const REMOVED: Axis = Axis { name: "removed", values: &["nothing", "a message", "a record"] };
const ENABLED: Axis = Axis { name: "enabled", values: &["no", "yes"] };
const ARMED: Axis = Axis { name: "armed", values: &["no", "yes"] };
const OVERFLOW: Axis = Axis { name: "overflow", values: &["no", "yes"] };
const EVENT: Axis = Axis { name: "event", values: &["no", "yes"] };
const FIRED: Axis = Axis { name: "fired", values: &["no", "yes"] };
const CLOCKS: Axis = Axis { name: "clocks", values: &["0", "1", "more"] };

/// The declarations of the crosses.
pub(super) const DECLARED: &[Declared] = &[
    Declared { id: "COV-TRC-01", title: "value of a strap", axes: &[STRAP] },
    Declared { id: "COV-TRC-02", title: "first transfer and where it goes", axes: &[TRANSFER, SINK, STACK] },
    Declared { id: "COV-TRC-03", title: "format of a record", axes: &[FORMAT, MODE, FAR, ABOUT] },
    Declared { id: "COV-TRC-04", title: "records of a cycle", axes: &[RECORDS, DEPTH, WRAPS] },
    Declared { id: "COV-TRC-05", title: "change of IA32_DEBUGCTL", axes: &[CAUSE, FLAG, LBR, TR] },
    Declared { id: "COV-TRC-06", title: "request and result", axes: &[REGISTER, OP, RESULT] },
    Declared { id: "COV-TRC-07", title: "privilege", axes: &[LEVEL, OFF_OS, OFF_USR, TRACED] },
    Declared { id: "COV-TRC-08", title: "step of a store", axes: &[STEP, KIND, WIDTH, OUTCOME] },
    Declared { id: "COV-TRC-09", title: "place of a record", axes: &[KIND, CIRCULAR, PLACED] },
    Declared { id: "COV-TRC-10", title: "threshold", axes: &[KIND, CIRCULAR, BEFORE, DUE] },
    Declared { id: "COV-TRC-11", title: "queue", axes: &[WAITING, APPENDED, REMOVED] },
    Declared { id: "COV-TRC-12", title: "counter of PEBS", axes: &[ENABLED, ARMED, OVERFLOW, EVENT, FIRED] },
    Declared { id: "COV-TRC-13", title: "elapsed clocks of a record", axes: &[FORMAT, CLOCKS] },
];
