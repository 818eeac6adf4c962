//! Which seeds a test tries, and how to try one of them again.

use crate::{Built, Failure, Simulation};
use std::env;
use std::thread;

/// The seed in `RTL_CHECKS_SEED`, else those of the test.
///
/// # Panics
/// `RTL_CHECKS_SEED` is no number: the message says so.
#[must_use]
pub fn seeds(usual: impl IntoIterator<Item = u32>) -> Vec<u32> {
    number("RTL_CHECKS_SEED").map_or_else(|| usual.into_iter().collect(), |seed| vec![seed])
}

/// How many registers to step over: the number in `RTL_CHECKS_EVERY`, at least 1, else `usual`.
///
/// # Panics
/// `RTL_CHECKS_EVERY` is no number: the message says so.
#[must_use]
pub fn every(usual: usize) -> usize {
    number("RTL_CHECKS_EVERY").map_or(usual, |step| (step as usize).max(1))
}

fn number(name: &str) -> Option<u32> {
    let text = env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name}={text}: a number below 2^32 is wanted")))
}

/// A bench that takes plus arguments.
pub trait Runs {
    /// Runs it; returns what it printed.
    ///
    /// # Errors
    /// It fails: its output.
    fn run(&self, arguments: &[&str]) -> Result<String, Failure>;
}

impl Runs for Built {
    fn run(&self, arguments: &[&str]) -> Result<String, Failure> {
        Built::run(self, arguments)
    }
}

impl Runs for Simulation {
    fn run(&self, arguments: &[&str]) -> Result<String, Failure> {
        Simulation::run(self, arguments)
    }
}

/// Runs a bench with `+seed` and other plus arguments.
///
/// # Errors
/// It fails: its output, and the command that runs this test again with this seed alone.
pub fn with_seed(bench: &impl Runs, seed: u32, arguments: &[&str]) -> Result<String, Failure> {
    let argument = format!("+seed={seed}");
    bench.run(&[&[argument.as_str()], arguments].concat()).map_err(|failure| {
        let test = thread::current().name().unwrap_or_default().to_owned();
        Failure::new(format!(
            "{failure}\nagain: RTL_CHECKS_SEED={seed} cargo test --release -p rtl-checks -- --exact {test}\n"
        ))
    })
}
