//! Which event goes to which counter.

use super::{Counter, EventSelect, P6Model, PerfCtr, PerfEvtSel0, PerfEvtSel1};
use crate::refused::Refused;
use core::fmt;

/// What the two counters count at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[must_use = "it does nothing until it is started"]
pub struct Run {
    /// On counter 0.
    pub counter0: Option<EventSelect>,
    /// On counter 1.
    pub counter1: Option<EventSelect>,
}

/// The values of the registers for a [`Run`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Setup {
    /// PerfEvtSel0. EN is set when the counters start, whatever stands here.
    pub select0: PerfEvtSel0,
    /// PerfEvtSel1.
    pub select1: PerfEvtSel1,
    /// Where the counters start; 0 unless they are to overflow.
    pub initial: [PerfCtr; 2],
}

impl Run {
    /// Puts two events on the two counters: the first on counter 0 if that is possible, else the other way round.
    ///
    /// # Errors
    ///
    /// [`SameCounter`] if both count on the same counter only.
    #[inline]
    pub const fn pair(first: EventSelect, second: EventSelect) -> Result<Self, SameCounter> {
        match (first.event().only_on(), second.event().only_on()) {
            (Some(Counter::Counter0), Some(Counter::Counter0)) => {
                Err(SameCounter { counter: Counter::Counter0, events: [first, second] })
            }
            (Some(Counter::Counter1), Some(Counter::Counter1)) => {
                Err(SameCounter { counter: Counter::Counter1, events: [first, second] })
            }
            (Some(Counter::Counter1), _) | (_, Some(Counter::Counter0)) => {
                Ok(Self { counter0: Some(second), counter1: Some(first) })
            }
            _ => Ok(Self { counter0: Some(first), counter1: Some(second) }),
        }
    }

    /// What `counter` counts.
    #[must_use]
    #[inline]
    pub const fn on(&self, counter: Counter) -> Option<EventSelect> {
        match counter {
            Counter::Counter0 => self.counter0,
            Counter::Counter1 => self.counter1,
        }
    }

    /// The counter that counts `select`.
    #[must_use]
    pub fn counter_of(&self, select: &EventSelect) -> Option<Counter> {
        Counter::ALL.into_iter().find(|counter| self.on(*counter).as_ref() == Some(select))
    }

    /// The values of the registers on `model`, both counters starting at 0. A counter without event counts nothing.
    ///
    /// # Errors
    ///
    /// [`Refused`] for what [`EventSelect::counter0`] or [`EventSelect::counter1`] refuses.
    pub fn setup(&self, model: P6Model) -> Result<Setup, Refused> {
        Ok(Setup {
            select0: self.counter0.map_or(Ok(PerfEvtSel0::NOTHING), |select| select.counter0(model))?,
            select1: self.counter1.map_or(Ok(PerfEvtSel1::NOTHING), |select| select.counter1(model))?,
            initial: [PerfCtr::new(); 2],
        })
    }
}

impl Setup {
    /// The same, but `counter` starts at `initial`; for instance [`PerfCtr::preset`].
    #[must_use]
    #[inline]
    pub const fn starting_at(mut self, counter: Counter, initial: PerfCtr) -> Self {
        self.initial[counter.index() as usize] = initial;
        self
    }
}

/// The two events cannot be counted at the same time: both count on one counter only, and it is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SameCounter {
    /// The counter.
    pub counter: Counter,
    /// The events.
    pub events: [EventSelect; 2],
}

impl fmt::Display for SameCounter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = self.events.map(|select| select.event().mnemonic());
        write!(f, "{first} and {second} both count on counter {} only; count them in two runs", self.counter.index())
    }
}

impl core::error::Error for SameCounter {}

/// Spreads any number of events over as few runs as there can be, two at a time, each where it counts.
///
/// That is as many runs as half of the events, rounded up, or as many as the events that one counter has for itself, if
/// those are more.
///
/// ```
/// use lwp_regs::perf::p6::{EventSelect, event, runs};
///
/// let events = [&event::MUL, &event::DIV, &event::FLOPS, &event::INST_RETIRED].map(EventSelect::new);
/// assert_eq!(runs(&events).count(), 2);
/// ```
pub fn runs(events: &[EventSelect]) -> Runs<'_> {
    Runs { only0: events.iter(), only1: events.iter(), either: events.iter() }
}

/// The runs that [`runs`] makes.
#[must_use = "it does nothing until it is iterated"]
#[derive(Clone, Debug)]
pub struct Runs<'a> {
    only0: core::slice::Iter<'a, EventSelect>,
    only1: core::slice::Iter<'a, EventSelect>,
    either: core::slice::Iter<'a, EventSelect>,
}

impl Iterator for Runs<'_> {
    type Item = Run;

    fn next(&mut self) -> Option<Run> {
        fn next_of(events: &mut core::slice::Iter<'_, EventSelect>, only_on: Option<Counter>) -> Option<EventSelect> {
            events.find(|select| select.event().only_on() == only_on).copied()
        }
        // Events that have no choice first: what is left for the end can fill any gap.
        let only0 = next_of(&mut self.only0, Some(Counter::Counter0));
        let only1 = next_of(&mut self.only1, Some(Counter::Counter1));
        let counter0 = only0.or_else(|| next_of(&mut self.either, None));
        let counter1 = only1.or_else(|| next_of(&mut self.either, None));
        (counter0.is_some() || counter1.is_some()).then_some(Run { counter0, counter1 })
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::super::event::*;
    use super::*;
    use std::string::ToString;

    fn pair(first: &'static Event, second: &'static Event) -> Result<[u8; 2], SameCounter> {
        let run = Run::pair(EventSelect::new(first), EventSelect::new(second))?;
        Ok(Counter::ALL.map(|counter| run.on(counter).unwrap().event().code()))
    }

    // MET-04: a pair is swapped if the restrictions ask for it, and refused if they exclude each other
    #[test]
    fn pairs() {
        assert_eq!(pair(&INST_RETIRED, &CPU_CLK_UNHALTED), Ok([0xC0, 0x79]));
        assert_eq!(pair(&FLOPS, &CPU_CLK_UNHALTED), Ok([0xC1, 0x79]));
        assert_eq!(pair(&CPU_CLK_UNHALTED, &FLOPS), Ok([0xC1, 0x79]));
        assert_eq!(pair(&MUL, &CPU_CLK_UNHALTED), Ok([0x79, 0x12]));
        assert_eq!(pair(&MUL, &FLOPS), Ok([0xC1, 0x12]));
        let refused = pair(&MUL, &DIV).unwrap_err();
        assert_eq!(refused.to_string(), "MUL and DIV both count on counter 1 only; count them in two runs");
        assert_eq!(pair(&FLOPS, &CYCLES_DIV_BUSY).unwrap_err().counter, Counter::Counter0);
    }

    #[test]
    fn a_run_knows_where_an_event_is() {
        let [mul, cycles, div] = [&MUL, &CPU_CLK_UNHALTED, &DIV].map(EventSelect::new);
        let run = Run::pair(mul, cycles).unwrap();
        assert_eq!(run.counter_of(&mul), Some(Counter::Counter1));
        assert_eq!(run.counter_of(&cycles), Some(Counter::Counter0));
        assert_eq!(run.counter_of(&div), None);
    }

    #[test]
    fn a_counter_without_event_counts_nothing() {
        let run = Run { counter0: None, counter1: Some(EventSelect::new(&MUL)) };
        let setup = run.setup(P6Model::PentiumPro).unwrap();
        assert_eq!(setup.select0.into_bits(), 0x0000_002E);
        assert_eq!(setup.select1.into_bits(), 0x0003_0012);
    }

    #[test]
    fn events_without_a_choice_come_first() {
        let events = [&INST_RETIRED, &MUL, &UOPS_RETIRED, &DIV, &FLOPS].map(EventSelect::new);
        let codes = |run: Run| Counter::ALL.map(|counter| run.on(counter).map(|select| select.event().code()));
        assert!(runs(&events).map(codes).eq([[Some(0xC1), Some(0x12)], [Some(0xC0), Some(0x13)], [Some(0xC2), None]]));
    }
}
