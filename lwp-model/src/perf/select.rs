//! Step 3 of a cycle, select: which lines a code and a unit mask choose. It is decoded when the event select is written.

use super::config::Config;
use super::events::Line;
use super::lines::{Lines, Made};
use super::p6_lines;
use super::state::General;
use lwp_regs::perf::architectural::{ArchitecturalEvent, FixedIndex};
use lwp_regs::perf::p6::event::{BUS_HIT_DRV, BUS_HITM_DRV, BusAgent, Measure};
use lwp_regs::perf::p6::{Counter, Event};

/// Where a line comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// The event bus.
    Bus(Line),
    /// The unit.
    Own(Made),
}

/// The clock of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clock {
    Core,
    Bus,
}

/// What is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Chosen {
    /// Nothing: the code, the mask, the counter or the processor does not go with the others.
    Nothing,
    /// This line.
    One(Source),
    /// Those of the four lines whose bit is set, maybe none.
    Sum([Line; 4], u8),
}

/// What a counter looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Selection {
    chosen: Chosen,
    /// Its lines are levels.
    pub(super) level_kind: bool,
    /// It is 7AH or 7BH of P6, whose pins are odd.
    pub(super) odd: bool,
    pub(super) clock: Clock,
}

/// Returns the lines of the event bus that general counter `index` counts with this event select; `None` if it counts nothing. What the
/// unit makes of the lanes is no line of the bus.
#[must_use]
pub fn bus_lines(select: u32, index: usize, straps: &Config) -> Option<[Option<Line>; 4]> {
    let selection = Selection::of(&General { select, ..General::RESET }, index, straps);
    selection.something().then(|| selection.bus())
}

impl Selection {
    pub(super) const NOTHING: Self =
        Self { chosen: Chosen::Nothing, level_kind: false, odd: false, clock: Clock::Core };

    /// What general counter `index` looks at.
    pub(super) fn of(general: &General, index: usize, straps: &Config) -> Self {
        let (code, mask) = (general.fields().event(), general.fields().umask());
        if straps.is_p6() {
            Self::p6(code, mask, index, straps)
        } else {
            let event = ArchitecturalEvent::from_code(code, mask).filter(|event| straps.caps().events.has(*event));
            event.map_or(Self::NOTHING, Self::architectural)
        }
    }

    /// What fixed counter `index` looks at.
    pub(super) fn fixed(index: usize, straps: &Config) -> Self {
        let event = straps.caps().fixed(index as u8).and_then(FixedIndex::event);
        // The unit has one clock of constant rate, so both kinds of reference cycles are its own.
        event.map_or(Self::NOTHING, |event| {
            Self::architectural(event.architectural().unwrap_or(ArchitecturalEvent::ReferenceCycles))
        })
    }

    /// Whether it is not nothing.
    pub(super) const fn something(&self) -> bool {
        !matches!(self.chosen, Chosen::Nothing)
    }

    /// The number of the selection on these lines.
    #[inline]
    pub(super) fn number(&self, lines: &Lines<'_>) -> u32 {
        match self.chosen {
            Chosen::Nothing => 0,
            Chosen::One(source) => lines.get(source).into(),
            Chosen::Sum(sources, mask) => {
                let chosen = sources.into_iter().enumerate().filter(|(bit, _)| mask >> bit & 1 != 0);
                chosen.map(|(_, line)| u32::from(lines.get(Source::Bus(line)))).sum()
            }
        }
    }

    /// The lines of the event bus that it reads, in the order of the bits of the unit mask.
    fn bus(&self) -> [Option<Line>; 4] {
        match self.chosen {
            Chosen::One(Source::Bus(line)) => [Some(line), None, None, None],
            Chosen::Sum(lines, mask) => core::array::from_fn(|bit| Some(lines[bit]).filter(|_| mask >> bit & 1 != 0)),
            Chosen::Nothing | Chosen::One(Source::Own(_)) => [None; 4],
        }
    }

    fn p6(code: u8, mask: u8, index: usize, straps: &Config) -> Self {
        let event = Event::by_code(straps.p6_model, code).filter(|event| event.unit_mask().allows(mask));
        let counter = Counter::try_from(index as u32).ok();
        let Some((event, counter)) = event.zip(counter) else { return Self::NOTHING };
        if !event.counts_on(counter) {
            return Self::NOTHING;
        }
        let chosen = match (p6_lines::one(code, mask), p6_lines::set(code, mask)) {
            (Some(source), _) => Chosen::One(source),
            (None, Some(lines)) => Chosen::Sum(lines, mask),
            (None, None) => return Self::NOTHING,
        };
        let clock = match event.measure() {
            Measure::BusClocks => Clock::Bus,
            Measure::ByAgent if mask == BusAgent::Own.bits() => Clock::Bus,
            _ => Clock::Core,
        };
        Self { odd: code == BUS_HIT_DRV.code() || code == BUS_HITM_DRV.code(), clock, ..Self::line(chosen) }
    }

    fn architectural(event: ArchitecturalEvent) -> Self {
        let source = match event {
            ArchitecturalEvent::CoreCycles | ArchitecturalEvent::ReferenceCycles => Source::Own(Made::Unhalted),
            ArchitecturalEvent::Instructions => Source::Own(Made::Instructions),
            ArchitecturalEvent::LlcReferences => Source::Bus(Line::LlcReferences),
            ArchitecturalEvent::LlcMisses => Source::Bus(Line::LlcMisses),
            ArchitecturalEvent::Branches => Source::Own(Made::Branches),
            ArchitecturalEvent::BranchMisses => Source::Own(Made::BranchesMissed),
            // The strap `events` has a bit for each of the seven others, and no lane tells slots.
            ArchitecturalEvent::Slots => return Self::NOTHING,
        };
        let clock = if event == ArchitecturalEvent::ReferenceCycles { Clock::Bus } else { Clock::Core };
        Self { clock, ..Self::line(Chosen::One(source)) }
    }

    const fn line(chosen: Chosen) -> Self {
        let level_kind = match chosen {
            Chosen::One(Source::Bus(line)) => line.is_level(),
            Chosen::One(Source::Own(made)) => matches!(made, Made::Unhalted),
            Chosen::Nothing | Chosen::Sum(..) => false,
        };
        Self { chosen, level_kind, ..Self::NOTHING }
    }
}
