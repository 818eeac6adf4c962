//! The events: what counts, and how often in a cycle.
//!
//! Sources: section 6.1.3.1; event codes and unit masks of the Itanium processor as public performance tools list them.

use super::registers::Registers;
use super::tags::{Tag, data};
use super::truth::{Span, Truth, YES, and};
use lwp_model::itanium::{Mem, Retire};

/// What a counter counts.
#[derive(Clone, Copy, Debug)]
pub(super) enum Event {
    /// IA64_INST_RETIRED: instructions that retire.
    Retired,
    /// IA64_TAGGED_INST_RETIRED: those with Tag(PMC\[8\]) (0) or Tag(PMC\[9\]) (1).
    Tagged(usize),
    /// PREDICATE_SQUASHED_RETIRED: those whose predicate is 0.
    Squashed,
    /// BRANCH_TAKEN_SLOT: branches taken in the slots of bits 2:0, and with bit 3 branches not taken.
    Branches(u8),
    /// IA32_INST_RETIRED.
    Ia32,
    /// CPU_CYCLES.
    Cycles,
    /// An event of the memory hierarchy: the events of a record, at least and at most.
    Memory(fn(&Mem) -> [u32; 2]),
    /// An event that the unit's ports do not show: it never happens.
    Never,
}

const fn one(happens: bool) -> [u32; 2] {
    [happens as u32; 2]
}

/// A read and a write that may be one or two references.
const fn both(read: bool, write: bool) -> [u32; 2] {
    [(read || write) as u32, read as u32 + write as u32]
}

/// Returns the event of a counter; `None` if the documents do not define it.
pub(super) fn event(counter: usize, es: u64, umask: u64) -> Option<Event> {
    // Instructions retire in numbers that only PMC[4] and PMC[5] can count.
    let wide = counter < 2;
    Some(match (es, umask) {
        (0x08, 0) if wide => Event::Retired,
        (0x08, 3) if wide => Event::Tagged(0),
        (0x08, 2) if wide => Event::Tagged(1),
        (0x31, 0) if wide => Event::Squashed,
        (0x0D, 1..) => Event::Branches(umask as u8),
        (0x12, 0) => Event::Cycles,
        (0x15, 0) => Event::Ia32,
        (0x60, 0) => Event::Memory(|mem| one(mem.dtc_miss)),
        (0x61, 0) => Event::Memory(|mem| one(mem.dtlb_miss)),
        (0x63, 0) => Event::Memory(|mem| both(mem.read, mem.write)),
        (0x64, 0) => Event::Memory(|mem| one(mem.l1d_read)),
        (0x66, 0) => Event::Memory(|mem| one(mem.l1d_miss)),
        (0x69, 1) => Event::Memory(|mem| one(mem.l2_read)),
        (0x69, 2) => Event::Memory(|mem| one(mem.l2_write)),
        (0x69, 3) => Event::Memory(|mem| both(mem.l2_read, mem.l2_write)),
        (0x6A, 0) => Event::Memory(|mem| one(mem.l2_miss)),
        (0x6C, 0) => Event::Memory(|mem| one(mem.read)),
        (0x6D, 0) => Event::Memory(|mem| one(mem.write)),
        // Stalls, the bus and the L3 cache.
        (0x00..=0x07 | 0x40..=0x56 | 0x7B..=0x7F, 0) => Event::Never,
        _ => return None,
    })
}

/// What happens in a cycle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Happening<'a> {
    pub(super) retire: &'a [Retire],
    pub(super) mem: &'a [Mem],
    pub(super) ia32: u8,
    pub(super) clock: bool,
    pub(super) psr_is: bool,
    pub(super) cpl: u8,
    /// What retires is ignored: an interruption is delivered.
    pub(super) interruption: bool,
    pub(super) tags: &'a [Tag],
    pub(super) registers: &'a Registers,
}

impl Happening<'_> {
    /// Returns how often an event happens and qualifies by its tags.
    pub(super) fn count(&self, event: Event) -> Span {
        match event {
            Event::Retired => self.retired(0, |_, _| true),
            Event::Tagged(matcher) => self.retired(matcher, |_, _| true),
            Event::Squashed => self.retired(0, |retire, slot| bit(retire.off, slot)),
            Event::Branches(which) => self.retired(0, |retire, slot| {
                let taken = bit(retire.taken, slot);
                bit(retire.branch, slot) && bit(which, if taken { slot } else { 3 })
            }),
            Event::Ia32 if self.interruption => Span::ZERO,
            Event::Ia32 => Span::of(u32::from(self.ia32), YES),
            Event::Cycles => Span::of(u32::from(self.clock), YES),
            Event::Memory(kind) => self.memory(kind),
            Event::Never => Span::ZERO,
        }
    }

    /// Returns the tags of a bundle.
    pub(super) fn tag(&self, id: u8) -> &Tag {
        &self.tags[usize::from(id) % self.tags.len()]
    }

    fn retired(&self, matcher: usize, is: impl Fn(&Retire, usize) -> bool) -> Span {
        let mut sum = Span::ZERO;
        for retire in self.retire.iter().filter(|retire| retire.valid && !self.interruption) {
            for slot in (0..3).filter(|slot| bit(retire.slots, *slot) && is(retire, *slot)) {
                sum = sum.plus(Span::of(1, self.tag(retire.id).slots[matcher][slot]));
            }
        }
        sum
    }

    fn memory(&self, kind: fn(&Mem) -> [u32; 2]) -> Span {
        let mut sum = Span::ZERO;
        for mem in self.mem.iter().filter(|mem| mem.valid) {
            let [least, most] = kind(mem);
            let counts = self.tagged(mem);
            sum = sum.plus(Span { least: Span::of(least, counts).least, most: Span::of(most, counts).most });
        }
        sum
    }

    /// Returns whether the events of a record qualify. IA-64 address range check and opcode match are disabled while IA-32 code runs.
    pub(super) fn tagged(&self, mem: &Mem) -> Truth {
        let slot = usize::from(mem.slot.min(2));
        let instruction = if self.psr_is { YES } else { self.tag(mem.id).slots[0][slot] };
        and(instruction, data(mem, self.cpl, self.psr_is, self.registers))
    }
}

/// Returns a bit of a field with a bit for each slot.
pub(super) const fn bit(field: u8, slot: usize) -> bool {
    field >> slot & 1 == 1
}
