//! Campaigns: run many cases on several threads, count the bins that they meet, and steer further cases by the counts.

use super::totals::Totals;
use crate::unit::Checks;
use sim_harness::rtl::BuildId;
use std::collections::BTreeMap;
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

    /// How often each bin was met so far, in the order of the layout.
    fn counts(&self) -> &[u64];

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

/// A bin that is listed as out of reach, and the first case of its round that met it.
#[derive(Clone, Debug)]
pub struct Sighting {
    /// Place of the bin in the layout.
    pub place: usize,
    /// Number of the case.
    pub number: u64,
    /// Counts that steered the case.
    pub steered_by: Option<Totals>,
}

/// What the cases of a campaign have met.
#[derive(Clone, Debug)]
pub struct Played {
    /// The counts.
    pub met: Totals,
    /// Bins that are listed as out of reach, each once, by place.
    pub sightings: Vec<Sighting>,
}

/// Place of a bin and number of a case.
type Places = BTreeMap<usize, u64>;

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
    ) -> Result<Played, Box<Failure>> {
        self.play_watching(before, &self.unit.claims().places(), goes_on)
    }

    /// The same with the places of other bins that should not be met.
    ///
    /// # Errors
    ///
    /// As [`play`](Self::play).
    pub fn play_watching(
        &self,
        before: &Totals,
        watched: &[usize],
        goes_on: &(dyn Fn(u64, &Totals) -> bool + Sync),
    ) -> Result<Played, Box<Failure>> {
        let (mut met, mut sightings) = (Totals::new(self.unit.layout()), Vec::<Sighting>::new());
        let round = self.round.unwrap_or(self.cases).max(1);
        let (mut first, end) = (self.first, self.first + self.cases);
        while first < end && goes_on(first, &met) {
            let last = (first + round).min(end);
            let mut known = before.clone();
            known.merge(&met);
            let steer = self.round.map(|_| &known);
            let this = self.round(first..last, steer, watched, &|done| goes_on(done, &met));
            let steered_by = steer.cloned();
            let (more, seen) =
                this.map_err(|(number, reason)| Box::new(Failure { number, reason, steered_by: steered_by.clone() }))?;
            met.merge(&more);
            let new = seen.into_iter().filter(|(place, _)| sightings.iter().all(|known| known.place != *place));
            let new: Vec<_> =
                new.map(|(place, number)| Sighting { place, number, steered_by: steered_by.clone() }).collect();
            sightings.extend(new);
            first = last;
        }
        sightings.sort_by_key(|sighting| sighting.place);
        Ok(Played { met, sightings })
    }

    /// Runs the cases of one round, on all threads.
    fn round(
        &self,
        cases: core::ops::Range<u64>,
        steer: Option<&Totals>,
        watched: &[usize],
        goes_on: &(dyn Fn(u64) -> bool + Sync),
    ) -> Result<(Totals, Places), (u64, String)> {
        let (next, stop) = (AtomicU64::new(cases.start), AtomicBool::new(false));
        let failure = Mutex::new(None::<(u64, String)>);
        let work = || {
            let (mut counter, mut seen) = (self.unit.counter(steer), Places::new());
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
                // A thread takes its cases in their order, so the first one that meets a bin stays.
                for &place in watched.iter().filter(|&&place| counter.counts()[place] != 0) {
                    seen.entry(place).or_insert(number);
                }
                if !goes_on(number + 1) {
                    stop.store(true, Ordering::Relaxed);
                }
            }
            (counter.met(), seen)
        };
        let (mut met, mut all) = (Totals::new(self.unit.layout()), Places::new());
        thread::scope(|scope| {
            let threads: Vec<_> = (0..self.threads.max(1)).map(|_| scope.spawn(work)).collect();
            for thread in threads {
                match thread.join() {
                    Ok((totals, seen)) => {
                        met.merge(&totals);
                        for (place, number) in seen {
                            all.entry(place).and_modify(|first| *first = number.min(*first)).or_insert(number);
                        }
                    }
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
        });
        failure.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok((met, all)), Err)
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

    /// Places of the bins, listed as out of reach, that one case meets on the model.
    ///
    /// # Errors
    ///
    /// As the case fails.
    pub fn sightings(&self, number: u64, steer: Option<&Totals>) -> Result<Vec<usize>, String> {
        let (seed, build) = self.of(number);
        let mut counter = self.unit.counter(steer);
        counter.play(seed, build, false)?;
        Ok(self.unit.claims().places().into_iter().filter(|&place| counter.counts()[place] != 0).collect())
    }

    /// Runs a case again and shrinks it; `None` if it passes.
    #[must_use]
    pub fn explain(&self, number: u64, steer: Option<&Totals>) -> Option<String> {
        let (seed, build) = self.of(number);
        self.unit.counter(steer).explain(seed, build, self.lockstep)
    }
}
