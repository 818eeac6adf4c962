//! Stage select: how many events of a cycle a counter gets that pass their tags.

use super::data;
use super::inputs::{Inputs, MEM_PORTS, Mem};
use super::state::{Counter, State};
use super::tags::entry;
use lwp_regs::itanium::{EventClass, Tag, Tags};

/// Slots of a bundle.
const SLOTS: [u8; 3] = [0, 1, 2];
/// Bit of the unit mask of BRANCH_TAKEN_SLOT for branches that are not taken.
const NOT_TAKEN: u8 = 1 << 3;

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
    pub(super) fn of<const ENTRIES: usize>(state: &State, inputs: &'a Inputs<BUNDLES>) -> Self {
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
            (mem.valid && passes::<BUNDLES, ENTRIES>(state, inputs, mem)).then_some(mem)
        });
        let ia32 = if inputs.psr_is && !inputs.int_valid { inputs.ia32 } else { 0 };
        Self { retiring, records, ia32, core_clock: inputs.core_clock }
    }

    /// Number of the events that `es` and `umask` of a counter select.
    #[inline]
    pub(super) fn selected(&self, counter: &Counter) -> u8 {
        let umask = counter.umask;
        match counter.es {
            0x08 => match umask {
                0 => self.instructions(|of| of.pass),
                3 => self.instructions(|of| of.pmc8),
                2 => self.instructions(|of| of.pmc9),
                _ => 0,
            },
            0x0D => {
                let others = if umask & NOT_TAKEN == 0 { 0 } else { 0b111 };
                self.instructions(|of| of.pass & (of.taken & umask | of.branch & !of.taken & others))
            }
            0x12 => self.core_clock.into(),
            0x15 => self.ia32,
            0x31 => self.instructions(|of| of.pass & of.off),
            0x60 => self.records(|mem| mem.dtc_miss),
            0x61 => self.records(|mem| mem.dtlb_miss),
            0x63 => self.records(|mem| mem.read || mem.write),
            0x64 => self.records(|mem| mem.l1d_read),
            0x66 => self.records(|mem| mem.l1d_miss),
            0x69 => {
                self.records(|mem| mem.l2_read && umask & 1 != 0) + self.records(|mem| mem.l2_write && umask & 2 != 0)
            }
            0x6A => self.records(|mem| mem.l2_miss),
            0x6C => self.records(|mem| mem.read),
            0x6D => self.records(|mem| mem.write),
            _ => 0,
        }
    }

    /// Number of the instructions that are among these slots of their bundle.
    #[inline]
    fn instructions(&self, slots: impl Fn(&Retiring) -> u8) -> u8 {
        self.retiring.iter().map(|of| slots(of).count_ones() as u8).sum()
    }

    /// Number of the records with this event.
    #[inline]
    fn records(&self, event: impl Fn(&Mem) -> bool) -> u8 {
        self.records.iter().flatten().map(|mem| u8::from(event(mem))).sum()
    }
}

/// Slots, of these, whose tags let an event of this class pass.
#[inline]
fn qualified(slots: u8, class: EventClass, tags: impl Fn(u8) -> Tags) -> u8 {
    SLOTS.iter().fold(0, |mask, &s| mask | (u8::from(tags(s).qualify(class)) << s & slots))
}

/// Whether the tags of a record let its events pass.
#[inline]
fn passes<const BUNDLES: usize, const ENTRIES: usize>(state: &State, inputs: &Inputs<BUNDLES>, mem: &Mem) -> bool {
    let dbr = data::tag(&state.dbr, state.pmc11.register(), mem, inputs.cpl, inputs.psr_is);
    let tag = &state.tag[entry::<ENTRIES>(mem.id)];
    tag.of(mem.slot.min(2), inputs.psr_is, dbr).qualify(EventClass::Memory)
}
