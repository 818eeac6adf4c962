//! Register requests of a session: what is asked, and when.

use super::draws::splitmix;
use lwp_model::retire::RegOp;
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

/// A request that is made at a certain time.
pub(crate) trait Timed: Copy {
    /// Returns when it is made.
    fn when(&self) -> When;
}

/// The requests of a run.
#[derive(Debug)]
pub(crate) struct Schedule<R> {
    requests: Vec<R>,
    /// The instruction with which each is due next; `u64::MAX`: never.
    next: Vec<u64>,
    /// The least of them.
    first: u64,
    /// Requests that are due and not made, and their instructions.
    waiting: VecDeque<(usize, Option<u64>)>,
    random: u64,
}

impl<R: Timed> Schedule<R> {
    /// Returns the schedule of these requests at reset. `seed` is that of the distances between requests.
    pub(crate) fn new(requests: Vec<R>, seed: u64) -> Self {
        let waiting = VecDeque::with_capacity(2 * requests.len());
        let next = vec![u64::MAX; requests.len()];
        let mut schedule = Self { requests, next, first: u64::MAX, waiting, random: seed };
        for at in 0..schedule.requests.len() {
            schedule.next[at] = match schedule.requests[at].when() {
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
        let mixed = splitmix(&mut self.random);
        let span = high.saturating_sub(low).saturating_add(1);
        low.saturating_add(mixed % span).max(1)
    }

    /// Whether a request is made with this instruction.
    #[inline]
    pub(crate) const fn is_due(&self, number: u64) -> bool {
        number >= self.first
    }

    /// The requests of this instruction wait.
    #[cold]
    pub(crate) fn due(&mut self, number: u64) {
        for at in 0..self.requests.len() {
            if self.next[at] > number {
                continue;
            }
            self.wait(at, Some(number));
            self.next[at] = match self.requests[at].when() {
                When::Every(low, high) => number.saturating_add(self.distance(low, high)),
                When::Instruction(_) | When::Cycle(_) => u64::MAX,
            };
        }
        self.first = self.next.iter().copied().min().unwrap_or(u64::MAX);
    }

    /// This request waits.
    pub(crate) fn wait(&mut self, request: usize, instruction: Option<u64>) {
        self.waiting.push_back((request, instruction));
    }

    /// Whether a request waits.
    #[inline]
    pub(crate) fn waits(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// The first request that waits, and its instruction.
    pub(crate) fn pop(&mut self) -> Option<(R, Option<u64>)> {
        let (request, instruction) = self.waiting.pop_front()?;
        Some((self.requests[request], instruction))
    }

    /// Nobody asks any more.
    pub(crate) fn stop(&mut self) {
        self.waiting.clear();
    }

    /// Requests of an instruction that did not come.
    pub(crate) fn left(&self) -> u64 {
        let once =
            |(at, request): &(usize, &R)| matches!(request.when(), When::Instruction(_)) && self.next[*at] != u64::MAX;
        self.requests.iter().enumerate().filter(once).count() as u64
    }
}
