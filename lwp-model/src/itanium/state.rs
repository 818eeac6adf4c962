//! Every register of the unit, in the order of the RTL's `state_t`.

use super::operation::RegResult;

/// Generic counters.
pub const COUNTERS: usize = 4;
/// Pairs of IBRs, and pairs of DBRs.
pub const PAIRS: usize = 4;
/// Entries of the table of tags in the largest build.
pub const MAX_ENTRIES: usize = 16;

/// Bits of the PSR and of DCR that monitoring goes by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// PSR.up.
    pub up: bool,
    /// PSR.sp.
    pub sp: bool,
    /// PSR.pp.
    pub pp: bool,
    /// DCR.pp.
    pub dcr_pp: bool,
}

/// PMC\[0\] and the interrupt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Freeze {
    /// PMC\[0\].fr: nothing is monitored.
    pub fr: bool,
    /// PMC\[0\]\[7:4\]; bit c: PMD\[4 + c\] overflowed.
    pub overflow: u8,
    /// A performance monitor interrupt is requested.
    pub irq: bool,
}

impl Default for Freeze {
    fn default() -> Self {
        Self { fr: true, overflow: 0, irq: false }
    }
}

/// PMC\[4 + c\] and PMD\[4 + c\].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counter {
    /// Privilege level mask, 4 bits.
    pub plm: u8,
    /// External visibility: an overflow is shown at the pin.
    pub ev: bool,
    /// Overflow interrupt.
    pub oi: bool,
    /// Privilege monitor: enabled by PSR.pp rather than by PSR.up.
    pub pm: bool,
    /// Event select, 7 bits.
    pub es: u8,
    /// Unit mask, 4 bits.
    pub umask: u8,
    /// Threshold: 3 bits in the first two counters, 2 bits in the others.
    pub threshold: u8,
    /// Instruction set mask: bits 25:24 as they were written.
    pub ism: u8,
    /// PMD\[4 + c\]\[31:0\].
    pub count: u32,
    /// The counter overflowed in the last cycle, and `ev` was 1.
    pub pin: bool,
}

/// PMC\[8\] or PMC\[9\].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Matcher {
    /// Bits {40:27, 12:0} of the encoding that do not matter, 27 bits.
    pub mask: u32,
    /// What the others have to be, 27 bits.
    pub match_value: u32,
    /// Instructions in B slots can match.
    pub b: bool,
    /// Instructions in F slots can match.
    pub f: bool,
    /// Instructions in I slots can match.
    pub i: bool,
    /// Instructions in M slots can match.
    pub m: bool,
}

impl Default for Matcher {
    fn default() -> Self {
        Self { mask: 0x7FF_FFFF, match_value: 0, b: true, f: true, i: true, m: true }
    }
}

/// PMC\[10\].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pmc10 {
    /// Privilege level mask, 4 bits.
    pub plm: u8,
    /// Privilege monitor.
    pub pm: bool,
    /// TLB misses instead of cache misses.
    pub tlb: bool,
    /// Unit mask, 4 bits.
    pub umask: u8,
    /// Instruction set mask: bits 25:24 as they were written.
    pub ism: u8,
}

/// PMC\[11\].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pmc11 {
    /// Privilege level mask, 4 bits.
    pub plm: u8,
    /// Privilege monitor.
    pub pm: bool,
    /// TLB misses instead of cache misses.
    pub tlb: bool,
    /// Unit mask, 4 bits.
    pub umask: u8,
    /// Instruction set mask: bits 25:24 as they were written.
    pub ism: u8,
    /// Pass tags: no data address constraint.
    pub pt: bool,
}

impl Default for Pmc11 {
    fn default() -> Self {
        Self { plm: 0, pm: false, tlb: false, umask: 0, ism: 0, pt: true }
    }
}

/// PMC\[12\].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pmc12 {
    /// Privilege level mask, 4 bits.
    pub plm: u8,
    /// Privilege monitor.
    pub pm: bool,
    /// Branches predicted by the target address registers.
    pub tar: bool,
    /// Taken mask, 2 bits.
    pub tm: u8,
    /// Predicted target mask, 2 bits.
    pub ptm: u8,
    /// Predicted predicate mask, 2 bits.
    pub ppm: u8,
    /// Branches predicted by the target address cache.
    pub bpt: bool,
    /// Branches predicted by the branch address calculator.
    pub bac: bool,
}

/// PMC\[13\].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pmc13 {
    /// Tag all: no instruction address constraint.
    pub ta: bool,
    /// Bits 63:1, kept without effect.
    pub rest: u64,
}

impl Default for Pmc13 {
    fn default() -> Self {
        Self { ta: true, rest: 0 }
    }
}

/// A pair of instruction breakpoint registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ibr {
    /// Address.
    pub addr: u64,
    /// Bits 55:0 of the address that are compared.
    pub mask: u64,
    /// Privilege level mask, 4 bits.
    pub plm: u8,
    /// The pair is a breakpoint, not a range.
    pub x: bool,
}

/// A pair of data breakpoint registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dbr {
    /// Address.
    pub addr: u64,
    /// Bits 55:0 of the address that are compared.
    pub mask: u64,
    /// Privilege level mask, 4 bits.
    pub plm: u8,
    /// The pair is a breakpoint for writes. Without effect here.
    pub w: bool,
    /// The pair is a breakpoint for reads. Without effect here.
    pub r: bool,
}

/// Tags of a bundle in flight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TagEntry {
    /// IBRRangeTag of the bundle.
    pub range: bool,
    /// Bit s: Tag(PMC\[8\]) of the instruction in slot s.
    pub pmc8: u8,
    /// Bit s: Tag(PMC\[9\]) of the instruction in slot s.
    pub pmc9: u8,
}

/// When the event address registers and the branch trace buffer may act.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ear {
    /// The monitor of PMC\[10\] was on in the last cycle.
    pub iear_on: bool,
    /// The monitor of PMC\[11\] was on in the last cycle.
    pub dear_on: bool,
    /// The monitor of PMC\[12\] was on in the last cycle.
    pub btb_on: bool,
}

/// Answer to a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The request of the last cycle is answered.
    pub reg_done: bool,
    /// Result of the request.
    pub reg_result: RegResult,
    /// What a mov from a register file reads.
    pub reg_rdata: u64,
}

/// Every register.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// Bits of the PSR and of DCR.
    pub status: Status,
    /// PMC\[0\] and the interrupt.
    pub freeze: Freeze,
    /// The generic counters.
    pub counter: [Counter; COUNTERS],
    /// PMC\[8\] and PMC\[9\].
    pub matcher: [Matcher; 2],
    /// PMC\[10\].
    pub pmc10: Pmc10,
    /// PMC\[11\].
    pub pmc11: Pmc11,
    /// PMC\[12\].
    pub pmc12: Pmc12,
    /// PMC\[13\].
    pub pmc13: Pmc13,
    /// Pairs of instruction breakpoint registers.
    pub ibr: [Ibr; PAIRS],
    /// Pairs of data breakpoint registers.
    pub dbr: [Dbr; PAIRS],
    /// Tags of the bundles in flight. What a build does not have is 0.
    pub tag: [TagEntry; MAX_ENTRIES],
    /// When the event address registers and the branch trace buffer may act.
    pub ear: Ear,
    /// Answer to the request of the last cycle.
    pub answer: Answer,
}
