//! What the C ABI costs: cycles a second of the native model and of the same model behind it, in the same run.
//!
//! `cargo bench -p lwp-model-c --bench c_abi [-- --quick]`. Each figure is the median of rounds in which all contestants take
//! turns, so that what else the machine does hits all of them.

#[path = "../tests/support/model.rs"]
#[allow(dead_code, reason = "the bench uses a part")]
mod model;
#[path = "../tests/support/stimulus.rs"]
mod stimulus;

use lwp_model::lwp::flat::{OUT_WORDS, pack_expected, unpack_inputs};
use lwp_model::lwp::{Config, Inputs, Lwp};
use lwp_model_c::api::{LwpConfig, LwpInputs};
use model::Model;
use std::hint::black_box;
use std::time::Instant;
use stimulus::Stimulus;

type Unit = Lwp<4, 8, 31>;

/// One run's inputs, as each contestant wants them.
struct Work {
    native: Vec<Inputs<4>>,
    fields: Vec<LwpInputs>,
    words: Vec<Vec<u32>>,
}

fn record(cycles: usize) -> Work {
    let mut work = Work { native: Vec::new(), fields: Vec::new(), words: Vec::new() };
    let mut stimulus = Stimulus::new(4, 8, 1);
    let mut model = Model::new(&LwpConfig::default()).expect("the default is legal");
    for _ in 0..cycles {
        let inputs = stimulus.inputs(&model.outputs());
        let row = model.pack(&inputs).expect("legal inputs");
        model.step(&inputs).expect("legal inputs");
        work.native.push(unpack_inputs(&row).0);
        work.fields.push(inputs);
        work.words.push(row);
    }
    println!("{cycles} cycles, {} records, 4 lanes", stimulus.records());
    work
}

/// A name, and a run over the work.
type Contestant = (&'static str, fn(&Work));

fn new() -> Model {
    Model::new(&LwpConfig::default()).expect("the default is legal")
}

fn unit() -> Unit {
    Lwp::new(Config::default()).expect("the default is legal")
}

const CONTESTANTS: [Contestant; 4] = [
    ("native: step, outputs", |work| {
        let mut unit = unit();
        for inputs in &work.native {
            unit.step(black_box(inputs));
            black_box(unit.outputs());
        }
    }),
    ("C fields: step, outputs", |work| {
        let mut model = new();
        for inputs in &work.fields {
            model.step(inputs).expect("legal inputs");
            black_box(model.outputs());
        }
    }),
    ("native: step, all state", |work| {
        let (mut unit, mut row) = (unit(), [0; OUT_WORDS]);
        for inputs in &work.native {
            unit.step(black_box(inputs));
            pack_expected(unit.state(), unit.config(), &mut row);
            black_box(&row);
        }
    }),
    ("C words: step, all state", |work| {
        let mut model = new();
        for row in &work.words {
            model.step_words(row).expect("a row");
            black_box(model.probe());
        }
    }),
];

fn main() {
    let quick = std::env::args().any(|argument| argument == "--quick");
    let (cycles, rounds) = if quick { (50_000, 9) } else { (200_000, 31) };
    let work = record(cycles);
    let mut speeds = [const { Vec::new() }; CONTESTANTS.len()];
    for round in 0..=rounds {
        for ((_, run), speeds) in CONTESTANTS.iter().zip(&mut speeds) {
            let start = Instant::now();
            run(&work);
            // The first round warms up caches and predictors.
            if round > 0 {
                speeds.push(cycles as f64 / start.elapsed().as_secs_f64() / 1e6);
            }
        }
    }
    println!("{:26}{:>10}{:>10}{:>10}{:>14}", "Mcycles/s", "median", "slowest", "fastest", "/ native");
    let mut native = 0.0;
    for (index, ((name, _), speeds)) in CONTESTANTS.iter().zip(&mut speeds).enumerate() {
        speeds.sort_by(f64::total_cmp);
        let median = speeds[speeds.len() / 2];
        if index % 2 == 0 {
            native = median;
        }
        let ratio = median / native;
        println!("{name:26}{median:10.2}{:10.2}{:10.2}{ratio:14.2}", speeds[0], speeds[speeds.len() - 1]);
    }
}
