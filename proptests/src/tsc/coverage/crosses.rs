//! The crosses, in the order of [`Cover`].

use crate::coverage::{Axis, Declared};

/// The crosses by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(super) enum Cover {
    StrapValue,
    StrapOperation,
    TimeInstruction,
    MsrAccess,
    Result,
    Pins,
    Ticks,
    CounterWrite,
    AdjustWrite,
    AuxWrite,
    Asked,
    Crossing,
    Reset,
}

impl From<Cover> for usize {
    fn from(cover: Cover) -> Self {
        cover as Self
    }
}

const STRAP: Axis = Axis { name: "strap", values: &[] };
const OP: Axis = Axis { name: "operation", values: &["RDMSR", "WRMSR", "RDTSC", "RDTSCP", "another"] };
const TIME_OP: Axis = Axis { name: "operation", values: &["RDTSC", "RDTSCP"] };
const MSR_OP: Axis = Axis { name: "operation", values: &["RDMSR", "WRMSR"] };
const PARTS: Axis = Axis { name: "parts", values: &["none", "counter", "counter and AUX"] };
const LEVEL: Axis = Axis { name: "level", values: &["real", "virtual-8086", "0", "1", "2", "3"] };
const TSD: Axis = Axis { name: "TSD", values: &["0", "1"] };
const REGISTER: Axis = Axis { name: "register", values: &["counter", "ADJUST", "AUX", "another"] };
const EXISTS: Axis = Axis { name: "exists", values: &["no", "yes"] };
const RESULT: Axis = Axis { name: "result", values: &["done", "#UD", "#GP(0)", "not mine"] };
const RATE: Axis = Axis { name: "rate", values: &["invariant", "constant-max", "constant-boot", "variable"] };
const SLEEP: Axis = Axis { name: "deep_sleep", values: &["count", "stop"] };
const WIDTH: Axis = Axis { name: "write_width", values: &["all", "low32"] };
const DPSLP: Axis = Axis { name: "DPSLP#", values: &["0", "1"] };
const HALTED: Axis = Axis { name: "halted by", values: &["nothing", "HLT", "STPCLK#", "both"] };
const TICK: Axis = Axis { name: "tick", values: &["no", "yes"] };
const TICKS: Axis = Axis { name: "counted", values: &["0", "1", "2 to 15", "16 or more"] };
const FRACTION: Axis = Axis { name: "fraction", values: &["kept", "grows", "carries"] };
const WRITTEN: Axis = Axis { name: "written", values: &["nothing", "counter", "ADJUST", "AUX"] };
const ADJUST: Axis = Axis { name: "ADJUST", values: &["no", "yes"] };
const HIGH: Axis = Axis { name: "bits 63:32", values: &["zero", "not zero"] };
const MOVES: Axis = Axis { name: "moves", values: &["down", "up or not at all"] };
const BEFORE: Axis = Axis { name: "before", values: &["0", "not 0"] };
const ASKED: Axis = Axis { name: "asked", values: &["the first", "another", "beyond the last"] };
const CROSSES: Axis = Axis { name: "crosses", values: &["2^32", "2^64"] };
const BY: Axis = Axis { name: "by", values: &["ticks", "a write"] };
const ANSWER: Axis = Axis { name: "answer", values: &["none", "pending"] };

/// The declarations of the crosses.
pub(super) const DECLARED: &[Declared] = &[
    Declared { id: "COV-TSC-01", title: "value of a strap", axes: &[STRAP] },
    Declared { id: "COV-TSC-02", title: "strap and operation", axes: &[STRAP, OP] },
    Declared { id: "COV-TSC-03", title: "RDTSC and RDTSCP", axes: &[TIME_OP, PARTS, LEVEL, TSD] },
    Declared { id: "COV-TSC-04", title: "RDMSR and WRMSR", axes: &[MSR_OP, REGISTER, EXISTS, LEVEL] },
    Declared { id: "COV-TSC-05", title: "operation and result", axes: &[OP, RESULT] },
    Declared { id: "COV-TSC-06", title: "rate, sleep and tick", axes: &[RATE, SLEEP, DPSLP, HALTED, TICK] },
    Declared { id: "COV-TSC-07", title: "what a cycle counts", axes: &[RATE, TICKS, FRACTION, WRITTEN] },
    Declared { id: "COV-TSC-08", title: "WRMSR of the counter", axes: &[WIDTH, ADJUST, HIGH, MOVES, TICK] },
    Declared { id: "COV-TSC-09", title: "WRMSR of ADJUST", axes: &[BEFORE, MOVES, TICK] },
    Declared { id: "COV-TSC-10", title: "WRMSR of AUX", axes: &[BEFORE, HIGH] },
    Declared { id: "COV-TSC-11", title: "the processor asked", axes: &[OP, ASKED, RESULT] },
    Declared { id: "COV-TSC-12", title: "the counter crosses", axes: &[CROSSES, BY, RATE] },
    Declared { id: "COV-TSC-13", title: "reset", axes: &[RATE, ANSWER, BEFORE] },
];
