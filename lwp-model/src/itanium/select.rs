//! Stage select: how many events of a cycle a counter gets that pass their tags.
//!
//! The events of a cycle are counted once for all counters, by [`Kind`]. A counter adds up the kinds that it selects.

use super::data;
use super::inputs::{Inputs, Mem, Retire};
use super::state::State;
use super::tags::entry;
use lwp_regs::itanium::{Event, EventClass, Psr, Tag, Tags};

/// Kinds of events that a counter can select apart from others.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Instructions that retire, and whose events Tag(PMC\[8\]) lets pass.
    Passing,
    /// Instructions that retire with Tag(PMC\[8\]).
    TaggedByPmc8,
    /// Instructions that retire with Tag(PMC\[9\]).
    TaggedByPmc9,
    /// Instructions that pass, and whose qualifying predicate is 0.
    Squashed,
    /// Branches that pass and are taken in slot 0.
    Taken0,
    Taken1,
    Taken2,
    /// Branches that pass and are not taken.
    NotTaken,
    Loads,
    Stores,
    L1dReads,
    L1dMisses,
    L2Reads,
    L2Writes,
    L2Misses,
    DtcMisses,
    DtlbMisses,
    /// Records with a load or a store.
    References,
    CoreClock,
    Ia32,
}

/// Numbers of events, a byte for each kind, which is byte `kind % 8` of word `kind / 8`. In the selection of a counter a byte is all
/// ones if the counter selects the kind, and 0 if not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Events([u64; 3]);

/// What a counter counts in a cycle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    /// Any events.
    pub(super) any: bool,
    /// Events of instructions.
    pub(super) instructions: bool,
    /// Events of memory records.
    pub(super) records: bool,
}

impl Events {
    const NONE: Self = Self([0; 3]);

    /// The selection of a kind.
    const fn one(kind: Kind) -> Self {
        let mut words = [0; 3];
        words[kind as usize / 8] = 0xFF << (kind as u32 % 8 * 8);
        Self(words)
    }

    /// The selection of those of these kinds that are so.
    fn those<const N: usize>(kinds: [(bool, Kind); N]) -> Self {
        let either = |Self([a, b, c]), Self([d, e, f])| Self([a | d, b | e, c | f]);
        kinds.into_iter().filter(|(so, _)| *so).map(|(_, kind)| Self::one(kind)).fold(Self::NONE, either)
    }

    /// The kinds that `es` and `umask` of a counter select.
    pub(super) fn selected(es: u8, umask: u8) -> Self {
        let Some(event) = Event::from_es(es) else { return Self::NONE };
        let Some(class) = event.class(umask) else { return Self::NONE };
        match event {
            Event::Ia64InstRetired => Self::one(match class {
                EventClass::TaggedByPmc8 => Kind::TaggedByPmc8,
                EventClass::TaggedByPmc9 => Kind::TaggedByPmc9,
                _ => Kind::Passing,
            }),
            Event::BranchTakenSlot => Self::those([
                (Event::branches(umask, 0, 0b001) != 0, Kind::Taken0),
                (Event::branches(umask, 0, 0b010) != 0, Kind::Taken1),
                (Event::branches(umask, 0, 0b100) != 0, Kind::Taken2),
                (Event::branches(umask, 0b111, 0) != 0, Kind::NotTaken),
            ]),
            Event::CpuCycles => Self::one(Kind::CoreClock),
            Event::Ia32InstRetired => Self::one(Kind::Ia32),
            Event::PredicateSquashedRetired => Self::one(Kind::Squashed),
            Event::DtcMisses => Self::one(Kind::DtcMisses),
            Event::DtlbMisses => Self::one(Kind::DtlbMisses),
            Event::DataReferencesRetired => Self::one(Kind::References),
            Event::L1dReadsRetired => Self::one(Kind::L1dReads),
            Event::L1dReadMissesRetired => Self::one(Kind::L1dMisses),
            Event::L2DataReferences => Self::those([
                (Event::l2_references(umask, true, false) != 0, Kind::L2Reads),
                (Event::l2_references(umask, false, true) != 0, Kind::L2Writes),
            ]),
            Event::L2Misses => Self::one(Kind::L2Misses),
            Event::LoadsRetired => Self::one(Kind::Loads),
            Event::StoresRetired => Self::one(Kind::Stores),
        }
    }

    /// What is selected.
    pub(super) const fn wanted(&self) -> Wanted {
        let Self([instructions, records, others]) = *self;
        let misses = 0xFFFF; // DtlbMisses and References
        Wanted {
            any: instructions | records | others != 0,
            instructions: instructions != 0,
            records: records | others & misses != 0,
        }
    }

    /// Number of the events of a cycle that are selected.
    #[inline]
    pub(super) const fn number(&self, Self([instructions, records, others]): &Self) -> u8 {
        let Self([a, b, c]) = *self;
        let by_kind = (a & *instructions) + (b & *records) + (c & *others);
        (by_kind.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u8
    }

    /// The events of a cycle. Those of a kind that is not wanted may be missing.
    #[inline]
    pub(super) fn of<const BUNDLES: usize, const ENTRIES: usize>(
        wanted: Wanted,
        state: &State,
        inputs: &Inputs<BUNDLES>,
        psr: Psr,
    ) -> Self {
        let (ia64, ia32) = (!psr.is() & !inputs.int_valid, psr.is() & !inputs.int_valid);
        let cycle = [0, 0, inputs.core_clock.into(), (inputs.ia32 & 3) * u8::from(ia32), 0, 0, 0, 0];
        let mut events = [0, 0, u64::from_le_bytes(cycle)];
        if wanted.instructions & ia64 {
            for retire in &inputs.retire {
                events[0] += of_bundle::<ENTRIES>(state, retire);
            }
        }
        if wanted.records {
            for mem in &inputs.mem {
                let (records, others) = of_record::<ENTRIES>(state, mem, psr);
                (events[1], events[2]) = (events[1] + records, events[2] + others);
            }
        }
        Self(events)
    }
}

/// Events of the instructions of a bundle.
#[inline]
fn of_bundle<const ENTRIES: usize>(state: &State, retire: &Retire) -> u64 {
    const COUNT: [u8; 8] = [0, 1, 1, 2, 1, 2, 2, 3];
    let count = |slots: u8| COUNT[usize::from(slots & 7)];
    let tag = &state.tag[entry::<ENTRIES>(retire.id)];
    let slots = retire.slots * u8::from(retire.valid);
    let qualified = |class| qualified(slots, class, |s| tag.of(s, false, Tag::Off));
    let pass = qualified(EventClass::Pipeline);
    let branches = |umask| pass & Event::branches(umask, retire.branch, retire.taken);
    let taken = branches(0b0111);
    u64::from_le_bytes([
        count(pass),
        count(qualified(EventClass::TaggedByPmc8)),
        count(qualified(EventClass::TaggedByPmc9)),
        count(pass & retire.off),
        taken & 1,
        taken >> 1 & 1,
        taken >> 2 & 1,
        count(branches(0b1000)),
    ])
}

/// Events of a memory record, if they pass.
#[inline]
fn of_record<const ENTRIES: usize>(state: &State, mem: &Mem, psr: Psr) -> (u64, u64) {
    let &Mem { read, write, l1d_read, l1d_miss, l2_read, l2_write, l2_miss, dtc_miss, dtlb_miss, .. } = mem;
    let passes = u64::from(mem.valid & passes::<ENTRIES>(state, mem, psr));
    let records = [read, write, l1d_read, l1d_miss, l2_read, l2_write, l2_miss, dtc_miss].map(u8::from);
    let others = [dtlb_miss.into(), (read | write).into(), 0, 0, 0, 0, 0, 0];
    (u64::from_le_bytes(records) * passes, u64::from_le_bytes(others) * passes)
}

/// Slots, of these, whose tags let an event of this class pass.
#[inline]
fn qualified(slots: u8, class: EventClass, tags: impl Fn(u8) -> Tags) -> u8 {
    (0..3).fold(0, |mask, s| mask | (u8::from(tags(s).qualify(class)) << s & slots))
}

/// Whether the tags of a record let its events pass.
#[inline]
fn passes<const ENTRIES: usize>(state: &State, mem: &Mem, psr: Psr) -> bool {
    let dbr = data::tag(&state.dbr, &state.pmc11, mem, psr);
    let tag = &state.tag[entry::<ENTRIES>(mem.id)];
    tag.of(mem.slot.min(2), psr.is(), dbr).qualify(EventClass::Memory)
}
