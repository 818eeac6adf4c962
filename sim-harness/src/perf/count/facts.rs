//! What an instruction adds to the event bus, as far as a trace and the front end know it.

use super::Gap;
use lwp_model::perf::Line;

/// Declares the facts, each with its line of the event bus.
macro_rules! facts {
    ($($name:ident $line:ident $doc:literal;)+) => {
        /// Kind of occurrence that an instruction may have any number of.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub(super) enum Fact {
            $(#[doc = $doc] $name,)+
        }

        impl Fact {
            /// All of them.
            pub(super) const ALL: &[Self] = &[$(Self::$name,)+];

            /// Returns the line of the event bus that shows it.
            #[must_use]
            pub(super) const fn line(self) -> Line {
                match self {
                    $(Self::$name => Line::$line,)+
                }
            }

            /// Returns what it is, in words.
            #[must_use]
            pub(super) const fn meaning(self) -> &'static str {
                match self {
                    $(Self::$name => $doc,)+
                }
            }
        }

        /// How many facts there are.
        const COUNT: usize = [$(Fact::$name,)+].len();
    };
}

facts! {
    References DataMemRefs "loads and stores";
    Misaligned MisalignMemRef "loads and stores across a 64-bit boundary";
    DataIn DcuLinesIn "lines allocated in the data cache";
    DataModifiedIn DcuMLinesIn "lines allocated in the data cache for a store";
    DataModifiedOut DcuMLinesOut "modified lines that leave the data cache";
    Fetches IfuIfetch "instruction fetches";
    FetchMisses IfuIfetchMiss "instruction fetches that the instruction cache lacks";
    ItlbMisses ItlbMiss "instruction fetches whose page the instruction TLB lacks";
    L2FetchI L2IfetchI "instruction fetches that the L2 lacks";
    L2FetchS L2IfetchS "instruction fetches of a Shared line of the L2";
    L2FetchE L2IfetchE "instruction fetches of an Exclusive line of the L2";
    L2FetchM L2IfetchM "instruction fetches of a Modified line of the L2";
    L2LoadI L2LdI "loads that the L2 lacks";
    L2LoadS L2LdS "loads of a Shared line of the L2";
    L2LoadE L2LdE "loads of an Exclusive line of the L2";
    L2LoadM L2LdM "loads of a Modified line of the L2";
    L2StoreI L2StI "stores that the L2 lacks";
    L2StoreS L2StS "stores to a Shared line of the L2";
    L2StoreE L2StE "stores to an Exclusive line of the L2";
    L2StoreM L2StM "stores to a Modified line of the L2";
    L2RequestI L2RqstsI "requests that the L2 lacks";
    L2RequestS L2RqstsS "requests for a Shared line of the L2";
    L2RequestE L2RqstsE "requests for an Exclusive line of the L2";
    L2RequestM L2RqstsM "requests for a Modified line of the L2";
    L2In L2LinesIn "lines allocated in the L2";
    L2Out L2LinesOut "lines that leave the L2";
    L2ModifiedIn L2MLinesInm "modified lines allocated in the L2";
    L2ModifiedOut L2MLinesOutm "modified lines that leave the L2";
    LastLevel LlcReferences "references to the last-level cache";
    LastLevelMisses LlcMisses "misses of the last-level cache";
    Flops Flops "computational x87 instructions";
    Computations FpCompOpsExe "computational x87 instructions, integer multiplies and divides";
    Multiplies Mul "multiplies, integer and x87";
    Divides Div "divides, integer and x87";
    Mmx MmxExec "MMX instructions without stores of MOVQ and MOVD";
    MmxSaturating MmxSatExec "saturating MMX instructions";
    MmxMultiply MmxTypeMul "packed multiplies of MMX";
    MmxShift MmxTypeShift "packed shifts of MMX";
    MmxPack MmxTypePack "packs of MMX";
    MmxUnpack MmxTypeUnpack "unpacks of MMX";
    MmxLogical MmxTypeLogical "packed logical operations of MMX";
    MmxArithmetic MmxTypeArith "packed arithmetic operations of MMX";
    MmxToX87 MmxToFp "transitions from MMX to x87";
    X87ToMmx FpToMmx "transitions from x87 to MMX";
    Emms MmxAssist "EMMS instructions";
    MmxRetired MmxRetired "MMX instructions";
    Sse KniRetired "SSE instructions";
    SseScalar KniRetiredScalar "scalar SSE instructions";
    SseComputations KniCompRetired "SSE computations";
    SseScalarComputations KniCompRetiredScalar "scalar SSE computations";
    PrefetchNta KniPrefDispatchedNta "PREFETCHNTA";
    PrefetchT1 KniPrefDispatchedT1 "PREFETCHT1";
    PrefetchT2 KniPrefDispatchedT2 "PREFETCHT2";
    WeakStores KniPrefDispatchedWeak "weakly ordered stores";
    SegmentLoads SegmentRegLoads "loads of a segment register";
    Decoded InstDecoded "instructions decoded";
    BranchesDecoded BrDecoded "branches decoded";
}

impl Fact {
    /// Returns how many of them a core shows in one cycle at most: what the line holds.
    #[must_use]
    pub(super) const fn most(self) -> u32 {
        if self.line().is_level() { 1 } else { 15 }
    }

    /// Whether the fact follows from the code of an instruction.
    #[must_use]
    pub(super) const fn is_of_code(self) -> bool {
        self as u8 >= Self::Flops as u8 && (self as u8) < Self::Decoded as u8
    }
}

/// How often each kind occurred.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Facts {
    numbers: [u32; COUNT],
    /// A bit for each kind of which there are some.
    some: u64,
}

const _: () = assert!(COUNT <= u64::BITS as usize, "a bit for each kind");

impl Default for Facts {
    fn default() -> Self {
        Self { numbers: [0; COUNT], some: 0 }
    }
}

impl Facts {
    /// Returns how often it occurred.
    #[inline]
    #[must_use]
    pub(super) const fn of(&self, fact: Fact) -> u32 {
        self.numbers[fact as usize]
    }

    /// Adds occurrences.
    #[inline]
    pub(super) const fn add(&mut self, fact: Fact, number: u32) {
        self.numbers[fact as usize] += number;
        self.some |= ((number > 0) as u64) << fact as u32;
    }

    /// Returns the kinds of which there are some, and how many.
    #[inline]
    pub(super) fn iter(&self) -> impl Iterator<Item = (Fact, u32)> {
        let mut left = self.some;
        std::iter::from_fn(move || {
            let at = left.trailing_zeros() as usize;
            left &= left.wrapping_sub(1);
            Some((*Fact::ALL.get(at)?, self.numbers[at]))
        })
    }

    /// Takes what one cycle shows: of each kind as many as its line holds.
    #[must_use]
    pub(super) fn take_cycle(&mut self) -> Self {
        let mut shown = Self::default();
        let all = *self;
        for (fact, number) in all.iter() {
            let most = number.min(fact.most());
            shown.add(fact, most);
            self.numbers[fact as usize] -= most;
            self.some &= !(u64::from(number == most) << fact as u32);
        }
        shown
    }

    /// Whether nothing is left.
    #[inline]
    #[must_use]
    pub(super) const fn is_empty(&self) -> bool {
        self.some == 0
    }
}

/// For each kind the first instruction of which the trace does not tell it.
#[derive(Clone, Debug)]
pub(super) struct Gaps([Option<Gap>; COUNT]);

impl Default for Gaps {
    fn default() -> Self {
        Self([const { None }; COUNT])
    }
}

impl Gaps {
    /// Returns why the number of these is not known, if it is not.
    #[must_use]
    pub(super) const fn of(&self, fact: Fact) -> Option<&Gap> {
        self.0[fact as usize].as_ref()
    }

    /// Notes a gap for each of these kinds that has none.
    pub(super) fn note(&mut self, facts: impl IntoIterator<Item = Fact>, gap: impl Fn() -> Gap) {
        for fact in facts {
            let place = &mut self.0[fact as usize];
            if place.is_none() {
                *place = Some(gap());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_facts_share_a_line() {
        for (at, fact) in Fact::ALL.iter().enumerate() {
            assert!(Fact::ALL[..at].iter().all(|other| other.line() != fact.line()), "{fact:?}");
            assert_eq!(*fact as usize, at);
        }
    }

    #[test]
    fn a_cycle_takes_what_its_lines_hold() {
        let mut facts = Facts::default();
        facts.add(Fact::References, 33);
        facts.add(Fact::Misaligned, 2);
        let shown: Vec<(u32, u32)> = std::iter::from_fn(|| (!facts.is_empty()).then(|| facts.take_cycle()))
            .map(|cycle| (cycle.of(Fact::References), cycle.of(Fact::Misaligned)))
            .collect();
        assert_eq!(shown, [(15, 1), (15, 1), (3, 0)]);
    }
}
