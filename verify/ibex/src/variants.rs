//! The variants of machine, bus and session that are run.

use crate::build::{Build, Core};
use crate::debug;
use crate::failure::Failure;
use crate::options::Options;
use crate::perf;
use crate::say::say;

/// A run: which machine, which session, how much of the program.
#[derive(Clone, Debug)]
pub(crate) struct Variant {
    /// Name.
    pub(crate) name: &'static str,
    /// What it shows.
    pub(crate) about: &'static str,
    /// The machine.
    pub(crate) build: Build,
    /// Interval of each event; 0: not recorded.
    pub(crate) intervals: [u32; 3],
    /// Records at which the unit interrupts; 0: never.
    pub(crate) threshold: u32,
    /// Records that the ring holds.
    pub(crate) ring: u32,
    /// The bus grants the core in one cycle of so many.
    pub(crate) every: u32,
    /// The bus grants the unit in one cycle of so many.
    pub(crate) unit_every: u32,
    /// Rounds of the program.
    pub(crate) rounds: u32,
    /// The parts of the program: sort, parse, multiply, walk, touch.
    pub(crate) parts: u32,
}

/// All parts of the program.
pub(crate) const ALL_PARTS: u32 = 0b1_1111;
/// The parts that make fewer accesses, for a slow bus.
const SHORT_PARTS: u32 = 0b1_1110;

/// The part that is a few loads.
const TOUCH: u32 = 0b1_0000;

impl Variant {
    /// Returns the variant `main` with so many rounds.
    pub(crate) fn main(rounds: u32) -> Self {
        Self {
            name: "main",
            about: "user mode; an interrupt for 16 records",
            build: Build::check(Core::Usual),
            intervals: [2000, 500, 300],
            threshold: 16,
            ring: 64,
            every: 1,
            unit_every: 1,
            rounds,
            parts: ALL_PARTS,
        }
    }
}

/// Returns all variants, the first of which is `main`.
fn all(rounds: u32) -> Vec<Variant> {
    let main = Variant::main(rounds);
    let once = Variant { rounds: 1, ..main.clone() };
    vec![
        main,
        Variant { name: "each", about: "an interrupt after each record", threshold: 1, ..once.clone() },
        Variant {
            name: "slow-bus",
            about: "the bus grants core and unit in one cycle of 64",
            every: 64,
            unit_every: 64,
            parts: SHORT_PARTS,
            ..once.clone()
        },
        Variant {
            name: "slow-unit",
            about: "the bus grants the unit in one cycle of 64",
            unit_every: 64,
            ..once.clone()
        },
        Variant {
            name: "dense",
            about: "intervals shorter than a record takes",
            intervals: [20, 11, 5],
            threshold: 32,
            ..once.clone()
        },
        Variant {
            name: "full",
            about: "no interrupt: the ring becomes full",
            intervals: [300, 100, 50],
            threshold: 0,
            ..once.clone()
        },
        Variant {
            name: "small",
            about: "a core without user mode, whose kernel is profiled too, and without write-back stage",
            build: Build::check(Core::Small),
            ..once.clone()
        },
        Variant {
            name: "predictor",
            about: "a core with branch predictor",
            build: Build::check(Core::Predictor),
            ..once
        },
    ]
}

/// Returns the variants with LWP that the options ask for.
pub(crate) fn named(options: &Options) -> Result<Vec<Variant>, Failure> {
    let all = all(options.rounds);
    if options.only.is_empty() {
        return Ok(all);
    }
    let find = |name: &String| {
        let known = || all.iter().map(|variant| variant.name).collect::<Vec<_>>().join(", ");
        let found = all.iter().find(|variant| variant.name == name).cloned();
        found.ok_or_else(|| Failure::new(format!("no variant {name}; there are: {}", known())))
    };
    options.only.iter().filter(|name| !debug::is_name(name) && !perf::is_name(name)).map(find).collect()
}

/// Returns the variants whose events are recorded for the tests of the checker.
pub(crate) fn recorded() -> [Variant; 2] {
    let short = Variant { intervals: [97, 43, 23], threshold: 4, ring: 8, parts: TOUCH, ..Variant::main(10) };
    [
        Variant { name: "interrupts", ..short.clone() },
        Variant { name: "full", intervals: [31, 13, 7], threshold: 0, ring: 4, rounds: 2, ..short },
    ]
}

/// Prints the names of the variants.
pub(crate) fn print() {
    say!("variants");
    for variant in all(1) {
        say!("  {:12} {}", variant.name, variant.about);
    }
    debug::print();
    perf::print();
}
