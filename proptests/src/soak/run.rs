//! Runs many cases on many threads.

use super::case::{Case, Outcome};
use super::progress::Progress;
use crate::unit::Checks;
use sim_harness::rtl::BuildId;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Number of cases that a thread takes at a time.
pub const BLOCK_CASES: u64 = 16;

/// Case in which model and RTL did not agree.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Number of the case.
    pub number: u64,
    /// Reason of the failure.
    pub reason: String,
}

/// State that the threads share.
struct Shared {
    progress: Progress,
    taken: BTreeSet<u64>,
    failure: Option<Failure>,
}

/// Runs cases of a unit until `cycles` cycles have agreed in total, `progress` included, a case fails, or `goes_on` returns `false`.
/// `goes_on` is called after each block, with the state so far.
///
/// # Errors
///
/// The first case in which model and RTL did not agree.
pub fn run(
    unit: &'static dyn Checks,
    progress: &mut Progress,
    builds: &[BuildId],
    cycles: u64,
    threads: usize,
    goes_on: &(dyn Fn(&Progress) -> bool + Sync),
) -> Result<(), Failure> {
    let seed = progress.seed;
    let shared = Mutex::new(Shared { progress: core::mem::take(progress), taken: BTreeSet::new(), failure: None });
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| work(&shared, unit, seed, builds, cycles, goes_on));
        }
    });
    let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    *progress = shared.progress;
    shared.failure.map_or(Ok(()), Err)
}

fn work(
    shared: &Mutex<Shared>,
    unit: &'static dyn Checks,
    seed: u64,
    builds: &[BuildId],
    cycles: u64,
    goes_on: &(dyn Fn(&Progress) -> bool + Sync),
) {
    loop {
        let block = {
            let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
            if shared.failure.is_some() || shared.progress.cycles >= cycles {
                return;
            }
            let block = shared.progress.next_block(&shared.taken);
            shared.taken.insert(block);
            block
        };
        let outcomes: Result<Vec<Outcome>, Failure> =
            (0..BLOCK_CASES).map(|at| play(Case::new(unit, seed, block * BLOCK_CASES + at, builds), builds)).collect();
        let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
        shared.taken.remove(&block);
        match outcomes {
            Ok(outcomes) => {
                for outcome in &outcomes {
                    shared.progress.cases += 1;
                    shared.progress.cycles += outcome.cycles;
                    shared.progress.pairs.extend(&outcome.pairs);
                }
                shared.progress.finish(block);
            }
            Err(failure) => {
                let earlier = shared.failure.as_ref().is_some_and(|other| other.number < failure.number);
                if !earlier {
                    shared.failure = Some(failure);
                }
            }
        }
        if !goes_on(&shared.progress) {
            return;
        }
    }
}

/// Runs a case, and turns a panic into a failure of the case: a core that waits forever panics.
fn play(case: Case, builds: &[BuildId]) -> Result<Outcome, Failure> {
    let fail = |reason| Failure { number: case.number, reason };
    match catch_unwind(AssertUnwindSafe(|| case.play(builds))) {
        Ok(Ok(outcome)) => Ok(outcome),
        Ok(Err(reason)) => Err(fail(reason)),
        Err(panic) => {
            let text = panic.downcast_ref::<&str>().map(ToString::to_string);
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
            Err(fail(text.unwrap_or_else(|| "a panic without a text".to_owned())))
        }
    }
}
