//! Speed of the bare RTL, the model and the lockstep on the same inputs, in one run.
//!
//! `cargo bench -p sim-harness --bench lockstep -- --trace FILE [--quick] [--only NAME] [--record FILE]`; `make bench` captures the trace first.
//!
//! Bare RTL is the same Verilated build as in lockstep, its inputs ready in memory, its outputs thrown away. All contestants take
//! turns in rounds, each right after the bare RTL, so that what else the machine does hits both sides of a ratio.

use lwp_model::lwp::{Digest, Inputs, Lwp};
use sim_harness::frontend::FrontEnd;
use sim_harness::lockstep::{self, Batch, Flow, Options, Producer, Recording, Threads};
use sim_harness::lwp::device::{ModelProducer, RecordedProducer};
use sim_harness::lwp::environment::{Computer, ReplayList};
use sim_harness::lwp::fields::FIELDS;
use sim_harness::lwp::flat;
use sim_harness::lwp::records::Recorder;
use sim_harness::lwp::session::{EVENT_SLOTS, Session};
use sim_harness::rtl::{BuildId, Flavour, Rtl};
use sim_harness::traces::{self, Retired};
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

const LANES: usize = 4;
const LATENCY_BITS: u32 = 31;
/// Instructions at the beginning of the trace, while a program is loading, that are not like the rest.
const SKIP: usize = 100_000;
/// Instructions of a round: as few as a tenth of a second holds, for the machine is not the same for long.
const INSTRUCTIONS: usize = 300_000;

type Model = Lwp<LANES, EVENT_SLOTS, LATENCY_BITS>;
type BenchComputer = Computer<LANES, ReplayList, Recorder>;

/// What all contestants work on.
struct Work {
    session: Session,
    instructions: ReplayList,
    number: usize,
    recording: Recording,
    inputs: Vec<Inputs<LANES>>,
    digests: Vec<Digest>,
    /// The model behind the last cycle.
    end: Option<Model>,
}

struct Settings {
    trace: PathBuf,
    /// Only writes the rows to this file, for what is not in this program.
    record: Option<PathBuf>,
    /// Only contestants with this in their names, beside the first.
    only: String,
    rounds: usize,
}

fn main() -> ExitCode {
    let Some(settings) = settings() else {
        eprintln!(
            "usage: cargo bench -p sim-harness --bench lockstep -- --trace FILE [--quick] [--only NAME] [--record FILE]"
        );
        return ExitCode::from(2);
    };
    match prepare(&settings) {
        Ok(work) => match &settings.record {
            Some(file) => return record(&work, file),
            None => report(&work, &settings),
        },
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

fn settings() -> Option<Settings> {
    let mut settings = Settings { trace: PathBuf::new(), record: None, only: String::new(), rounds: 101 };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--trace" => settings.trace = arguments.next()?.into(),
            "--record" => settings.record = Some(arguments.next()?.into()),
            "--only" => settings.only = arguments.next()?,
            "--quick" => settings.rounds = 5,
            "--bench" => {}
            _ => return None,
        }
    }
    (settings.trace != PathBuf::new()).then_some(settings)
}

/// Reads the instructions and records one run of model and environment over them.
fn prepare(settings: &Settings) -> Result<Work, Box<dyn std::error::Error>> {
    let session = Session::default();
    let mut reader = traces::open(&settings.trace)?;
    let mut front_end = FrontEnd::new(&session.frontend)?;
    let annotate = !reader.annotated();
    let mut instructions = Vec::with_capacity(INSTRUCTIONS);
    let mut retired = Retired::default();
    let mut left_out = 0;
    while instructions.len() < INSTRUCTIONS && reader.next(&mut retired)? {
        if annotate {
            front_end.annotate(&mut retired);
        }
        if left_out < SKIP {
            left_out += 1;
        } else {
            // Of its loads only those that missed reach the unit, and no stores.
            retired.loads.retain(|load| load.miss);
            retired.stores.clear();
            instructions.push(retired.clone());
        }
    }
    let recording = Recording::new(1, 1);
    let (number, instructions) = (instructions.len(), ReplayList::new(instructions, 1));
    let mut work =
        Work { session, instructions, number, recording, inputs: Vec::new(), digests: Vec::new(), end: None };
    let mut producer = producer(&work);
    work.recording = Recording::of(&mut producer, flat::in_words(LANES), flat::OUT_WORDS, usize::MAX);
    let (mut model, mut environment) = (model(&work), environment(&work));
    while !environment.is_over() {
        let inputs = *environment.cycle(&model.outputs());
        model.step(&inputs);
        work.inputs.push(inputs);
    }
    work.digests = work.inputs.iter().map(Digest::of).collect();
    work.end = Some(model);
    Ok(work)
}

/// Words of a row of inputs, of a row of what is expected, number of cycles, straps, all inputs, all that is expected: as
/// little-endian words of 32 bits.
fn record(work: &Work, file: &Path) -> ExitCode {
    let (recording, straps) = (&work.recording, flat::pack_straps(&work.session.straps));
    let head = [flat::in_words(LANES) as u32, flat::OUT_WORDS as u32, recording.cycles() as u32];
    let words = head.iter().chain(&straps).chain(recording.inputs()).chain(recording.expected());
    let bytes: Vec<u8> = words.flat_map(|word| word.to_le_bytes()).collect();
    match std::fs::write(file, bytes) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error}", file.display());
            ExitCode::from(2)
        }
    }
}

fn model(work: &Work) -> Model {
    Lwp::new(work.session.straps).expect("default straps are legal")
}

fn environment(work: &Work) -> BenchComputer {
    let setup = work.session.setup(LANES, 1, LATENCY_BITS);
    Computer::new(&setup, work.instructions.clone(), Recorder::default())
}

fn producer(
    work: &Work,
) -> ModelProducer<LANES, EVENT_SLOTS, LATENCY_BITS, ReplayList, Recorder, fn(&mut BenchComputer)> {
    ModelProducer::new(model(work), environment(work), |_| {})
}

fn rtl(work: &Work) -> Rtl {
    Rtl::new(BuildId::LwpW4, Flavour::Fast, &flat::pack_straps(&work.session.straps))
}

fn in_lockstep(work: &Work, mut producer: impl Producer, threads: Threads) -> f64 {
    let mut rtl = rtl(work);
    let options = Options { threads, ..Options::new(FIELDS) };
    seconds(|| {
        let report = lockstep::run(&mut producer, &mut rtl, options);
        assert!(report.divergence.is_none(), "model and RTL differ");
        assert_eq!(report.cycles, work.recording.cycles() as u64, "cycles compared");
    })
}

fn ready(work: &Work) -> RecordedProducer<'_, LANES, EVENT_SLOTS, LATENCY_BITS> {
    RecordedProducer::new(model(work), work.recording.inputs())
}

fn produce(producer: &mut impl Producer) {
    let mut batch = Batch::new(flat::in_words(LANES), flat::OUT_WORDS, lockstep::BATCH_CYCLES);
    while producer.fill(&mut batch) == Flow::More {
        black_box(&batch);
        batch.clear();
    }
}

/// The bare RTL while a second thread runs the model over and over, of which nobody takes the rows: what two cores leave each
/// other of caches, memory and clock.
fn beside_the_model(work: &Work) -> f64 {
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                produce(&mut ready(work));
            }
        });
        let mut rtl = rtl(work);
        let taken = seconds(|| rtl.run(work.recording.inputs()));
        over.store(true, Ordering::Relaxed);
        taken
    })
}

fn seconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

/// A name, and a run that returns the seconds it took.
type Contestant<'a> = (&'static str, Box<dyn Fn() -> f64 + 'a>);

fn contestants(work: &Work) -> Vec<Contestant<'_>> {
    vec![
        (
            "bare RTL",
            Box::new(|| {
                let mut rtl = rtl(work);
                seconds(|| rtl.run(work.recording.inputs()))
            }),
        ),
        (
            "model alone",
            Box::new(|| {
                let mut model = model(work);
                seconds(|| work.inputs.iter().for_each(|inputs| model.step(black_box(inputs))))
            }),
        ),
        (
            "model, skipping",
            Box::new(|| {
                let mut model = model(work);
                let taken = seconds(|| model.run(black_box(&work.inputs), black_box(&work.digests)));
                assert_eq!(Some(&model), work.end.as_ref(), "skipping is not stepping");
                taken
            }),
        ),
        ("digests for skipping", Box::new(|| seconds(|| drop(work.inputs.iter().map(Digest::of).collect::<Vec<_>>())))),
        (
            "model and environment",
            Box::new(|| {
                let mut producer = producer(work);
                seconds(|| produce(&mut producer))
            }),
        ),
        ("model, recorded inputs", Box::new(|| seconds(|| produce(&mut ready(work))))),
        (
            "RTL, all compared",
            Box::new(|| {
                let mut rtl = rtl(work);
                seconds(|| assert_eq!(rtl.replay(work.recording.inputs(), work.recording.expected()), Ok(())))
            }),
        ),
        ("bare RTL, model beside it", Box::new(|| beside_the_model(work))),
        ("lockstep, two threads", Box::new(|| in_lockstep(work, producer(work), Threads::Two))),
        ("lockstep, one thread", Box::new(|| in_lockstep(work, producer(work), Threads::One))),
        ("recorded inputs, two threads", Box::new(|| in_lockstep(work, ready(work), Threads::Two))),
        ("recorded inputs, one thread", Box::new(|| in_lockstep(work, ready(work), Threads::One))),
    ]
}

/// Plays all rounds. The bare RTL runs before each contestant anew, and a ratio is one of these neighbours: the machine's speed
/// may change from second to second, and then both have it.
fn report(work: &Work, settings: &Settings) {
    let (cycles, rounds) = (work.recording.cycles(), settings.rounds);
    let mut contestants = contestants(work);
    let (_, bare) = contestants.remove(0);
    contestants.retain(|(name, _)| name.contains(&settings.only));
    let mut bare_speeds = Vec::new();
    let mut results = vec![(Vec::new(), Vec::new()); contestants.len()];
    // The first round warms up caches and predictors.
    for round in 0..=rounds {
        for ((_, contestant), (speeds, ratios)) in contestants.iter().zip(&mut results) {
            let (bare, taken) = (bare(), contestant());
            if round > 0 {
                bare_speeds.push(cycles as f64 / bare / 1e6);
                speeds.push(cycles as f64 / taken / 1e6);
                ratios.push(bare / taken);
            }
        }
    }
    println!(
        "{} instructions in {cycles} cycles, {rounds} rounds; outputs and all state compared in lockstep",
        work.number
    );
    println!("medians, and between which values the middle half of the rounds lies");
    println!("{:30}{:>10}{:>20}{:>10}{:>16}", "Mcycles/s", "median", "half", "/ bare", "half");
    let bare_ratios = vec![1.0; bare_speeds.len()];
    let rows = std::iter::once(("bare RTL", (bare_speeds, bare_ratios)));
    for (name, (speeds, ratios)) in rows.chain(contestants.iter().map(|(name, _)| *name).zip(results)) {
        let ([low, speed, high], [least, ratio, most]) = (quartiles(speeds), quartiles(ratios));
        println!("{name:30}{speed:10.2}{low:11.2} ..{high:7.2}{ratio:10.2}{least:8.2} ..{most:5.2}");
    }
}

/// The first quartile, the median and the third quartile.
fn quartiles(mut values: Vec<f64>) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    [1, 2, 3].map(|quarter| values[values.len() * quarter / 4])
}
