//! Situations that randomly generated cases hardly ever reach, led to by hand: each is a short run, or one run for
//! every cycle in which something may happen. Most were found through mutants of the RTL that survived all other tests.

mod addresses;
mod building_blocks;
mod contexts;
mod counts;
mod crossing;
mod loads;
mod registers;
mod ring;
mod stores;

pub use crossing::{Crossing, Way};

use crate::lwp::bench::Cycle;
use crate::lwp::scenario::Sequence;

/// A run that is to reach a situation.
#[derive(Clone, Debug)]
pub struct Directed {
    /// The situation that the run reaches; runs of the same name try it in different cycles.
    pub situation: &'static str,
    /// The steps of the run.
    pub sequence: Sequence,
    /// Whether a cycle shows the situation.
    pub seen: fn(&Cycle<4>) -> bool,
}

/// Returns all directed runs, always in the same order.
#[must_use]
pub fn all() -> Vec<Directed> {
    let crossings = crossings().into_iter().map(|crossing| crossing.run);
    [loads::all(), stores::all(), contexts::all(), registers::all()].into_iter().flatten().chain(crossings).collect()
}

/// Returns the runs that lead a register over each power of two that it can hold.
#[must_use]
pub fn crossings() -> Vec<Crossing> {
    [ring::all(), counts::all(), addresses::all()].into_iter().flatten().collect()
}
