//! The 82 events that the counters of the P6 family can count, as data.
//!
//! Each event is a constant with its mnemonic for a name ([`DATA_MEM_REFS`], [`FLOPS`], ...); [`EVENTS`] is the whole table
//! in the order of the manual. [`Event::by_mnemonic`] and [`Event::by_code`] search it. A code that is not in the table is
//! reserved: what it counts is undefined.
//!
//! Source: Intel SDM volume 3, "Performance Monitoring Events for P6 Family Processors", table "Events That Can Be Counted
//! with the P6 Family Performance-Monitoring Counters"; codes and counters compared with libpfm4. The Pentium M, which the
//! table does not name, is taken from libpfm4; where its unit masks differ, [`pentium_m`] has events of its own.

use super::{Counter, P6Model, P6Models};

/// Makes constants of events and the table of them. A line reads: name, code, unit, what it measures, description,
/// comment (may be empty), and what differs from an event of every processor, on either counter, without unit mask.
macro_rules! event_table {
    ($($name:ident: $code:literal, $unit:ident, $measure:ident, $description:literal, $comment:literal
        $(, $(.$how:ident($what:expr))+)?;)+) => {
        $(
            #[doc = concat!("Event ", stringify!($code), ": ", $description)]
            #[doc = ""]
            #[doc = $comment]
            pub const $name: Event = Event::new($unit, $code, stringify!($name), $measure, $description, $comment)
                $($(.$how($what))+)?;
        )+
        pub(super) const TABLE: &[Event] = &[$($name),+];
    };
}

mod bus;
mod execution;
mod memory;
mod mmx;
pub mod pentium_m;
mod unit_mask;

pub use bus::*;
pub use execution::*;
pub use memory::*;
pub use mmx::*;
pub use unit_mask::{BusAgent, MaskChoice, Mesi, Prefetched, UnitMask};

/// An event that a counter can count. Only this crate makes them, so whoever holds one holds an event of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Event {
    unit: EventUnit,
    code: u8,
    mnemonic: &'static str,
    unit_mask: UnitMask,
    only_on: Option<Counter>,
    models: P6Models,
    measure: Measure,
    work: Work,
    description: &'static str,
    comment: &'static str,
}

/// A part of the processor that produces events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum EventUnit {
    /// Data Cache Unit, the L1 data cache.
    Dcu,
    /// Instruction Fetch Unit.
    Ifu,
    /// L2 cache.
    L2,
    /// External Bus Logic.
    Ebl,
    /// Floating-Point Unit.
    Fpu,
    /// Memory ordering.
    MemoryOrdering,
    /// Instruction decoding and retirement.
    DecodeRetire,
    /// Interrupts.
    Interrupts,
    /// Branches.
    Branches,
    /// Stalls.
    Stalls,
    /// Segment register loads.
    SegmentLoads,
    /// Clocks.
    Clocks,
    /// MMX unit.
    Mmx,
    /// Segment register renaming.
    SegmentRenaming,
}

/// What a count is a number of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Measure {
    /// Occurrences.
    Occurrences,
    /// Cycles; of the processor's clock, if the description does not say otherwise.
    Cycles,
    /// Clocks of the external bus.
    BusClocks,
    /// Bus clocks for own transactions, processor clocks for those of any agent.
    ByAgent,
    /// Cycles, each as often as something was outstanding in it; divided by the number of those, their mean duration.
    Weighted,
    /// The manual says "cycles or events".
    CyclesOrEvents,
}

/// Whether an event counts work that is thrown away later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Work {
    /// The manual does not say.
    Unstated,
    /// Work that has been retired, nothing else.
    Retired,
    /// Work on the wrong path too.
    Speculative,
}

impl Event {
    #[inline]
    const fn new(
        unit: EventUnit,
        code: u8,
        mnemonic: &'static str,
        measure: Measure,
        description: &'static str,
        comment: &'static str,
    ) -> Self {
        Self {
            unit,
            code,
            mnemonic,
            unit_mask: UnitMask::Fixed(0x00),
            only_on: None,
            models: P6Models::all(),
            measure,
            work: Work::Unstated,
            description,
            comment,
        }
    }

    #[inline]
    const fn masks(self, unit_mask: UnitMask) -> Self {
        Self { unit_mask, ..self }
    }

    #[inline]
    const fn counter(self, only: Counter) -> Self {
        Self { only_on: Some(only), ..self }
    }

    #[inline]
    const fn on(self, models: P6Models) -> Self {
        Self { models, ..self }
    }

    #[inline]
    const fn of(self, work: Work) -> Self {
        Self { work, ..self }
    }

    /// The part of the processor that produces it.
    #[must_use]
    #[inline]
    pub const fn unit(&self) -> EventUnit {
        self.unit
    }

    /// Its code, for the event select field.
    #[must_use]
    #[inline]
    pub const fn code(&self) -> u8 {
        self.code
    }

    /// Its name in the manual.
    #[must_use]
    #[inline]
    pub const fn mnemonic(&self) -> &'static str {
        self.mnemonic
    }

    /// What of it can be counted apart.
    #[must_use]
    #[inline]
    pub const fn unit_mask(&self) -> UnitMask {
        self.unit_mask
    }

    /// The only counter that counts it; `None` if both do.
    #[must_use]
    #[inline]
    pub const fn only_on(&self) -> Option<Counter> {
        self.only_on
    }

    /// The processors that have it.
    #[must_use]
    #[inline]
    pub const fn models(&self) -> P6Models {
        self.models
    }

    /// What a count of it is a number of.
    #[must_use]
    #[inline]
    pub const fn measure(&self) -> Measure {
        self.measure
    }

    /// Whether it counts work that is thrown away later.
    #[must_use]
    #[inline]
    pub const fn work(&self) -> Work {
        self.work
    }

    /// What it counts.
    #[must_use]
    #[inline]
    pub const fn description(&self) -> &'static str {
        self.description
    }

    /// What is special about the count; may be empty.
    #[must_use]
    #[inline]
    pub const fn comment(&self) -> &'static str {
        self.comment
    }

    /// The event of [`EVENTS`] with this name, whatever its case.
    #[must_use]
    pub fn by_mnemonic(mnemonic: &str) -> Option<&'static Self> {
        EVENTS.iter().find(|event| event.mnemonic.eq_ignore_ascii_case(mnemonic))
    }

    /// The event with this name on `model`, whatever its case; `None` if that processor has none.
    #[must_use]
    pub fn by_name(model: P6Model, mnemonic: &str) -> Option<&'static Self> {
        Self::of_model(model).find(|event| event.mnemonic.eq_ignore_ascii_case(mnemonic))
    }

    /// The event with this code on `model`; `None` if the code is reserved there.
    #[must_use]
    pub fn by_code(model: P6Model, code: u8) -> Option<&'static Self> {
        let event = EVENTS.get(usize::from(PLACES[usize::from(code)])).filter(|event| event.models.has(model));
        event.or_else(|| pentium_m::EVENTS.iter().find(|event| event.code == code && event.models.has(model)))
    }

    /// The events that `model` has, in the order of the table; those of the Pentium M alone come last.
    pub fn of_model(model: P6Model) -> impl Iterator<Item = &'static Self> {
        EVENTS.iter().chain(pentium_m::EVENTS).filter(move |event| event.models.has(model))
    }

    /// Whether `counter` can count it.
    #[must_use]
    #[inline]
    pub const fn counts_on(&self, counter: Counter) -> bool {
        match self.only_on {
            None => true,
            Some(only) => only as u8 == counter as u8,
        }
    }
}

/// How many events there are.
const COUNT: usize = 82;

/// The table, in the order of the manual.
pub static EVENTS: [Event; COUNT] = join([memory::TABLE, bus::TABLE, execution::TABLE, mmx::TABLE]);

/// For each code the place of its event in the table; [`COUNT`] if the code is reserved.
static PLACES: [u8; 256] = {
    let mut places = [COUNT as u8; 256];
    let mut place = 0;
    while place < COUNT {
        let code = EVENTS[place].code as usize;
        assert!(places[code] == COUNT as u8, "two events have the same code");
        places[code] = place as u8;
        place += 1;
    }
    places
};

/// The tables one after the other. Fails to compile if they are not [`COUNT`] events together.
#[inline]
const fn join(tables: [&[Event]; 4]) -> [Event; COUNT] {
    let mut all = [tables[0][0]; COUNT];
    let (mut filled, mut table) = (0, 0);
    while table < tables.len() {
        let mut i = 0;
        while i < tables[table].len() {
            all[filled] = tables[table][i];
            filled += 1;
            i += 1;
        }
        table += 1;
    }
    assert!(filled == COUNT, "an event is missing");
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    // P6EV-83, MET-08: 82 entries, looked up by name and by code
    #[test]
    fn lookup_goes_both_ways() {
        assert_eq!(EVENTS.len(), 82);
        for event in &EVENTS {
            assert_eq!(Event::by_mnemonic(event.mnemonic), Some(event));
            for model in P6Model::ALL {
                let found = Event::by_code(model, event.code);
                assert_eq!(
                    found.filter(|found| found.unit_mask == event.unit_mask),
                    event.models.has(model).then_some(event)
                );
            }
        }
        assert_eq!(Event::by_mnemonic("data_mem_refs").map(|event| event.code), Some(0x43));
        assert_eq!(Event::by_mnemonic("DATA_MEM_REF"), None);
    }

    // P6EV-84: events that came later, and those that one processor has alone
    #[test]
    fn availability() {
        let counts = P6Model::ALL.map(|model| Event::of_model(model).count());
        assert_eq!(counts, [68, 78, 80, 78]);
        assert_eq!(Event::by_code(P6Model::PentiumII, 0xB0), Some(&MMX_INSTR_EXEC));
        assert_eq!(Event::by_code(P6Model::PentiumIII, 0xB0), None);
        assert_eq!(Event::by_code(P6Model::PentiumM, 0xD8), None, "another event has the code there");
        assert_eq!(Event::by_code(P6Model::PentiumPro, 0xD8), None);
    }

    // P6EV-85: every other code is reserved
    #[test]
    fn unlisted_codes_are_no_events() {
        let listed = |code| P6Model::ALL.iter().any(|model| Event::by_code(*model, code).is_some());
        assert_eq!((0..=0xFF).filter(|code| !listed(*code)).count(), 256 - 82);
        assert!(!listed(0x00) && !listed(0x3C) && !listed(0xFF));
    }

    // P6EV-43, P6EV-50, P6EV-88: what is executed, decoded or dispatched includes work that is squashed; what is retired does not
    #[test]
    fn speculative_and_retired() {
        let of = |work| EVENTS.iter().filter(move |event| event.work == work).map(|event| event.mnemonic);
        assert!(of(Work::Speculative).eq([
            "FP_COMP_OPS_EXE",
            "FP_ASSIST",
            "MUL",
            "DIV",
            "CYCLES_DIV_BUSY",
            "MISALIGN_MEM_REF",
            "EMON_KNI_PREF_DISPATCHED",
            "INST_DECODED",
            "BR_INST_DECODED",
        ]));
        assert!(of(Work::Retired).all(|name| name.contains("RET") || name == "FLOPS"));
        let retired_by_name = EVENTS.iter().filter(|event| event.mnemonic.contains("RET") || event.code == 0xC1);
        assert_eq!(of(Work::Retired).count(), retired_by_name.count());
    }

    // P6EV-89: the unit of a count differs
    #[test]
    fn units_of_counts() {
        assert_eq!(CPU_CLK_UNHALTED.measure, Measure::Cycles);
        assert_eq!(BUS_DATA_RCV.measure, Measure::BusClocks);
        assert_eq!(BUS_DRDY_CLOCKS.measure, Measure::ByAgent);
        assert_eq!(BUS_REQ_OUTSTANDING.measure, Measure::Weighted);
        assert_eq!(MISALIGN_MEM_REF.measure, Measure::Cycles, "1 in every cycle, whichever pipeline dispatches");
        assert_eq!(INST_RETIRED.measure, Measure::Occurrences);
    }
}
