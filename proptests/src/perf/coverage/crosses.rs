//! The crosses, in the order of [`Cover`].

use crate::coverage::{Axis, Declared};

/// The crosses by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(super) enum Cover {
    StrapValue,
    Access,
    Result,
    Overflow,
    Interrupt,
    Counts,
    Levels,
    AnyThread,
    Freeze,
    Pin,
    Together,
    Entry,
}

impl From<Cover> for usize {
    fn from(cover: Cover) -> Self {
        cover as Self
    }
}

const STRAP: Axis = Axis { name: "strap", values: &[] };
const OP: Axis = Axis { name: "operation", values: &["RDMSR", "WRMSR", "RDPMC", "another"] };
const RESULT: Axis = Axis { name: "result", values: &["done", "#GP(0)", "not mine"] };
const PERSONALITY: Axis = Axis { name: "personality", values: &["P6", "version 1", "version 2", "version 3"] };
const REGISTER: Axis = Axis {
    name: "register",
    values: &[
        "counter",
        "select",
        "full width",
        "fixed",
        "capabilities",
        "fixed control",
        "status",
        "enables",
        "clear",
        "entry",
        "another",
    ],
};
const WRITES: Axis = Axis { name: "operation", values: &["RDMSR", "WRMSR"] };
const KIND: Axis = Axis { name: "counter", values: &["general", "fixed"] };
const INTERRUPT: Axis = Axis { name: "INT", values: &["0", "1"] };
const MODE: Axis = Axis { name: "delivery", values: &["fixed", "SMI", "NMI"] };
const JOINS: Axis = Axis { name: "pending before", values: &["no", "acknowledged", "yes"] };
const EDGE: Axis = Axis { name: "E", values: &["0", "1"] };
const INVERT: Axis = Axis { name: "INV", values: &["0", "1"] };
const THRESHOLD: Axis = Axis { name: "CMASK", values: &["0", "1", "2 or more"] };
const LEVELS: Axis = Axis { name: "levels", values: &["none", "USR", "OS", "both"] };
const ANY_THREAD: Axis = Axis { name: "AnyThread", values: &["0", "1"] };
const OWN_LEVEL: Axis = Axis { name: "own level", values: &["does not count", "counts"] };
const FREEZE: Axis = Axis { name: "cause", values: &["freeze", "interrupt", "SMI", "RSM after an SMI"] };
const TRIGGER: Axis = Axis { name: "trigger", values: &["overflow", "count", "overflow of an odd event"] };
const WAITS: Axis = Axis { name: "waited", values: &["no", "yes"] };
const TOGETHER: Axis = Axis { name: "counters", values: &["1", "2 or more"] };
const WITH_INT: Axis = Axis { name: "with INT", values: &["none", "some", "all"] };
const WAY: Axis = Axis { name: "written in", values: &["memory", "an MSR"] };
const DELIVERED: Axis = Axis { name: "delivered at once", values: &["no", "yes"] };
const ON_DELIVERY: Axis = Axis { name: "masked on delivery", values: &["no", "yes"] };

/// What each cross counts.
pub(super) const DECLARED: &[Declared] = &[
    Declared { id: "COV-PERF-01", title: "value of a strap", axes: &[STRAP] },
    Declared { id: "COV-PERF-02", title: "access to a register", axes: &[PERSONALITY, WRITES, REGISTER] },
    Declared { id: "COV-PERF-03", title: "operation and result", axes: &[PERSONALITY, OP, RESULT] },
    Declared { id: "COV-PERF-04", title: "overflow", axes: &[PERSONALITY, KIND, INTERRUPT] },
    Declared { id: "COV-PERF-05", title: "delivered interrupt", axes: &[MODE, JOINS] },
    Declared { id: "COV-PERF-06", title: "counting select", axes: &[PERSONALITY, EDGE, INVERT, THRESHOLD] },
    Declared { id: "COV-PERF-07", title: "levels of a counting select", axes: &[PERSONALITY, LEVELS] },
    Declared { id: "COV-PERF-08", title: "counting with AnyThread", axes: &[KIND, ANY_THREAD, OWN_LEVEL] },
    Declared { id: "COV-PERF-09", title: "what freezes and thaws", axes: &[PERSONALITY, FREEZE] },
    Declared { id: "COV-PERF-10", title: "a pin rises", axes: &[TRIGGER, WAITS] },
    Declared { id: "COV-PERF-11", title: "overflows of one cycle", axes: &[TOGETHER, WITH_INT] },
    Declared { id: "COV-PERF-12", title: "write of the entry", axes: &[WAY, DELIVERED, ON_DELIVERY] },
];
