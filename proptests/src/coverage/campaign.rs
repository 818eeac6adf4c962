//! Campaigns: run many cases on several threads, count the bins that they meet, and steer further cases by the counts.

use super::totals::Totals;
use crate::unit::Checks;
use sim_harness::rtl::BuildId;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Generates cases, runs them, and counts the bins that they meet. Each thread has a counter.
pub trait Counter {
    /// Runs the case of a seed on the model with the sizes of a build, and on its RTL if they are to be compared.
    ///
    /// # Errors
    ///
    /// What differs, and in which cycle.
    fn play(&mut self, seed: u64, build: BuildId, lockstep: bool) -> Result<(), String>;

    /// Returns the counts of all cases so far.
    fn met(&self) -> Totals;

    /// Runs the case again and shrinks it; `None` if it passes.
    fn explain(&self, seed: u64, build: BuildId, lockstep: bool) -> Option<String>;

    /// Returns the case as words, for a program that runs only the RTL.
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
    /// Number of cases.
    pub cases: u64,
    /// Number of cases in a round, after which the counts steer the next cases; `None` if cases are not steered.
    pub round: Option<u64>,
    /// Number of threads.
    pub threads: usize,
    /// Whether the RTL runs the cases as well, and is compared with the model.
    pub lockstep: bool,
}

/// Case in which model and RTL differ, or that does not end.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Number of the case.
    pub number: u64,
    /// Reason of the failure.
    pub reason: String,
    /// Counts that steered the case.
    pub steered_by: Option<Totals>,
}

impl Campaign {
    /// Runs all cases, and returns their counts. `before` are the counts of earlier runs. `goes_on` is called after each case with the
    /// number of finished cases, and ends the run by returning `false`.
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

    /// Runs the cases of one round, on all threads.
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

    /// Returns the seed of a case.
    fn mixed(&self, number: u64) -> u64 {
        self.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(number)
    }

    /// Returns the seed and the build of a case.
    #[must_use]
    pub fn of(&self, number: u64) -> (u64, BuildId) {
        let builds: Vec<_> = BuildId::of_unit(self.unit.name()).collect();
        (self.mixed(number), builds[(number % builds.len() as u64) as usize])
    }

    /// Runs a case, and turns a panic into a failure of the case: a core that waits forever panics.
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

    /// Runs a case again and shrinks it; `None` if it passes.
    #[must_use]
    pub fn explain(&self, number: u64, steer: Option<&Totals>) -> Option<String> {
        let (seed, build) = self.of(number);
        self.unit.counter(steer).explain(seed, build, self.lockstep)
    }
}
