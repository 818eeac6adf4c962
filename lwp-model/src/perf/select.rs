//! Step 3 of a cycle, select: which lines a code and a unit mask choose. It is decoded when the event select is written.

use super::config::Config;
use super::events::{Events, Line};
use super::lines::Made;
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
    /// Those of the four lines whose bit is set, maybe none. They are numbers that follow each other on the bus.
    Sum([Line; 4], u8),
}

/// What an event select or the index of a fixed counter chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Wanted {
    chosen: Chosen,
    /// It is 7AH or 7BH of P6, whose pins are odd.
    odd: bool,
    clock: Clock,
}

/// What a counter looks at: a [`Wanted`], as shifts and masks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Selection {
    /// It is not nothing.
    pub(super) something: bool,
    /// The word of the event bus with the lowest line, and the line's lowest bit.
    word: u8,
    shift: u8,
    /// The bits of the lines, from that bit on. 0 if it has no line of the bus.
    bus: u16,
    /// The lowest bit of the line that the unit makes, and the line's bits. 0 if it has none.
    made_shift: u8,
    made: u8,
    /// The most that it counts on all logical processors: 1 for the cycles in which one is not halted. Levels of the bus are of P6, which
    /// has no AnyThread.
    pub(super) most: u32,
    /// It is 7AH or 7BH of P6, whose pins are odd.
    pub(super) odd: bool,
    pub(super) clock: Clock,
}

/// Returns the lines of the event bus that general counter `index` counts with this event select; `None` if it counts nothing. What the
/// unit makes of the lanes is no line of the bus.
#[must_use]
pub fn bus_lines(select: u32, index: usize, straps: &Config) -> Option<[Option<Line>; 4]> {
    match Wanted::of(&General { select, ..General::RESET }, index, straps).chosen {
        Chosen::Nothing => None,
        Chosen::One(Source::Bus(line)) => Some([Some(line), None, None, None]),
        Chosen::One(Source::Own(_)) => Some([None; 4]),
        Chosen::Sum(lines, mask) => Some(core::array::from_fn(|bit| Some(lines[bit]).filter(|_| mask >> bit & 1 != 0))),
    }
}

impl Selection {
    pub(super) const NOTHING: Self = Self {
        something: false,
        word: 0,
        shift: 0,
        bus: 0,
        made_shift: 0,
        made: 0,
        most: u32::MAX,
        odd: false,
        clock: Clock::Core,
    };

    /// What general counter `index` looks at.
    pub(super) fn of(general: &General, index: usize, straps: &Config) -> Self {
        Self::on(Wanted::of(general, index, straps))
    }

    /// What fixed counter `index` looks at.
    pub(super) fn fixed(index: usize, straps: &Config) -> Self {
        Self::on(Wanted::fixed(index, straps))
    }

    /// Where the chosen lines lie.
    fn on(Wanted { chosen, odd, clock }: Wanted) -> Self {
        let place = match chosen {
            Chosen::Nothing => return Self::NOTHING,
            Chosen::One(Source::Own(made)) => {
                let most = if matches!(made, Made::Unhalted) { 1 } else { u32::MAX };
                let (made_shift, made) = (made.shift() as u8, (1 << Made::BITS) - 1);
                Self { something: true, made_shift, made, most, ..Self::NOTHING }
            }
            Chosen::One(Source::Bus(line)) => Self::bus(line, line.mask()),
            Chosen::Sum(lines, set) => {
                let first = lines[0];
                let bits = (0..4).filter(|bit| set >> bit & 1 != 0).map(|bit| first.mask() << (4 * bit)).sum();
                Self::bus(first, bits)
            }
        };
        Self { odd, clock, ..place }
    }

    /// These bits of the bus, from the lowest one of a line on.
    const fn bus(line: Line, bits: u32) -> Self {
        let (word, shift) = line.place();
        Self { something: true, word: word as u8, shift: shift as u8, bus: bits as u16, ..Self::NOTHING }
    }

    /// Whether it is a line that the unit makes.
    pub(super) const fn is_made(&self) -> bool {
        self.made != 0
    }

    /// The number of the selection on the lines of a logical processor, those of its event bus and those that the unit makes. It counts on
    /// one of both; the mask of the other one is 0, so that no branch depends on what software selects.
    #[inline]
    pub(super) fn number(&self, events: &Events, made: u32) -> u32 {
        let bus = events.bits_from(self.word.into(), self.shift.into()) & u32::from(self.bus);
        let bits = bus + (made >> (self.made_shift & 31) & u32::from(self.made));
        // Four numbers of four bits: two sums of two, then their sum.
        let sums = (bits & 0x0F0F) + (bits >> 4 & 0x0F0F);
        (sums + (sums >> 8)) & 0xFF
    }
}

impl Wanted {
    const NOTHING: Self = Self { chosen: Chosen::Nothing, odd: false, clock: Clock::Core };

    /// What general counter `index` counts.
    fn of(general: &General, index: usize, straps: &Config) -> Self {
        let (code, mask) = (general.fields().event(), general.fields().umask());
        if straps.is_p6() {
            Self::p6(code, mask, index, straps)
        } else {
            let event = ArchitecturalEvent::from_code(code, mask).filter(|event| straps.caps().events.has(*event));
            event.map_or(Self::NOTHING, Self::architectural)
        }
    }

    /// What fixed counter `index` counts.
    fn fixed(index: usize, straps: &Config) -> Self {
        let event = straps.caps().fixed(index as u8).and_then(FixedIndex::event);
        // The unit has one clock of constant rate, so both kinds of reference cycles are its own.
        event.map_or(Self::NOTHING, |event| {
            Self::architectural(event.architectural().unwrap_or(ArchitecturalEvent::ReferenceCycles))
        })
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
        Self { chosen, odd: code == BUS_HIT_DRV.code() || code == BUS_HITM_DRV.code(), clock }
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
        Self { chosen: Chosen::One(source), odd: false, clock }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perf::config::Personality;
    use lwp_regs::perf::p6::P6Model;

    /// Every code and mask on every processor that it can be on.
    fn all() -> impl Iterator<Item = Wanted> {
        let p6 = P6Model::ALL.into_iter().map(|p6_model| Config { p6_model, ..Config::default() });
        let version_1 = Config { personality: Personality::Version1, ..Config::default() };
        p6.chain([version_1]).flat_map(|straps| {
            (0..=0xFFFF).flat_map(move |select| {
                [0, 1].map(|index| Wanted::of(&General { select, ..General::RESET }, index, &straps))
            })
        })
    }

    #[test]
    fn a_set_is_of_numbers_that_follow_each_other() {
        let mut sets = 0;
        for wanted in all() {
            if let Chosen::Sum(lines, _) = wanted.chosen {
                assert!(lines.windows(2).all(|pair| pair[0] as u8 + 1 == pair[1] as u8), "{lines:?}");
                assert!(lines.iter().all(|line| !line.is_level()), "{lines:?}");
                sets += 1;
            }
        }
        assert!(sets > 100, "{sets}");
    }

    #[test]
    fn lines_of_the_unit_are_made() {
        for wanted in all() {
            let made = matches!(wanted.chosen, Chosen::One(Source::Own(_)));
            assert_eq!(Selection::on(wanted).is_made(), made, "{wanted:?}");
        }
    }
}
