//! Situations that drawn cases hardly ever come by, led to by hand: each a short run, or one for every cycle in which something may
//! happen. Most were found by mutants of the RTL that everything else let live.

mod addresses;
mod contexts;
mod counts;
mod crossing;
mod loads;
mod registers;
mod ring;
mod stores;
mod world;

pub use crossing::{Crossing, Way};

use crate::lwp::bench::Cycle;
use crate::lwp::scenario::Sequence;

/// A run that is to come by a situation.
#[derive(Clone, Debug)]
pub struct Directed {
    /// What it comes by; runs of the same name try it in different cycles.
    pub situation: &'static str,
    /// What happens.
    pub sequence: Sequence,
    /// Whether this cycle is the one that is meant.
    pub seen: fn(&Cycle<4>) -> bool,
}

/// All of them, always in the same order.
#[must_use]
pub fn all() -> Vec<Directed> {
    let crossings = crossings().into_iter().map(|crossing| crossing.run);
    [loads::all(), stores::all(), contexts::all(), registers::all()].into_iter().flatten().chain(crossings).collect()
}

/// Those that lead a register over each power of two that it can hold.
#[must_use]
pub fn crossings() -> Vec<Crossing> {
    [ring::all(), counts::all(), addresses::all()].into_iter().flatten().collect()
}
