//! Speed of each unit on inputs that are ready in memory: the bare RTL, the model, and both in lockstep.
//!
//! `cargo bench -p proptests --bench units -- [--program FILE] [--unit NAME] [--quick]`. The inputs are drawn scenarios, one after the
//! other; with a captured program, what the environment of each unit makes of it in the unit's default session. The contestants take
//! turns in rounds, each right after the bare RTL, so that what else the machine does is on both sides of a ratio.

use lwp_model::Unit;
use proptests::unit::{Checks, find, units};
use sim_harness::core::Instructions;
use sim_harness::cosim::{Request, Stream, plan_of};
use sim_harness::device::{RecordedProducer, Shows};
use sim_harness::frontend::FrontEnd;
use sim_harness::lockstep::{self, Options, Recording, Threads};
use sim_harness::rtl::{BuildId, Flavour, Rtl};
use sim_harness::unit::Unit as Harness;
use sim_harness::{traces, with_build};
use std::error::Error;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Cycles of a round.
const CYCLES: usize = 300_000;
/// Instructions at the beginning of a program, while it is loading, that are not like the rest.
const LOADING: usize = 100_000;
const USAGE: &str = "usage: cargo bench -p proptests --bench units -- [--program FILE] [--unit NAME] [--quick]
FILE is a captured program, as an absolute path: cargo runs a bench in the directory of its package";

fn model_of<U: Unit>(straps: &[u32]) -> U {
    let straps = U::unpack_straps(straps).unwrap_or_else(|error| panic!("{error}"));
    U::new(straps).unwrap_or_else(|error| panic!("{error}"))
}

/// Rows of inputs, and the words of the straps.
type Work = (Vec<u32>, Vec<u32>);

struct Settings {
    /// The program whose inputs are played; drawn scenarios without one.
    program: Option<PathBuf>,
    units: Vec<&'static dyn Checks>,
    rounds: usize,
}

fn main() -> ExitCode {
    let settings = match settings() {
        Ok(settings) => settings,
        Err(why) => {
            eprintln!("{why}");
            return ExitCode::from(2);
        }
    };
    let rounds = settings.rounds;
    println!("medians of {rounds} rounds, of {CYCLES} cycles at least; outputs and all state are compared in lockstep");
    println!("{:14}{:30}{:>12}{:>10}", "build", "", "Mcycles/s", "/ bare");
    for unit in settings.units {
        for build in BuildId::of_unit(unit.name()) {
            let work = match &settings.program {
                Some(file) => program(build, file).map_err(|error| error.to_string()),
                None => Ok(Some(unit.bench_inputs(build, CYCLES))),
            };
            match work {
                Ok(Some((rows, straps))) => with_build!(any, build, |U| sized::<U>(build, &rows, &straps, rounds)),
                Ok(None) => println!("{:14}no session has these sizes", build.name()),
                Err(why) => {
                    eprintln!("{why}");
                    return ExitCode::from(2);
                }
            }
        }
    }
    ExitCode::SUCCESS
}

fn settings() -> Result<Settings, String> {
    let mut settings = Settings { program: None, units: units().to_vec(), rounds: 51 };
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--quick" => settings.rounds = 5,
            "--program" => settings.program = Some(arguments.next().ok_or(USAGE)?.into()),
            "--unit" => settings.units = vec![find(&arguments.next().unwrap_or_default())?],
            _ => return Err(USAGE.to_owned()),
        }
    }
    Ok(settings)
}

/// The inputs of a build, and its straps, in the unit's default session over a program. None if the session takes another build.
fn program(build: BuildId, file: &Path) -> Result<Option<Work>, Box<dyn Error>> {
    let unit = Harness::of(build);
    let lanes = build.parameter("RetireLanes").unwrap_or(1) as usize;
    let plan = plan_of(unit, &Request { session: None, seed: None, lanes, spacing: 1 })?;
    if plan.build() != build {
        return Ok(None);
    }
    let front_end = plan.front_end().map(FrontEnd::new).transpose()?;
    let mut instructions = Stream::new(traces::open(file)?, front_end, None);
    for _ in 0..LOADING {
        instructions.advance()?;
    }
    let info = build.info();
    let mut producer = plan.producer(instructions, |_| ());
    let recording = Recording::of(&mut *producer, info.in_words, info.out_words, CYCLES);
    if recording.cycles() < CYCLES {
        let (has, name) = (recording.cycles(), file.display());
        return Err(format!("{name}: {has} cycles behind the first {LOADING} instructions, and a round takes {CYCLES}; take a longer program").into());
    }
    Ok(Some((recording.inputs().to_vec(), plan.strap_words())))
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
    println!("{:14}{:30}{:12.2}{:10.2}", build.name(), "bare RTL", median(bares), 1.0);
    for ((name, _), (speeds, ratios)) in contestants.iter().zip(results) {
        println!("{:14}{name:30}{:12.2}{:10.2}", "", median(speeds), median(ratios));
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
