//! Speed of each unit on inputs that are ready in memory: the bare RTL, the model, and both in lockstep.
//!
//! `cargo bench -p proptests --bench units -- [--unit NAME] [--quick]`. The inputs are drawn scenarios, one after the other. The
//! contestants take turns in rounds, each right after the bare RTL, so that what else the machine does is on both sides of a ratio.

use lwp_model::Unit;
use proptests::unit::{Checks, find, units};
use sim_harness::device::{RecordedProducer, Shows};
use sim_harness::lockstep::{self, Options, Threads};
use sim_harness::rtl::{BuildId, Flavour, Rtl};
use sim_harness::with_build;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

/// Cycles of a round.
const CYCLES: usize = 300_000;

fn model_of<U: Unit>(straps: &[u32]) -> U {
    let straps = U::unpack_straps(straps).unwrap_or_else(|error| panic!("{error}"));
    U::new(straps).unwrap_or_else(|error| panic!("{error}"))
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let (mut wanted, mut rounds) = (units().to_vec(), 51);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--quick" => rounds = 5,
            "--unit" => match find(&arguments.next().unwrap_or_default()) {
                Ok(unit) => wanted = vec![unit],
                Err(why) => return wrong(&why),
            },
            _ => return wrong("usage: cargo bench -p proptests --bench units -- [--unit NAME] [--quick]"),
        }
    }
    println!("medians of {rounds} rounds, of {CYCLES} cycles at least; outputs and all state are compared in lockstep");
    println!("{:12}{:30}{:>12}{:>10}", "build", "", "Mcycles/s", "/ bare");
    for unit in wanted {
        for build in BuildId::of_unit(unit.name()) {
            measure(unit, build, rounds);
        }
    }
    ExitCode::SUCCESS
}

fn wrong(why: &str) -> ExitCode {
    eprintln!("{why}");
    ExitCode::from(2)
}

fn measure(unit: &dyn Checks, build: BuildId, rounds: usize) {
    let (rows, straps) = unit.bench_inputs(build, CYCLES);
    with_build!(any, build, |U| sized::<U>(build, &rows, &straps, rounds));
}

fn sized<U: Shows>(build: BuildId, rows: &[u32], straps: &[u32], rounds: usize) {
    let rtl = || Rtl::new(build, Flavour::Fast, straps);
    let bare = || {
        let mut rtl = rtl();
        seconds(|| rtl.run(rows))
    };
    let inputs: Vec<(U::Inputs, bool)> = rows.chunks_exact(U::INPUT_WORDS).map(U::unpack_inputs).collect();
    let model = || {
        let mut unit = model_of::<U>(straps);
        seconds(|| {
            for (inputs, rst_n) in &inputs {
                if *rst_n {
                    unit.step(black_box(inputs));
                } else {
                    unit.reset();
                }
            }
            black_box(&unit);
        })
    };
    let in_lockstep = |threads| {
        let (mut producer, mut rtl) = (RecordedProducer::new(model_of::<U>(straps), rows), rtl());
        let options = Options { threads, ..Options::new(U::OUTPUT_FIELDS) };
        seconds(|| {
            let report = lockstep::run(&mut producer, &mut rtl, options);
            assert!(report.divergence.is_none(), "model and RTL differ");
        })
    };
    let two = || in_lockstep(Threads::Two);
    let one = || in_lockstep(Threads::One);
    let contestants: [(&str, &dyn Fn() -> f64); 3] =
        [("model alone", &model), ("lockstep, two threads", &two), ("lockstep, one thread", &one)];
    let cycles = inputs.len() as f64;
    let (mut bares, mut results) = (Vec::new(), vec![(Vec::new(), Vec::new()); contestants.len()]);
    // The first round warms up caches and predictors.
    for round in 0..=rounds {
        for ((_, contestant), (speeds, ratios)) in contestants.iter().zip(&mut results) {
            let (bare, taken) = (bare(), contestant());
            if round > 0 {
                bares.push(cycles / bare / 1e6);
                speeds.push(cycles / taken / 1e6);
                ratios.push(bare / taken);
            }
        }
    }
    println!("{:12}{:30}{:12.2}{:10.2}", build.name(), "bare RTL", median(bares), 1.0);
    for ((name, _), (speeds, ratios)) in contestants.iter().zip(results) {
        println!("{:12}{name:30}{:12.2}{:10.2}", "", median(speeds), median(ratios));
    }
}

fn seconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
