//! Who asks, what, and when.

use super::Setup;
use lwp_model::retire::{OpMode, RegOp};
use std::collections::VecDeque;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ask {
    /// The instruction.
    pub op: RegOp,
    /// Number of the register, for RDMSR and WRMSR.
    pub number: u32,
    /// What WRMSR writes.
    pub value: u64,
}

/// When it is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// With this instruction.
    Instruction(u64),
    /// Again and again, with a distance in instructions from this range, both included.
    Every(u64, u64),
    /// In this cycle.
    Cycle(u64),
}

/// A request, or many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// When it is made.
    pub when: When,
    /// The logical processor that asks.
    pub lp: u8,
    /// What it asks.
    pub ask: Ask,
    /// Privilege level; `None`: that of the instruction that retires.
    pub cpl: Option<u8>,
    /// Operating mode.
    pub mode: OpMode,
    /// CR4.TSD.
    pub tsd: bool,
}

/// The requests of a run.
#[derive(Debug)]
pub(super) struct Schedule {
    requests: Vec<Request>,
    /// The instruction with which each is due next; `u64::MAX`: never.
    next: Vec<u64>,
    /// The least of them.
    first: u64,
    /// Requests that are due and not made, and their instructions.
    waiting: VecDeque<(usize, Option<u64>)>,
    random: u64,
}

impl Schedule {
    pub(super) fn new(setup: &Setup) -> Self {
        let requests = setup.requests.clone();
        let waiting = VecDeque::with_capacity(2 * requests.len());
        let next = vec![u64::MAX; requests.len()];
        let mut schedule = Self { requests, next, first: u64::MAX, waiting, random: setup.seed };
        for at in 0..schedule.requests.len() {
            schedule.next[at] = match schedule.requests[at].when {
                When::Instruction(number) => number,
                When::Every(low, high) => schedule.distance(low, high),
                When::Cycle(_) => u64::MAX,
            };
        }
        schedule.first = schedule.next.iter().copied().min().unwrap_or(u64::MAX);
        schedule
    }

    /// A number from `low` to `high`, at least 1.
    fn distance(&mut self, low: u64, high: u64) -> u64 {
        // SplitMix64, whose numbers are nearly evenly distributed for any seed.
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.random;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^= mixed >> 31;
        let span = high.saturating_sub(low).saturating_add(1);
        low.saturating_add(mixed % span).max(1)
    }

    /// Whether a request is made with this instruction.
    #[inline]
    pub(super) const fn is_due(&self, number: u64) -> bool {
        number >= self.first
    }

    /// The requests of this instruction wait.
    #[cold]
    pub(super) fn due(&mut self, number: u64) {
        for at in 0..self.requests.len() {
            if self.next[at] > number {
                continue;
            }
            self.wait(at, Some(number));
            self.next[at] = match self.requests[at].when {
                When::Every(low, high) => number.saturating_add(self.distance(low, high)),
                When::Instruction(_) | When::Cycle(_) => u64::MAX,
            };
        }
        self.first = self.next.iter().copied().min().unwrap_or(u64::MAX);
    }

    /// This request waits.
    pub(super) fn wait(&mut self, request: usize, instruction: Option<u64>) {
        self.waiting.push_back((request, instruction));
    }

    /// Whether a request waits.
    #[inline]
    pub(super) fn waits(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// The first request that waits, and its instruction.
    pub(super) fn pop(&mut self) -> Option<(Request, Option<u64>)> {
        let (request, instruction) = self.waiting.pop_front()?;
        Some((self.requests[request], instruction))
    }

    /// Nobody asks any more.
    pub(super) fn stop(&mut self) {
        self.waiting.clear();
    }

    /// Requests of an instruction that did not come.
    pub(super) fn left(&self) -> u64 {
        let once = |(at, request): &(usize, &Request)| {
            matches!(request.when, When::Instruction(_)) && self.next[*at] != u64::MAX
        };
        self.requests.iter().enumerate().filter(once).count() as u64
    }
}
