//! Stage select: how many events of a cycle a counter gets that pass their tags.

use super::data;
use super::inputs::{Inputs, MEM_PORTS, Mem};
use super::state::{Counter, State};
use super::tags::entry;
use lwp_regs::itanium::{Event, EventClass, Psr, Tag, Tags};

/// Slots of a bundle.
const SLOTS: [u8; 3] = [0, 1, 2];

/// Instructions of a bundle that retire. Bit s of a field is about the instruction in slot s; those that do not retire are 0.
#[derive(Clone, Copy, Debug, Default)]
struct Retiring {
    /// Tag(PMC\[8\]) lets their events pass.
    pass: u8,
    /// Tag(PMC\[8\]) is hit.
    pmc8: u8,
    /// Tag(PMC\[9\]) is hit.
    pmc9: u8,
    off: u8,
    branch: u8,
    taken: u8,
}

/// A record whose events pass.
type Record<'a> = Option<&'a Mem>;

/// The events of a cycle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Events<'a, const BUNDLES: usize> {
    retiring: [Retiring; BUNDLES],
    records: [Record<'a>; MEM_PORTS],
    ia32: u8,
    core_clock: bool,
}

impl<'a, const BUNDLES: usize> Events<'a, BUNDLES> {
    #[inline]
    pub(super) fn of<const ENTRIES: usize>(state: &State, inputs: &'a Inputs<BUNDLES>, psr: Psr) -> Self {
        let ia64 = !inputs.psr_is && !inputs.int_valid;
        let retiring = core::array::from_fn(|b| {
            let retire = &inputs.retire[b];
            if !ia64 || !retire.valid {
                return Retiring::default();
            }
            let tag = &state.tag[entry::<ENTRIES>(retire.id)];
            let slots = |class| qualified(retire.slots, class, |s| tag.of(s, false, Tag::Off));
            Retiring {
                pass: slots(EventClass::Pipeline),
                pmc8: slots(EventClass::TaggedByPmc8),
                pmc9: slots(EventClass::TaggedByPmc9),
                off: retire.off,
                branch: retire.branch,
                taken: retire.taken,
            }
        });
        let records = core::array::from_fn(|p| {
            let mem = &inputs.mem[p];
            (mem.valid && passes::<ENTRIES>(state, mem, psr)).then_some(mem)
        });
        let ia32 = if inputs.psr_is && !inputs.int_valid { inputs.ia32 } else { 0 };
        Self { retiring, records, ia32, core_clock: inputs.core_clock }
    }

    /// Number of the events that `es` and `umask` of a counter select.
    #[inline]
    pub(super) fn selected(&self, counter: &Counter) -> u8 {
        let umask = counter.umask;
        let Some(event) = Event::from_es(counter.es) else { return 0 };
        match event {
            Event::Ia64InstRetired => match event.class(umask) {
                Some(EventClass::Pipeline) => self.instructions(|of| of.pass),
                Some(EventClass::TaggedByPmc8) => self.instructions(|of| of.pmc8),
                Some(EventClass::TaggedByPmc9) => self.instructions(|of| of.pmc9),
                _ => 0,
            },
            Event::BranchTakenSlot => self.instructions(|of| of.pass & Event::branches(umask, of.branch, of.taken)),
            Event::CpuCycles => self.core_clock.into(),
            Event::Ia32InstRetired => self.ia32,
            Event::PredicateSquashedRetired => self.instructions(|of| of.pass & of.off),
            Event::DtcMisses => self.records(|mem| mem.dtc_miss.into()),
            Event::DtlbMisses => self.records(|mem| mem.dtlb_miss.into()),
            Event::DataReferencesRetired => self.records(|mem| (mem.read || mem.write).into()),
            Event::L1dReadsRetired => self.records(|mem| mem.l1d_read.into()),
            Event::L1dReadMissesRetired => self.records(|mem| mem.l1d_miss.into()),
            Event::L2DataReferences => self.records(|mem| Event::l2_references(umask, mem.l2_read, mem.l2_write)),
            Event::L2Misses => self.records(|mem| mem.l2_miss.into()),
            Event::LoadsRetired => self.records(|mem| mem.read.into()),
            Event::StoresRetired => self.records(|mem| mem.write.into()),
        }
    }

    /// Number of the instructions that are among these slots of their bundle.
    #[inline]
    fn instructions(&self, slots: impl Fn(&Retiring) -> u8) -> u8 {
        self.retiring.iter().map(|of| slots(of).count_ones() as u8).sum()
    }

    /// Number of the events of the records, of which each has so many.
    #[inline]
    fn records(&self, events: impl Fn(&Mem) -> u8) -> u8 {
        self.records.iter().flatten().map(|mem| events(mem)).sum()
    }
}

/// Slots, of these, whose tags let an event of this class pass.
#[inline]
fn qualified(slots: u8, class: EventClass, tags: impl Fn(u8) -> Tags) -> u8 {
    SLOTS.iter().fold(0, |mask, &s| mask | (u8::from(tags(s).qualify(class)) << s & slots))
}

/// Whether the tags of a record let its events pass.
#[inline]
fn passes<const ENTRIES: usize>(state: &State, mem: &Mem, psr: Psr) -> bool {
    let dbr = data::tag(&state.dbr, &state.pmc11, mem, psr);
    let tag = &state.tag[entry::<ENTRIES>(mem.id)];
    tag.of(mem.slot.min(2), psr.is(), dbr).qualify(EventClass::Memory)
}
