//! Plays many cases on several threads, counts what they meet, and steers by it.

use super::totals::Totals;
use crate::unit::Checks;
use sim_harness::rtl::BuildId;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Draws cases, plays them, and counts what they meet: one for each thread.
pub trait Counter {
    /// Plays the case of a seed on the model with the sizes of a build, and on its RTL if they are to be compared.
    ///
    /// # Errors
    ///
    /// What differs, and in which cycle.
    fn play(&mut self, seed: u64, build: BuildId, lockstep: bool) -> Result<(), String>;

    /// What the cases have met so far.
    fn met(&self) -> Totals;

    /// Plays the case again and makes it as small as it can be; `None` if it passes.
    fn explain(&self, seed: u64, build: BuildId, lockstep: bool) -> Option<String>;

    /// The case as words for a program that plays the RTL by itself.
    fn words(&self, seed: u64, build: BuildId) -> Vec<u32>;
}

/// Numbered cases. Each is a function of the seed, its number, and the counts that steer it.
#[derive(Clone, Debug)]
pub struct Campaign {
    /// The unit.
    pub unit: &'static dyn Checks,
    /// Seed of all cases.
    pub seed: u64,
    /// Number of the first case.
    pub first: u64,
    /// How many there are.
    pub cases: u64,
    /// Cases after which what they have met steers the next ones; `None`: nothing is steered.
    pub round: Option<u64>,
    /// Threads.
    pub threads: usize,
    /// The RTL plays the cases too, and has to agree.
    pub lockstep: bool,
}

/// A case in which model and RTL do not agree, or that does not end.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Its number.
    pub number: u64,
    /// Why.
    pub reason: String,
    /// The counts that steered it.
    pub steered_by: Option<Totals>,
}

impl Campaign {
    /// Plays all cases; `before` are the counts of earlier runs, `goes_on` is told after each case how many are done and may
    /// say no. Returns what these cases have met.
    ///
    /// # Errors
    ///
    /// The first case, by number, of those in its round that fail.
    pub fn play(
        &self,
        before: &Totals,
        goes_on: &(dyn Fn(u64, &Totals) -> bool + Sync),
    ) -> Result<Totals, Box<Failure>> {
        let mut met = Totals::new(self.unit.layout());
        let round = self.round.unwrap_or(self.cases).max(1);
        let (mut first, end) = (self.first, self.first + self.cases);
        while first < end && goes_on(first, &met) {
            let last = (first + round).min(end);
            let mut known = before.clone();
            known.merge(&met);
            let steer = self.round.map(|_| &known);
            let this = self.round(first..last, steer, &|done| goes_on(done, &met));
            met.merge(&this.map_err(|(number, reason)| {
                Box::new(Failure { number, reason, steered_by: self.round.map(|_| known) })
            })?);
            first = last;
        }
        Ok(met)
    }

    /// The cases of one round, on all threads.
    fn round(
        &self,
        cases: core::ops::Range<u64>,
        steer: Option<&Totals>,
        goes_on: &(dyn Fn(u64) -> bool + Sync),
    ) -> Result<Totals, (u64, String)> {
        let (next, stop) = (AtomicU64::new(cases.start), AtomicBool::new(false));
        let failure = Mutex::new(None::<(u64, String)>);
        let work = || {
            let mut counter = self.unit.counter(steer);
            while !stop.load(Ordering::Relaxed) {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= cases.end {
                    break;
                }
                if let Err(reason) = self.case(number, counter.as_mut()) {
                    stop.store(true, Ordering::Relaxed);
                    let mut failure = failure.lock().unwrap_or_else(PoisonError::into_inner);
                    if failure.as_ref().is_none_or(|(other, _)| number < *other) {
                        *failure = Some((number, reason));
                    }
                }
                if !goes_on(number + 1) {
                    stop.store(true, Ordering::Relaxed);
                }
            }
            counter.met()
        };
        let mut met = Totals::new(self.unit.layout());
        thread::scope(|scope| {
            let threads: Vec<_> = (0..self.threads.max(1)).map(|_| scope.spawn(work)).collect();
            for thread in threads {
                match thread.join() {
                    Ok(totals) => met.merge(&totals),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
        });
        failure.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(met), Err)
    }

    /// The seed of a case.
    fn mixed(&self, number: u64) -> u64 {
        self.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(number)
    }

    /// The seed and the build of a case.
    #[must_use]
    pub fn of(&self, number: u64) -> (u64, BuildId) {
        let builds: Vec<_> = BuildId::of_unit(self.unit.name()).collect();
        (self.mixed(number), builds[(number % builds.len() as u64) as usize])
    }

    /// A core that waits for ever panics; that is a failure of the case like any other.
    fn case(&self, number: u64, counter: &mut dyn Counter) -> Result<(), String> {
        let (seed, build) = self.of(number);
        let played = catch_unwind(AssertUnwindSafe(|| counter.play(seed, build, self.lockstep)));
        played.unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<&str>().map(ToString::to_string);
            Err(text
                .or_else(|| panic.downcast_ref::<String>().cloned())
                .unwrap_or_else(|| "a panic without a text".into()))
        })
    }

    /// Plays one case again and makes it as small as it can be; `None` if it passes.
    #[must_use]
    pub fn explain(&self, number: u64, steer: Option<&Totals>) -> Option<String> {
        let (seed, build) = self.of(number);
        self.unit.counter(steer).explain(seed, build, self.lockstep)
    }
}
