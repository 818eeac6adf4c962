//! One measurement: an event, and what confines it.

use crate::bits::{U4, U7};
use crate::itanium::{AddressRange, Event, EventClass, Ism, MonitorPlan, Pmc89, Pmd};
use core::num::NonZeroU32;

/// What one counter is to count. [`Configuration`](super::Configuration) checks it together with the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Measurement {
    pub(super) es: U7,
    pub(super) umask: U4,
    pub(super) threshold: u8,
    pub(super) plan: MonitorPlan,
    pub(super) ism: Ism,
    pub(super) instructions: Option<AddressRange>,
    pub(super) opcode: Option<Pmc89>,
    pub(super) data: Option<AddressRange>,
    pub(super) interrupts: bool,
    pub(super) initial: u32,
}

/// Which of the shared constraints an event obeys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Obeys {
    pub(super) instructions: bool,
    pub(super) pmc8: bool,
    pub(super) pmc9: bool,
    pub(super) data: bool,
}

impl Measurement {
    /// Counts an event in the processes and at the levels of the plan, in IA-64 and IA-32 code, from 0 and without an
    /// interrupt. The unit mask is 0.
    #[must_use]
    pub const fn new(event: Event, plan: MonitorPlan) -> Self {
        Self::of_code(U7::masked(event.es()), plan)
    }

    /// The same for an event that [`Event`] does not have, by its code. Nothing is known of its qualification, so it
    /// cannot be confined by addresses or opcodes.
    #[must_use]
    pub const fn of_code(es: U7, plan: MonitorPlan) -> Self {
        Self {
            es,
            umask: U4::of::<0>(),
            threshold: 0,
            plan,
            ism: Ism::Both,
            instructions: None,
            opcode: None,
            data: None,
            interrupts: false,
            initial: 0,
        }
    }

    /// With this unit mask.
    #[must_use]
    pub const fn with_umask(self, umask: U4) -> Self {
        Self { umask, ..self }
    }

    /// Counts cycles in which the event happens more than `threshold` times. 0 for no threshold; at most 7 in PMC\[4\] and
    /// PMC\[5\], 3 in PMC\[6\] and PMC\[7\].
    #[must_use]
    pub const fn with_threshold(self, threshold: u8) -> Self {
        Self { threshold, ..self }
    }

    /// In these instruction sets.
    #[must_use]
    pub const fn with_ism(self, ism: Ism) -> Self {
        Self { ism, ..self }
    }

    /// Confined to instructions in this range, which is widened to whole bundles.
    #[must_use]
    pub const fn in_instructions(self, range: AddressRange) -> Self {
        Self { instructions: Some(range.to_bundles()), ..self }
    }

    /// Confined to instructions that match. In PMC\[9\] for IA64_TAGGED_INSTRS_RETIRED with unit mask 2, else in
    /// PMC\[8\].
    #[must_use]
    pub const fn matching(self, opcode: Pmc89) -> Self {
        Self { opcode: Some(opcode), ..self }
    }

    /// Confined to accesses whose lowest byte is in this range.
    #[must_use]
    pub const fn in_data(self, range: AddressRange) -> Self {
        Self { data: Some(range), ..self }
    }

    /// Interrupts and freezes after so many events, again and again.
    #[must_use]
    pub const fn interrupting_after(self, events: NonZeroU32) -> Self {
        Self { interrupts: true, initial: Pmd::overflow_after(events).count(), ..self }
    }

    /// Counts from here.
    #[must_use]
    pub const fn from_count(self, initial: u32) -> Self {
        Self { initial, ..self }
    }

    /// The event, if its qualification is known.
    pub(super) const fn event(&self) -> Option<Event> {
        Event::from_es(self.es.get())
    }

    /// Which constraints the event obeys. One of which nothing is known is taken to obey all.
    pub(super) const fn obeys(&self) -> Obeys {
        let class = match self.event() {
            Some(event) => event.class(self.umask.get()),
            None => None,
        };
        let pmc8 = Obeys { instructions: true, pmc8: true, pmc9: false, data: false };
        match class {
            Some(EventClass::Pipeline | EventClass::TaggedByPmc8) => pmc8,
            Some(EventClass::TaggedByPmc9) => Obeys { pmc8: false, pmc9: true, ..pmc8 },
            Some(EventClass::Memory) => Obeys { data: true, ..pmc8 },
            Some(EventClass::Untagged) => Obeys { instructions: false, pmc8: false, pmc9: false, data: false },
            None => Obeys { pmc9: true, data: true, ..pmc8 },
        }
    }
}
