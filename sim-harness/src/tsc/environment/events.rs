//! What happens at a certain time: sleep, other ratios, requests of a cycle.

use super::Setup;
use crate::core::When;
use lwp_model::retire::Processor;

/// When something happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// In this cycle.
    Cycle(u64),
    /// In the cycle in which this instruction retires.
    Instruction(u64),
}

/// Why the core sleeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pin {
    /// HLT.
    Hlt,
    /// STPCLK#.
    Stpclk,
    /// DPSLP#.
    Dpslp,
}

impl Pin {
    /// Every reason.
    pub const ALL: [Self; 3] = [Self::Hlt, Self::Stpclk, Self::Dpslp];

    /// Its name in a session.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hlt => "hlt",
            Self::Stpclk => "stpclk",
            Self::Dpslp => "dpslp",
        }
    }
}

/// The core sleeps from the beginning of one cycle to that of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sleep {
    /// Why.
    pub pin: Pin,
    /// The first cycle.
    pub from: u64,
    /// The first cycle after it.
    pub to: u64,
}

/// Something that happens in a cycle.
#[derive(Clone, Copy, Debug)]
pub(super) enum Event {
    Pin(Pin, bool),
    Ratio(u8),
    /// The request of this number waits.
    Ask(usize),
}

/// All that happens, in order.
#[derive(Debug)]
pub(super) struct Events {
    /// By cycle.
    list: Vec<(u64, Event)>,
    at: usize,
    /// Ratios by instruction.
    ratios: Vec<(u64, u8)>,
    ratio: usize,
    /// How many intervals of sleep there are at present, by pin.
    sleeping: [u32; 3],
}

impl Events {
    pub(super) fn new(setup: &Setup) -> Self {
        let (mut list, mut ratios) = (Vec::new(), Vec::new());
        for sleep in &setup.sleeps {
            list.extend([(sleep.from, Event::Pin(sleep.pin, true)), (sleep.to, Event::Pin(sleep.pin, false))]);
        }
        for change in &setup.clock.changes {
            match change.at {
                At::Cycle(cycle) => list.push((cycle, Event::Ratio(change.core_ratio))),
                At::Instruction(number) => ratios.push((number, change.core_ratio)),
            }
        }
        for (number, request) in setup.requests.iter().enumerate() {
            if let When::Cycle(cycle) = request.when {
                list.push((cycle, Event::Ask(number)));
            }
        }
        list.sort_by_key(|(cycle, _)| *cycle);
        ratios.sort_by_key(|(number, _)| *number);
        Self { list, at: 0, ratios, ratio: 0, sleeping: [0; 3] }
    }

    /// Whether something happens in this cycle.
    #[inline]
    pub(super) fn comes(&self, cycle: u64) -> bool {
        self.list.get(self.at).is_some_and(|(at, _)| *at <= cycle)
    }

    /// The next event of this cycle.
    pub(super) fn pop(&mut self, cycle: u64) -> Option<Event> {
        let (_, event) = *self.list.get(self.at).filter(|(at, _)| *at <= cycle)?;
        self.at += 1;
        Some(event)
    }

    /// Sleep begins or ends.
    pub(super) fn set(&mut self, pin: Pin, asserted: bool, processor: &mut Processor) {
        let count = &mut self.sleeping[pin as usize];
        *count = if asserted { *count + 1 } else { *count - 1 };
        let [halted, stpclk, dpslp] = self.sleeping.map(|count| count > 0);
        (processor.halted, processor.stpclk, processor.dpslp) = (halted, stpclk, dpslp);
    }

    /// Whether the core sleeps.
    #[inline]
    pub(super) const fn asleep(&self) -> bool {
        let [hlt, stpclk, dpslp] = self.sleeping;
        hlt | stpclk | dpslp != 0
    }

    /// Whether the ratio changes with this instruction.
    #[inline]
    pub(super) fn is_due(&self, number: u64) -> bool {
        self.ratios.get(self.ratio).is_some_and(|(at, _)| *at <= number)
    }

    /// The ratio that this instruction brings.
    pub(super) fn ratios(&mut self, number: u64, processor: &mut Processor) {
        while let Some((_, ratio)) = self.ratios.get(self.ratio).filter(|(at, _)| *at <= number) {
            processor.core_ratio = *ratio;
            self.ratio += 1;
        }
    }

    /// Requests whose cycle did not come.
    pub(super) fn requests_left(&self) -> u64 {
        self.list[self.at..].iter().filter(|(_, event)| matches!(event, Event::Ask(_))).count() as u64
    }
}
