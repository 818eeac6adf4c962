//! The crosses, in the order of [`Cover`].

use crate::coverage::{Axis, Declared};

/// The crosses by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(super) enum Cover {
    StrapValue,
    StrapClass,
    Request,
    Access,
    Met,
    Causes,
    Cut,
    Delivery,
    Written,
    Before,
    Step,
    Shadow,
    Repetition,
    Question,
}

impl From<Cover> for usize {
    fn from(cover: Cover) -> Self {
        cover as Self
    }
}

const STRAP: Axis = Axis { name: "strap", values: &[] };
const CLASS: Axis = Axis { name: "class", values: &["trap", "fault", "abort", "rollback"] };
const OP: Axis = Axis { name: "operation", values: &["MOV from DR", "MOV to DR", "another"] };
const REGISTER: Axis = Axis { name: "register", values: &["DR0 to DR3", "DR4 and DR5", "DR6", "DR7"] };
const RESULT: Axis = Axis { name: "result", values: &["done", "#UD", "#GP(0)", "#DB", "not mine"] };
const DE: Axis = Axis { name: "CR4.DE", values: &["0", "1"] };
const LEVEL: Axis = Axis { name: "level", values: &["real", "virtual-8086", "0", "1", "2", "3", "SMM"] };
const GD: Axis = Axis { name: "GD", values: &["0", "1"] };
const RW: Axis = Axis { name: "R/W", values: &["00", "01", "10", "11"] };
const LEN: Axis = Axis { name: "LEN", values: &["00", "01", "10", "11"] };
const ENABLE: Axis = Axis { name: "enabled", values: &["no", "L", "G", "L and G"] };
const B: Axis = Axis { name: "breakpoints", values: &["none", "one", "several"] };
const BS: Axis = Axis { name: "BS", values: &["0", "1"] };
const BT: Axis = Axis { name: "BT", values: &["0", "1"] };
const BD: Axis = Axis { name: "BD", values: &["0", "1"] };
const WHERE: Axis = Axis { name: "cut", values: &["behind", "before"] };
const LANE: Axis = Axis { name: "lane", values: &["0", "1", "2", "3"] };
const DELIVERED: Axis = Axis {
    name: "delivered",
    values: &["own trap", "own fault", "own rollback", "interrupt", "fault", "trap", "NMI", "SMI", "RSM", "none"],
};
const PENDING: Axis = Axis { name: "before", values: &["nothing", "a request", "a held breakpoint"] };
const FRAME: Axis = Axis { name: "RF pushed", values: &["no frame", "0", "1"] };
const STATUS: Axis = Axis { name: "status", values: &["causes", "nothing", "all"] };
const OLD: Axis = Axis { name: "DR6 before", values: &["clear", "breakpoints", "others", "both"] };
const FLAG: Axis = Axis { name: "flag", values: &["none", "RF", "shadow", "repetition", "asked for"] };
const HIT: Axis = Axis { name: "hit", values: &["no", "yes"] };
const KIND: Axis =
    Axis { name: "kind", values: &["other", "INT n", "INT3", "INT1", "IRET", "task switch", "unused 6", "unused 7"] };
const BTF: Axis = Axis { name: "BTF", values: &["0", "1, no branch", "1, taken branch"] };
const LOADS: Axis = Axis { name: "SS load", values: &["no", "yes"] };
const STEPPED: Axis = Axis { name: "stepped", values: &["no", "yes"] };
const CHAIN: Axis = Axis { name: "ss_chain", values: &["0", "1"] };
const IN_SHADOW: Axis = Axis { name: "in a shadow", values: &["no", "yes"] };
const REP: Axis = Axis { name: "rep", values: &["none", "first", "further", "last"] };
const IN_REP: Axis = Axis { name: "in a repetition", values: &["no", "yes"] };
const GROUP: Axis = Axis { name: "string_group", values: &["0", "1", "2", "3 or more"] };
const HELD: Axis = Axis { name: "held", values: &["no", "yes"] };
const ANSWER: Axis = Axis { name: "answer", values: &["go", "stop"] };

/// The declarations of the crosses.
pub(super) const DECLARED: &[Declared] = &[
    Declared { id: "COV-DBG-01", title: "value of a strap", axes: &[STRAP] },
    Declared { id: "COV-DBG-02", title: "strap and class", axes: &[STRAP, CLASS] },
    Declared { id: "COV-DBG-03", title: "MOV DR and result", axes: &[OP, REGISTER, RESULT] },
    Declared { id: "COV-DBG-04", title: "MOV DR: DE, level and GD", axes: &[REGISTER, DE, LEVEL, GD] },
    Declared { id: "COV-DBG-05", title: "condition met by the oldest lane", axes: &[RW, LEN, ENABLE] },
    Declared { id: "COV-DBG-06", title: "class and causes", axes: &[CLASS, B, BS, BT, BD] },
    Declared { id: "COV-DBG-07", title: "cut", axes: &[WHERE, LANE, CLASS] },
    Declared { id: "COV-DBG-08", title: "delivery", axes: &[DELIVERED, PENDING, FRAME] },
    Declared { id: "COV-DBG-09", title: "DR6 as written", axes: &[STATUS, OLD, CLASS] },
    Declared { id: "COV-DBG-10", title: "flag before a breakpoint", axes: &[FLAG, HIT] },
    Declared { id: "COV-DBG-11", title: "TF, kind and BTF", axes: &[KIND, BTF, STEPPED] },
    Declared { id: "COV-DBG-12", title: "SS load", axes: &[CHAIN, IN_SHADOW, LOADS, HELD] },
    Declared { id: "COV-DBG-13", title: "repeated string", axes: &[GROUP, REP, IN_REP, HELD] },
    Declared { id: "COV-DBG-14", title: "question", axes: &[ANSWER, FLAG] },
];
