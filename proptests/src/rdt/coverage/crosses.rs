//! The crosses, in the order of [`Cover`].

use crate::coverage::{Axis, Declared};

/// The crosses by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(super) enum Cover {
    StrapValue,
    Branch,
    Access,
    Outside,
    Choice,
    Request,
    MaskWrite,
    Refused,
    Data,
    Power,
    Charge,
    Pace,
    Mapping,
    Wrap,
    Level,
    Meanwhile,
}

impl From<Cover> for usize {
    fn from(cover: Cover) -> Self {
        cover as Self
    }
}

/// The branches of the steps, in the order of their codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(super) enum Branch {
    ClearGoesOn,
    ClearEnds,
    IdleL2Shrinks,
    IdleL3Shrinks,
    IdleNothing,
    IdleToL2,
    IdleToL3,
    L2Read,
    L2LookRead,
    L2LookWrite,
    L2LookMiss,
    L3Read,
    LookHitFetch,
    LookHitEnds,
    LookHitLate,
    LookNoWay,
    LookFree,
    LookInvalidate,
    LookWriteBack,
    LookEvict,
    InvRead,
    InvAbsent,
    InvAbsentDirty,
    InvClean,
    InvCleanDirty,
    InvDirty,
    InvDirtyToo,
    WriteBackWaits,
    WriteBackGranted,
    Evict,
    EvictWalk,
    MemRequestWaits,
    MemRequestRead,
    MemRequestDirect,
    MemWaitWaits,
    MemWaitFills,
    MemWaitEnds,
    FillFetch,
    FillEnds,
    FillLate,
    L2Fetch,
    L2FillThere,
    L2FillFree,
    L2FillClean,
    L2FillDirty,
    MarkRead,
    Mark,
    MarkWalk,
    L2WalkRead,
    L2WalkClean,
    L2WalkDirty,
    L2WalkNext,
    L2WalkEnds,
    L3WalkRead,
    L3WalkInvalidate,
    L3WalkWriteBack,
    L3WalkEvict,
    L3WalkNext,
    L3WalkEnds,
}

impl From<Branch> for usize {
    fn from(branch: Branch) -> Self {
        branch as Self
    }
}

const STRAP: Axis = Axis { name: "strap", values: &[] };
const BRANCH: Axis = Axis {
    name: "branch",
    values: &[
        "clear: goes on",
        "clear: ends",
        "idle: L2 shrinks",
        "idle: L3 shrinks",
        "idle: nothing",
        "idle: to L2",
        "idle: to L3",
        "l2_read",
        "l2_look: read hits",
        "l2_look: write hits",
        "l2_look: misses",
        "l3_read",
        "l3_look: hit, fetch",
        "l3_look: hit, ends",
        "l3_look: hit, late",
        "l3_look: no way",
        "l3_look: free way",
        "l3_look: invalidate",
        "l3_look: write back",
        "l3_look: evict",
        "inv_read",
        "inv_look: absent",
        "inv_look: absent, dirty in L3",
        "inv_look: clean",
        "inv_look: clean, dirty in L3",
        "inv_look: dirty",
        "inv_look: dirty in both",
        "write_back: waits",
        "write_back: granted",
        "evict",
        "evict: walk",
        "mem_request: waits",
        "mem_request: read",
        "mem_request: direct write",
        "mem_wait: waits",
        "mem_wait: fills",
        "mem_wait: ends",
        "l3_fill: fetch",
        "l3_fill: ends",
        "l3_fill: late",
        "l2_fetch",
        "l2_fill: there already",
        "l2_fill: free way",
        "l2_fill: clean victim",
        "l2_fill: dirty victim",
        "mark_read",
        "mark",
        "mark: walk",
        "l2_walk_read",
        "l2_walk: clean",
        "l2_walk: dirty",
        "l2_walk: next",
        "l2_walk: ends",
        "l3_walk_read",
        "l3_walk: invalidate",
        "l3_walk: write back",
        "l3_walk: evict",
        "l3_walk: next",
        "l3_walk: ends",
    ],
};
const L2: Axis = Axis { name: "L2", values: &["no", "yes"] };
const ACCESS: Axis = Axis { name: "access", values: &["read", "code", "write"] };
const RESULT: Axis = Axis { name: "result", values: &["hits L2", "hits L3", "fills L3", "fills nothing"] };
const MASK: Axis = Axis { name: "mask", values: &["none", "full", "one piece", "pieces", "empty", "ignored"] };
const CACHE: Axis = Axis { name: "cache", values: &["L3", "L2"] };
const PLACE: Axis = Axis { name: "way", values: &["allowed", "not allowed"] };
const DIRTY: Axis = Axis { name: "line", values: &["clean", "dirty"] };
const READY: Axis = Axis { name: "ready", values: &["1", "2", "3", "4"] };
const STAGE: Axis = Axis { name: "stage", values: &["L2", "L3"] };
const BEHIND: Axis = Axis { name: "chosen", values: &["next", "another", "the same"] };
const HELD: Axis = Axis { name: "others wait for credit", values: &["no", "yes"] };
const REGISTER: Axis = Axis {
    name: "register",
    values: &[
        "L3_QOS_CFG",
        "L2_QOS_CFG",
        "QM_EVTSEL",
        "QM_CTR",
        "PQR_ASSOC",
        "L3_MASK",
        "L2_MASK",
        "BW_Thrtl",
        "another",
    ],
};
const OP: Axis = Axis { name: "operation", values: &["RDMSR", "WRMSR", "another"] };
const ANSWER: Axis = Axis { name: "result", values: &["done", "#GP", "not mine"] };
const SHAPE: Axis = Axis { name: "value", values: &["empty", "one piece", "pieces", "too long"] };
const TAKEN: Axis = Axis { name: "result", values: &["taken", "refused"] };
const VENDOR: Axis = Axis { name: "vendor", values: &["intel", "amd"] };
const SPARSE: Axis = Axis { name: "sparse", values: &["no", "yes"] };
const REASON: Axis = Axis {
    name: "why",
    values: &[
        "CDP: reserved",
        "EVTSEL: reserved",
        "EVTSEL: RMID too wide",
        "PQR: reserved",
        "PQR: RMID",
        "PQR: class",
        "PQR: class halved",
        "delay: reserved",
        "delay: too large",
    ],
};
const EVENT: Axis = Axis { name: "event", values: &["0", "1", "2", "3", "above"] };
const DATA: Axis = Axis {
    name: "data",
    values: &["no such event", "no such RMID", "settling", "unavailable", "both", "zero", "counted"],
};
const SELECT: Axis = Axis { name: "select", values: &["thread", "package"] };
const POWER: Axis = Axis { name: "ways with power", values: &["none", "fewer", "all again", "more", "none to some"] };
const LINES: Axis = Axis { name: "lines to be emptied", values: &["none", "clean", "dirty"] };
const TRANSFER: Axis = Axis { name: "transfer", values: &["fill", "read alone", "write alone", "write-back", "walk"] };
const LOCAL: Axis = Axis { name: "local", values: &["no", "yes"] };
const TOTAL_EVENT: Axis = Axis { name: "total", values: &["no", "yes"] };
const LOCAL_EVENT: Axis = Axis { name: "local bandwidth", values: &["no", "yes"] };
const WRITE_BACKS: Axis = Axis { name: "write_backs", values: &["0", "1"] };
const SCOPE: Axis = Axis { name: "scope", values: &["core", "thread"] };
const LINEAR: Axis = Axis { name: "linear", values: &["no", "yes"] };
const DELAY: Axis = Axis { name: "delay", values: &["0", "of its class", "of another"] };
const CREDIT: Axis = Axis { name: "credit", values: &["waits", "chosen", "earns"] };
const CDP: Axis = Axis { name: "CDP", values: &["off", "on"] };
const CLASS: Axis = Axis { name: "class", values: &["even", "odd", "beyond"] };
const COUNTER: Axis = Axis { name: "counter", values: &["total", "local"] };
const CROSSES: Axis = Axis { name: "crosses", values: &["width", "62 bits"] };
const PRIVILEGE: Axis = Axis { name: "level", values: &["0", "1", "2", "3", "real", "virtual-8086"] };
const CHANGE: Axis =
    Axis { name: "changed by", values: &["mask", "CDP", "association", "power", "another access of the line"] };
const AT: Axis = Axis { name: "while", values: &["it waits for L2", "it waits for L3", "in progress"] };

/// The declarations of the crosses.
pub(super) const DECLARED: &[Declared] = &[
    Declared { id: "COV-RDT-01", title: "value of a strap", axes: &[STRAP] },
    Declared { id: "COV-RDT-02", title: "branch of a step", axes: &[BRANCH, L2] },
    Declared { id: "COV-RDT-03", title: "access, what it becomes, and its mask of L3", axes: &[ACCESS, RESULT, MASK] },
    Declared { id: "COV-RDT-04", title: "hit of a way and the mask", axes: &[CACHE, ACCESS, PLACE, DIRTY] },
    Declared { id: "COV-RDT-05", title: "choice", axes: &[READY, STAGE, BEHIND, HELD] },
    Declared { id: "COV-RDT-06", title: "request and result", axes: &[REGISTER, OP, ANSWER] },
    Declared { id: "COV-RDT-07", title: "mask that is written", axes: &[CACHE, SHAPE, VENDOR, SPARSE, TAKEN] },
    Declared { id: "COV-RDT-08", title: "value that is refused", axes: &[REASON] },
    Declared { id: "COV-RDT-09", title: "data of IA32_QM_CTR", axes: &[EVENT, DATA, SELECT] },
    Declared { id: "COV-RDT-10", title: "change of power", axes: &[CACHE, POWER, LINES] },
    Declared {
        id: "COV-RDT-11",
        title: "transfer and what it counts",
        axes: &[TRANSFER, LOCAL, TOTAL_EVENT, LOCAL_EVENT, WRITE_BACKS],
    },
    Declared { id: "COV-RDT-12", title: "pace", axes: &[SCOPE, LINEAR, DELAY, CREDIT] },
    Declared { id: "COV-RDT-13", title: "mask of a class", axes: &[CACHE, CDP, CLASS, ACCESS] },
    Declared { id: "COV-RDT-14", title: "bandwidth counter goes beyond", axes: &[COUNTER, CROSSES] },
    Declared { id: "COV-RDT-15", title: "privilege", axes: &[PRIVILEGE, OP, ANSWER] },
    Declared { id: "COV-RDT-16", title: "change behind an access", axes: &[CHANGE, AT] },
];
