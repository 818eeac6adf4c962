//! Plays many cases on several threads, counts what they meet, and steers by it.

use super::sampler::Sampler;
use super::totals::Totals;
use crate::lwp::bench::play;
use crate::lwp::lockstep::agree;
use crate::lwp::scenario::{Bias, Scenario, scenario_with};
use crate::lwp::steer::{self, Steer};
use crate::runner::{draw, shrink};
use lwp_model::lwp::Lwp;
use proptest::prelude::*;
use sim_harness::rtl::BuildId;
use sim_harness::with_build;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// Operations of a scenario at most.
const OPERATIONS: usize = 400;

/// Plays a scenario on the model with the sizes of a build, and on its RTL if they are to be compared.
fn one(id: BuildId, scenario: &Scenario, lockstep: bool, sampler: &mut Sampler) -> Result<(), String> {
    with_build!(lwp, id, |U| sized(PhantomData::<U>, id, scenario, lockstep, sampler)).expect("a build of lwp")
}

fn sized<const W: usize, const S: usize, const LAT: u32>(
    _: PhantomData<Lwp<W, S, LAT>>,
    id: BuildId,
    scenario: &Scenario,
    lockstep: bool,
    sampler: &mut Sampler,
) -> Result<(), String> {
    let (recording, _) = play::<W, S, LAT>(scenario);
    sampler.run(&scenario.straps, LAT, &recording);
    if lockstep { agree(id, &scenario.straps, &recording) } else { Ok(()) }
}

/// Numbered cases. Each is a function of the seed, its number, and the counts that steer it.
#[derive(Clone, Debug)]
pub struct Campaign {
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

/// A case is drawn from this.
fn strategy(steer: Option<Arc<Steer>>) -> BoxedStrategy<Scenario> {
    match steer {
        Some(steer) => steer::scenario(OPERATIONS, steer),
        None => scenario_with(OPERATIONS, &Bias::default()),
    }
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
        let mut met = Totals::default();
        let round = self.round.unwrap_or(self.cases).max(1);
        let (mut first, end) = (self.first, self.first + self.cases);
        while first < end && goes_on(first, &met) {
            let last = (first + round).min(end);
            let mut known = before.clone();
            known.merge(&met);
            let steer = self.round.map(|_| Arc::new(Steer::new(&known)));
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
        steer: Option<Arc<Steer>>,
        goes_on: &(dyn Fn(u64) -> bool + Sync),
    ) -> Result<Totals, (u64, String)> {
        let (next, stop) = (AtomicU64::new(cases.start), AtomicBool::new(false));
        let failure = Mutex::new(None::<(u64, String)>);
        let work = || {
            let (strategy, mut sampler) = (strategy(steer.clone()), Sampler::new());
            while !stop.load(Ordering::Relaxed) {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= cases.end {
                    break;
                }
                if let Err(reason) = self.case(number, &strategy, &mut sampler) {
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
            Totals::from(&sampler)
        };
        let mut met = Totals::default();
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

    fn build(number: u64) -> BuildId {
        let builds: Vec<_> = BuildId::of_unit("lwp").collect();
        builds[(number % builds.len() as u64) as usize]
    }

    fn case(&self, number: u64, strategy: &BoxedStrategy<Scenario>, sampler: &mut Sampler) -> Result<(), String> {
        let scenario = draw(self.mixed(number), strategy);
        self.play_one(number, &scenario, sampler)
    }

    /// A core that waits for ever panics; that is a failure of the case like any other.
    fn play_one(&self, number: u64, scenario: &Scenario, sampler: &mut Sampler) -> Result<(), String> {
        let build = Self::build(number);
        let played = catch_unwind(AssertUnwindSafe(|| one(build, scenario, self.lockstep, sampler)));
        played.unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<&str>().map(ToString::to_string);
            Err(text
                .or_else(|| panic.downcast_ref::<String>().cloned())
                .unwrap_or_else(|| "a panic without a text".into()))
        })
    }

    /// The scenario of one case and the build that plays it.
    #[must_use]
    pub fn scenario(&self, number: u64, steer: Option<Arc<Steer>>) -> (BuildId, Scenario) {
        (Self::build(number), draw(self.mixed(number), &strategy(steer)))
    }

    /// Plays one case again and makes it as small as it can be; `None` if it passes.
    #[must_use]
    pub fn explain(&self, number: u64, steer: Option<Arc<Steer>>) -> Option<String> {
        shrink(self.mixed(number), &strategy(steer), |scenario| self.play_one(number, scenario, &mut Sampler::new()))
    }
}
