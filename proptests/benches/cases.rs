//! What a case of the lockstep properties costs, part by part.
//!
//! `cargo bench -p proptests --bench cases [-- --quick]`. A case is drawn from its seed, played on the model by a core and a memory that
//! the scenario describes, packed into rows, and replayed on the RTL, which needs an instance with the case's straps. The same
//! cases as in the tests; medians of rounds.

use proptests::lwp::bench::{Recording, play};
use proptests::lwp::lockstep::rows;
use proptests::lwp::scenario::{Scenario, busy, scenario};
use proptests::runner::draw;
use recording::Rows;
use sim_harness::lwp::flat::pack_straps;
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
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let (cases, rounds) = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => (400, 9),
        ["--quick"] => (100, 5),
        _ => {
            eprintln!("usage: cargo bench -p proptests --bench cases [-- --quick]");
            return ExitCode::from(2);
        }
    };
    let (scenarios, sessions) = (scenario(120), busy(80));
    family("four_lanes_agree", cases, rounds, |seed| draw(seed, &scenarios));
    family("busy_sessions_agree", cases, rounds, |seed| draw(seed, &sessions));
    ExitCode::SUCCESS
}

/// Seconds of each part over all cases.
#[derive(Clone, Copy, Default)]
struct Round {
    parts: [f64; PARTS.len()],
    cycles: usize,
}

fn family(name: &str, cases: u64, rounds: usize, draw: impl Fn(u64) -> Scenario) {
    // The first round warms up caches and predictors.
    let rounds: Vec<Round> = (0..=rounds).map(|_| round(cases, &draw)).skip(1).collect();
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

fn round(cases: u64, draw: &impl Fn(u64) -> Scenario) -> Round {
    let mut round = Round::default();
    let mut kept = Rtl::new(BuildId::LwpW4, Flavour::Fast, &[0; 3]);
    for seed in SEED..SEED + cases {
        let mut parts = [Duration::ZERO; PARTS.len()];
        let scenario = timed(&mut parts[0], || draw(seed));
        let recording: Recording<4> = timed(&mut parts[1], || play::<4, 8, 31>(&scenario).0);
        let Rows { inputs, outputs: expected } = timed(&mut parts[2], || rows(&scenario.straps, &recording));
        let straps = pack_straps(&scenario.straps);
        timed(&mut parts[NEW], || drop(Rtl::new(BuildId::LwpW4, Flavour::Fast, &straps)));
        timed(&mut parts[AGAIN], || kept.power_up(&straps));
        timed(&mut parts[REPLAY], || kept.replay(&inputs, &expected)).expect("model and RTL agree");
        for (sum, part) in round.parts.iter_mut().zip(parts) {
            *sum += part.as_secs_f64();
        }
        round.cycles += recording.cycles.len();
    }
    round
}

fn timed<T>(time: &mut Duration, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    *time += start.elapsed();
    result
}
