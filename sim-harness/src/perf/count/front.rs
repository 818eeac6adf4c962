//! The front end of counting: which facts an instruction adds, and which the trace does not tell.

use super::Gap;
use super::caches::Caches;
use super::code::ProgramCode;
use super::decode::Kind;
use super::facts::{Fact, Facts, Gaps};
use crate::traces::{Part, Retired, TraceNotes, TraceReader};

/// Facts of the caches alone, which a trace with outcomes of its own does not tell.
const OF_CACHES: [Fact; 14] = [
    Fact::DataModifiedOut,
    Fact::L2FetchI,
    Fact::L2FetchS,
    Fact::L2FetchE,
    Fact::L2FetchM,
    Fact::L2RequestI,
    Fact::L2RequestS,
    Fact::L2RequestE,
    Fact::L2RequestM,
    Fact::L2In,
    Fact::L2Out,
    Fact::L2ModifiedIn,
    Fact::L2ModifiedOut,
    Fact::LastLevel,
];
/// Facts of stores that miss.
const OF_STORES: [Fact; 6] =
    [Fact::DataIn, Fact::DataModifiedIn, Fact::L2StoreI, Fact::L2StoreS, Fact::L2StoreE, Fact::L2StoreM];
/// Facts of loads that miss.
const OF_LOADS: [Fact; 5] = [Fact::L2LoadI, Fact::L2LoadS, Fact::L2LoadE, Fact::L2LoadM, Fact::LastLevelMisses];
/// Facts of instruction fetch.
const OF_FETCH: [Fact; 3] = [Fact::Fetches, Fact::FetchMisses, Fact::ItlbMisses];

/// Facts of loads and stores.
fn of_memory() -> impl Iterator<Item = Fact> {
    [Fact::References, Fact::Misaligned].into_iter().chain(OF_CACHES).chain(OF_STORES).chain(OF_LOADS)
}

/// Makes facts of instructions, in the order of the trace.
#[derive(Debug)]
pub(super) struct Front {
    caches: Caches,
    code: ProgramCode,
    /// Whether the trace itself says which loads miss.
    annotated: bool,
    /// Whether all instructions so far could be decoded.
    has_code: bool,
    /// The last instruction that was of the x87 or of MMX.
    last: Kind,
    /// What is not known.
    pub(super) gaps: Gaps,
    number: u64,
}

impl Front {
    /// The front end at the beginning of a trace.
    pub(super) fn new(reader: &dyn TraceReader) -> Self {
        let mappings = reader.symbols().map_or(&[][..], |symbols| symbols.mappings());
        let mut gaps = Gaps::default();
        if reader.lacks().contains(&Part::Stores) {
            gaps.note(of_memory(), || Gap::whole("the trace has no stores"));
        }
        if reader.annotated() {
            let gap = || Gap::whole("the trace says itself which loads miss, and no more of the caches");
            gaps.note(OF_CACHES.into_iter().chain([Fact::LastLevelMisses]), gap);
        }
        Self {
            caches: Caches::new(),
            code: ProgramCode::new(mappings),
            annotated: reader.annotated(),
            has_code: true,
            last: Kind::Other,
            gaps,
            number: 0,
        }
    }

    /// Notes what the reader had to leave out, which it tells at the end of the trace.
    pub(super) fn end(&mut self, notes: &TraceNotes) {
        if notes.loads_left_out + notes.stores_left_out > 0 {
            self.gaps
                .note(of_memory(), || Gap::whole("loads or stores of an instruction that has too many are left out"));
        }
    }

    /// Adds what an instruction does.
    #[inline]
    pub(super) fn observe(&mut self, retired: &Retired, facts: &mut Facts) {
        facts.add(Fact::Decoded, u32::from(retired.flags.rep.counts()));
        facts.add(Fact::BranchesDecoded, u32::from(retired.branch.is_some()));
        self.fetch(retired, facts);
        if !retired.loads.is_empty() || !retired.stores.is_empty() {
            self.memory(retired, facts);
        }
        self.decode(retired, facts);
        self.number += 1;
    }

    fn fetch(&mut self, retired: &Retired, facts: &mut Facts) {
        if retired.length == 0 {
            let gap = self.gap(retired, "its length is unknown");
            self.gaps.note(OF_FETCH, &gap);
            self.gaps.note(OF_CACHES, gap);
            return;
        }
        let mut own = Facts::default();
        self.caches.fetch(retired.ip, retired.length, if self.annotated { &mut own } else { facts });
        if self.annotated {
            // The L2 of the front end sees the fetches alone, so that its part is not told.
            OF_FETCH.into_iter().for_each(|fact| facts.add(fact, own.of(fact)));
        }
    }

    fn memory(&mut self, retired: &Retired, facts: &mut Facts) {
        facts.add(Fact::References, (retired.loads.len() + retired.stores.len()) as u32);
        for load in &retired.loads {
            self.align(retired, load.addr, load.size, facts);
            match load.addr {
                _ if self.annotated => outcome(load.miss, load.source, facts),
                Some(addr) => self.caches.access(addr, load.size, false, facts),
                None => {
                    let all = || OF_CACHES.into_iter().chain(OF_STORES).chain(OF_LOADS);
                    let gap = self.gap(retired, "it loads from an unknown address");
                    self.gaps.note(all(), gap);
                }
            }
        }
        for store in &retired.stores {
            self.align(retired, Some(store.addr), store.size, facts);
            if self.annotated {
                let gap = self.gap(retired, "the trace does not say whether its store misses");
                self.gaps.note(OF_STORES, gap);
            } else {
                self.caches.access(store.addr, store.size, true, facts);
            }
        }
    }

    fn align(&mut self, retired: &Retired, addr: Option<u64>, size: u16, facts: &mut Facts) {
        match addr {
            Some(addr) if size > 0 => facts.add(Fact::Misaligned, u32::from(is_misaligned(addr, size))),
            _ => {
                let gap = self.gap(retired, "its access has no address or no size");
                self.gaps.note([Fact::Misaligned], gap);
            }
        }
    }

    fn decode(&mut self, retired: &Retired, facts: &mut Facts) {
        if !self.has_code {
            return;
        }
        match self.code.of(retired) {
            Ok(decoded) => {
                decoded.facts.iter().for_each(|fact| facts.add(*fact, 1));
                let (kind, has_inner) = (decoded.kind, decoded.has_inner);
                match (self.last, kind) {
                    (Kind::Mmx, Kind::X87) => facts.add(Fact::MmxToX87, 1),
                    (Kind::X87, Kind::Mmx) => facts.add(Fact::X87ToMmx, 1),
                    _ => {}
                }
                if kind != Kind::Other {
                    self.last = kind;
                }
                if has_inner {
                    let gap = self.gap(retired, "the number of operations inside a transcendental is unknown");
                    self.gaps.note([Fact::Flops, Fact::Computations, Fact::Multiplies, Fact::Divides], gap);
                }
            }
            Err(why) => {
                self.has_code = false;
                let why = why.to_owned();
                let (number, ip) = (self.number, retired.ip);
                let of_code = Fact::ALL.iter().copied().filter(|fact| fact.is_of_code());
                self.gaps.note(of_code, || Gap::at(number, ip, &why));
            }
        }
    }

    /// A gap at this instruction.
    fn gap(&self, retired: &Retired, why: &'static str) -> impl Fn() -> Gap + use<> {
        let (number, ip) = (self.number, retired.ip);
        move || Gap::at(number, ip, why)
    }
}

/// Whether an access crosses a 64-bit boundary; a larger one than that, whether it begins inside of 64 bits.
const fn is_misaligned(addr: u64, size: u16) -> bool {
    let into = addr % 8;
    if size > 8 { into != 0 } else { into + size as u64 > 8 }
}

/// What the trace says of a load: source 0 is the second level.
fn outcome(miss: bool, source: u8, facts: &mut Facts) {
    if miss {
        facts.add(Fact::DataIn, 1);
        facts.add(if source == 0 { Fact::L2LoadE } else { Fact::L2LoadI }, 1);
    }
}
