//! The crosses, in the order of [`Cover`].

use crate::coverage::{Axis, Declared};

/// The crosses by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(super) enum Cover {
    StrapValue,
    Result,
    Move,
    Event,
    InstructionTags,
    RecordTags,
    SevenQualifiers,
    SixQualifiers,
    Monitor,
    Level,
    WhichMonitor,
    Overflow,
    Freeze,
    Interrupt,
    Status,
    Dcr,
    Interruption,
    Template,
    Long,
    Matcher,
    Range,
    Data,
    Address,
    Entry,
    Two,
    Carried,
    Threshold,
    CounterRead,
    Reset,
}

impl From<Cover> for usize {
    fn from(cover: Cover) -> Self {
        cover as Self
    }
}

const STRAP: Axis = Axis { name: "strap", values: &[] };
const OP: Axis = Axis {
    name: "operation",
    values: &["of x86", "read", "write", "sum", "rum", "mov psr.um", "ssm", "rsm", "mov psr.l", "rfi"],
};
const MOVE: Axis = Axis { name: "move", values: &["read", "write"] };
const LEVEL: Axis = Axis { name: "level", values: &["0", "1", "2", "3"] };
const RESULT: Axis =
    Axis { name: "result", values: &["done", "not mine", "Privileged Operation", "Reserved Register"] };
const FILE: Axis = Axis { name: "file", values: &["pmc", "pmd", "ibr", "dbr", "cr", "none"] };
const INDEX: Axis = Axis { name: "index", values: &["0", "1 to 3", "4 to 7", "8, 9", "10", "11", "12", "13", "above"] };
const EVENT: Axis = Axis {
    name: "event",
    values: &[
        "08H", "0DH", "12H", "15H", "31H", "60H", "61H", "63H", "64H", "66H", "69H", "6AH", "6CH", "6DH", "another",
    ],
};
const UMASK: Axis = Axis { name: "unit mask", values: &["0", "1", "2", "3", "above"] };
const SELECTED: Axis = Axis { name: "selected", values: &["0", "1", "more"] };
const ON: Axis = Axis { name: "monitor", values: &["off", "on"] };
const OF_INSTRUCTION: Axis = Axis { name: "event", values: &["08H, 0", "08H, 3", "08H, 2", "0DH", "31H"] };
const OF_RECORD: Axis =
    Axis { name: "event", values: &["60H", "61H", "63H", "64H", "66H", "69H", "6AH", "6CH", "6DH"] };
const TAG_8: Axis = Axis { name: "Tag(PMC[8])", values: &["miss", "hit"] };
const TAG_9: Axis = Axis { name: "Tag(PMC[9])", values: &["miss", "hit"] };
const CARRIED_8: Axis = Axis { name: "Tag(PMC[8])", values: &["miss", "hit", "off"] };
const DATA_TAG: Axis = Axis { name: "DBRRangeTag", values: &["miss", "hit", "off"] };
const OCCURS: Axis = Axis { name: "occurs", values: &["no", "yes"] };
const ADDRESS_OPCODE: Axis = Axis { name: "address and opcode", values: &["neither", "address", "opcode", "both"] };
const ADDRESS: Axis = Axis { name: "address", values: &["no", "yes"] };
const OPCODE: Axis = Axis { name: "opcode", values: &["no", "yes"] };
const DATA: Axis = Axis { name: "data", values: &["no", "yes"] };
const IN_PLM: Axis = Axis { name: "level in plm", values: &["no", "yes"] };
const SET: Axis = Axis { name: "instruction set", values: &["no", "yes"] };
const FR: Axis = Axis { name: "fr", values: &["0", "1"] };
const PM: Axis = Axis { name: "pm", values: &["0", "1"] };
const PROCESS: Axis = Axis { name: "PSR", values: &["neither", "up", "pp", "both"] };
const ISM: Axis = Axis { name: "ism", values: &["00", "01", "10", "11"] };
const ORDER: Axis =
    Axis { name: "code and strap", values: &["IA-64, field", "IA-64, printed", "IA-32, field", "IA-32, printed"] };
const CODE: Axis = Axis { name: "code", values: &["IA-64", "IA-32"] };
const PLM: Axis = Axis {
    name: "plm",
    values: &[
        "0000", "0001", "0010", "0011", "0100", "0101", "0110", "0111", "1000", "1001", "1010", "1011", "1100", "1101",
        "1110", "1111",
    ],
};
const WHICH: Axis =
    Axis { name: "of", values: &["PMC[4]", "PMC[5]", "PMC[6]", "PMC[7]", "PMC[10]", "PMC[11]", "PMC[12]"] };
const OI: Axis = Axis { name: "oi", values: &["0", "1"] };
const EV: Axis = Axis { name: "ev", values: &["0", "1"] };
const ALWAYS: Axis = Axis { name: "freeze_always", values: &["0", "1"] };
const WRITTEN: Axis = Axis { name: "written", values: &["nothing of it", "its PMD", "its PMC", "PMC[0]"] };
const OTHERS: Axis = Axis { name: "overflows", values: &["alone", "with others"] };
const OVERFLOW: Axis = Axis { name: "overflow", values: &["none", "not noted", "noted"] };
const PMC0: Axis = Axis { name: "PMC[0]", values: &["not written", "fr := 0", "fr := 1"] };
const NOTED: Axis = Axis { name: "noted before", values: &["no", "yes"] };
const IRQ: Axis = Axis { name: "irq", values: &["0", "1"] };
const ACK: Axis = Axis { name: "irq_ack", values: &["0", "1"] };
const RAISED: Axis = Axis { name: "raised", values: &["no", "yes"] };
const CAUSE: Axis = Axis { name: "cause", values: &["sum", "rum", "mov psr.um", "ssm", "rsm", "mov psr.l", "rfi"] };
const KERNEL: Axis = Axis { name: "level", values: &["0", "above"] };
const SP: Axis = Axis { name: "sp", values: &["0", "1"] };
const UP: Axis = Axis { name: "up", values: &["0", "1"] };
const PP: Axis = Axis { name: "pp", values: &["0", "1"] };
const SOURCE: Axis =
    Axis { name: "source", values: &["none", "up", "sp", "up sp", "pp", "up pp", "sp pp", "up sp pp"] };
const VALUE: Axis = Axis { name: "value", values: &["0", "1"] };
const DCR_PP: Axis = Axis { name: "dcr_pp", values: &["0", "1"] };
const ON_INTERRUPTION: Axis = Axis { name: "up_on_interruption", values: &["kept", "cleared"] };
const ASKED: Axis = Axis { name: "request", values: &["no", "yes"] };
const TEMPLATE: Axis = Axis {
    name: "template",
    values: &[
        "00", "01", "02", "03", "04", "05", "06", "07", "08", "09", "0A", "0B", "0C", "0D", "0E", "0F", "10", "11",
        "12", "13", "14", "15", "16", "17", "18", "19", "1A", "1B", "1C", "1D", "1E", "1F",
    ],
};
const SLOT: Axis = Axis { name: "slot", values: &["0", "1", "2"] };
const MATCHER: Axis = Axis { name: "matcher", values: &["PMC[8]", "PMC[9]"] };
const RANGE: Axis = Axis { name: "range", values: &["miss", "hit"] };
const MATCH: Axis = Axis { name: "matches", values: &["no", "yes"] };
const LONG: Axis = Axis { name: "template", values: &["04", "05"] };
const X: Axis = Axis { name: "X", values: &["I", "B"] };
const KINDS: Axis = Axis { name: "kinds", values: &["neither", "i", "b", "both"] };
const KIND: Axis = Axis { name: "kind", values: &["M", "I", "F", "B"] };
const KIND_BIT: Axis = Axis { name: "its bit", values: &["0", "1"] };
const AGREE: Axis = Axis { name: "bits agree", values: &["no", "yes"] };
const MASK: Axis = Axis { name: "mask", values: &["all ones", "some", "0"] };
const TA: Axis = Axis { name: "ta", values: &["0", "1"] };
const PT: Axis = Axis { name: "pt", values: &["0", "1"] };
const PAIRS: Axis = Axis { name: "pairs", values: &["0", "1", "more"] };
const BREAKPOINT: Axis = Axis { name: "breakpoint hit", values: &["no", "yes"] };
const PAIR: Axis = Axis { name: "pair", values: &["ibr", "dbr"] };
const DIFFERENCE: Axis = Axis {
    name: "address differs in",
    values: &["nothing", "bits 3:0 alone", "bits not compared", "bits 63:56 alone", "bits compared"],
};
const FLAG: Axis = Axis { name: "x, w or r", values: &["0", "1"] };
const FETCHED: Axis = Axis { name: "fetched", values: &["no", "yes"] };
const ISSUED: Axis = Axis { name: "issued", values: &["no", "yes"] };
const RETIRED: Axis = Axis { name: "retires", values: &["no", "yes"] };
const RECORD: Axis = Axis { name: "record", values: &["no", "yes"] };
const TWO: Axis = Axis { name: "two", values: &["fetches", "issues", "retirements", "records"] };
const ENTRY: Axis = Axis { name: "entry", values: &["same", "another"] };
const ALIKE: Axis = Axis { name: "alike", values: &["no", "yes"] };
const BY: Axis = Axis { name: "by", values: &["instruction", "record"] };
const RANGE_NOW: Axis = Axis { name: "range now", values: &["miss", "hit"] };
const OPCODE_NOW: Axis = Axis { name: "opcode now", values: &["no", "yes"] };
const COUNTERS: Axis = Axis { name: "counter", values: &["4, 5", "6, 7"] };
const THRESHOLD: Axis = Axis { name: "threshold", values: &["0", "1", "2", "3", "4", "5", "6", "7"] };
const N: Axis = Axis { name: "n", values: &["0", "1", "2", "3", "4", "5 or 6"] };
const COUNT: Axis = Axis { name: "count", values: &["bit 31 is 0", "bit 31 is 1", "changes"] };
const ANSWER: Axis = Axis { name: "answer", values: &["none", "pending"] };

/// The declarations of the crosses.
pub(super) const DECLARED: &[Declared] = &[
    Declared { id: "COV-ITA-01", title: "value of a strap", axes: &[STRAP] },
    Declared { id: "COV-ITA-02", title: "operation, level and result", axes: &[OP, LEVEL, RESULT] },
    Declared { id: "COV-ITA-03", title: "mov of a register", axes: &[FILE, INDEX, MOVE, LEVEL] },
    Declared { id: "COV-ITA-04", title: "event, unit mask, number", axes: &[EVENT, UMASK, SELECTED, ON] },
    Declared {
        id: "COV-ITA-05",
        title: "event and tags of an instruction",
        axes: &[OF_INSTRUCTION, TAG_8, TAG_9, OCCURS, ON],
    },
    Declared {
        id: "COV-ITA-06",
        title: "event and tags of a memory record",
        axes: &[OF_RECORD, CARRIED_8, DATA_TAG, OCCURS, ON],
    },
    Declared {
        id: "COV-ITA-07",
        title: "seven qualifiers of a memory event",
        axes: &[ADDRESS_OPCODE, DATA, OCCURS, IN_PLM, SET, FR],
    },
    Declared {
        id: "COV-ITA-08",
        title: "six qualifiers of an instruction's event",
        axes: &[ADDRESS, OPCODE, OCCURS, IN_PLM, SET, FR],
    },
    Declared { id: "COV-ITA-09", title: "conditions of a monitor", axes: &[FR, PM, PROCESS, IN_PLM, ISM, ORDER] },
    Declared { id: "COV-ITA-10", title: "level and plm, the rest monitored", axes: &[PLM, LEVEL] },
    Declared { id: "COV-ITA-11", title: "which monitor", axes: &[WHICH, PM, CODE, FR, ON] },
    Declared { id: "COV-ITA-12", title: "overflow", axes: &[OI, EV, ALWAYS, WRITTEN, OTHERS] },
    Declared { id: "COV-ITA-13", title: "freeze", axes: &[FR, OVERFLOW, PMC0, NOTED] },
    Declared { id: "COV-ITA-14", title: "interrupt", axes: &[IRQ, ACK, RAISED, ALWAYS] },
    Declared { id: "COV-ITA-15", title: "change of the PSR", axes: &[CAUSE, KERNEL, SP, UP, PP, SOURCE] },
    Declared { id: "COV-ITA-16", title: "write of DCR", axes: &[VALUE, DCR_PP, PP] },
    Declared { id: "COV-ITA-17", title: "interruption", axes: &[ON_INTERRUPTION, UP, PP, DCR_PP, ASKED, KERNEL] },
    Declared { id: "COV-ITA-18", title: "template and match", axes: &[TEMPLATE, SLOT, MATCHER, RANGE, MATCH] },
    Declared { id: "COV-ITA-19", title: "long instruction", axes: &[LONG, X, KINDS, MATCHER, MATCH] },
    Declared { id: "COV-ITA-20", title: "kind and bits", axes: &[MATCHER, KIND, KIND_BIT, AGREE, MASK] },
    Declared { id: "COV-ITA-21", title: "instruction address range", axes: &[TA, PAIRS, BREAKPOINT, LEVEL, CODE] },
    Declared { id: "COV-ITA-22", title: "data address range", axes: &[PT, PAIRS, LEVEL, CODE] },
    Declared { id: "COV-ITA-23", title: "address and pair", axes: &[PAIR, DIFFERENCE, IN_PLM, FLAG] },
    Declared { id: "COV-ITA-24", title: "entry in a cycle", axes: &[FETCHED, ISSUED, RETIRED, RECORD, CODE] },
    Declared { id: "COV-ITA-25", title: "two in a cycle", axes: &[TWO, ENTRY, ALIKE] },
    Declared { id: "COV-ITA-26", title: "tag that is carried", axes: &[BY, TAG_8, RANGE_NOW, OPCODE_NOW] },
    Declared { id: "COV-ITA-27", title: "threshold and number", axes: &[COUNTERS, THRESHOLD, N] },
    Declared { id: "COV-ITA-28", title: "read of a counter", axes: &[KERNEL, SP, PM, COUNT] },
    Declared { id: "COV-ITA-29", title: "reset", axes: &[IRQ, FR, ANSWER, UP] },
];
