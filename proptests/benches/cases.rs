//! What a case of the lockstep properties costs, part by part.
//!
//! `cargo bench -p proptests --bench cases [-- [--unit NAME] [--quick]]`. A case is drawn from its seed, played on the model by a core and a memory that
//! the scenario describes, packed into rows, and replayed on the RTL, which needs an instance with the case's straps. The same
//! cases as in the tests; medians of rounds.

use proptests::unit::{TimedCase, find, units};
use recording::Rows;
use sim_harness::rtl::{BuildId, Flavour, Rtl};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Seed of the first case, as in the tests.
const SEED: u64 = 2007;

/// The parts of a case, in order.
const PARTS: [&str; 6] =
    ["draw", "model in its scenario", "rows", "instance: new", "instance: again", "RTL, all compared"];

/// Parts that are no run of the case but get it ready for the RTL.
const NEW: usize = 3;
const AGAIN: usize = 4;
const REPLAY: usize = 5;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let (mut wanted, mut cases, mut rounds) = (units().to_vec(), 400, 9);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--quick" => (cases, rounds) = (100, 5),
            "--unit" => match find(&arguments.next().unwrap_or_default()) {
                Ok(unit) => wanted = vec![unit],
                Err(why) => return wrong(&why),
            },
            _ => return wrong("usage: cargo bench -p proptests --bench cases [-- [--unit NAME] [--quick]]"),
        }
    }
    for unit in wanted {
        for (number, (name, build)) in unit.bench_families().iter().enumerate() {
            family(name, *build, cases, rounds, &|seed| unit.bench_case(number, seed));
        }
    }
    ExitCode::SUCCESS
}

fn wrong(why: &str) -> ExitCode {
    eprintln!("{why}");
    ExitCode::from(2)
}

/// Seconds of each part over all cases.
#[derive(Clone, Copy, Default)]
struct Round {
    parts: [f64; PARTS.len()],
    cycles: usize,
}

fn family(name: &str, build: BuildId, cases: u64, rounds: usize, case: &dyn Fn(u64) -> TimedCase) {
    // The first round warms up caches and predictors.
    let rounds: Vec<Round> = (0..=rounds).map(|_| round(build, cases, case)).skip(1).collect();
    let median = |part: usize| {
        let mut seconds: Vec<f64> = rounds.iter().map(|round| round.parts[part]).collect();
        seconds.sort_by(f64::total_cmp);
        seconds[seconds.len() / 2]
    };
    let whole: f64 = (0..PARTS.len()).filter(|part| *part != NEW).map(median).sum();
    let cycles = rounds[0].cycles as f64 / cases as f64;
    println!("{name}: {cases} cases of {cycles:.0} cycles on average, {} rounds", rounds.len());
    println!("{:26}{:>12}{:>12}{:>12}", "", "us a case", "of a case", "of the RTL");
    for (part, name) in PARTS.iter().enumerate() {
        let seconds = median(part);
        let share = 100.0 * seconds / whole;
        let of_rtl = 100.0 * seconds / median(REPLAY);
        println!("{name:26}{:12.1}{share:10.1} %{of_rtl:10.1} %", seconds / cases as f64 * 1e6);
    }
    println!("{:26}{:12.0}\n", "cases in a second", cases as f64 / whole);
}

fn round(build: BuildId, cases: u64, case: &dyn Fn(u64) -> TimedCase) -> Round {
    let mut round = Round::default();
    let mut kept = None;
    for seed in SEED..SEED + cases {
        let mut parts = [Duration::ZERO; PARTS.len()];
        let TimedCase { times, straps, rows: Rows { inputs, outputs: expected } } = case(seed);
        parts[..times.len()].copy_from_slice(&times);
        timed(&mut parts[NEW], || drop(Rtl::new(build, Flavour::Fast, &straps)));
        let kept = kept.get_or_insert_with(|| Rtl::new(build, Flavour::Fast, &straps));
        timed(&mut parts[AGAIN], || kept.power_up(&straps));
        timed(&mut parts[REPLAY], || kept.replay(&inputs, &expected)).expect("model and RTL agree");
        for (sum, part) in round.parts.iter_mut().zip(parts) {
            *sum += part.as_secs_f64();
        }
        round.cycles += inputs.len() / build.info().in_words;
    }
    round
}

fn timed<T>(time: &mut Duration, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    *time += start.elapsed();
    result
}
