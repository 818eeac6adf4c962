//! The lockstep engine, with recordings as producers.

use crate::lockstep_support::{fresh, inputs, recording};
use sim_harness::lockstep::{Batch, Field, Flow, Options, Producer, Recording, Report, Threads, run};
use sim_harness::rtl::{BuildId, Flavour};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

/// Names for the first words of any row; the rest stays unnamed.
const FIELDS: &[Field] = &[
    Field { name: "low_byte", value: "", word: 0, lsb: 0, width: 8 },
    Field { name: "rest", value: "", word: 0, lsb: 8, width: 24 },
    Field { name: "quad", value: "", word: 1, lsb: 0, width: 64 },
];

const CYCLES: usize = 1000;
const BOTH: [Threads; 2] = [Threads::One, Threads::Two];

fn build() -> BuildId {
    BuildId::ALL[0]
}

fn good() -> Recording {
    recording(build(), &inputs(build(), 10, CYCLES))
}

/// Batches that are small and do not divide the run.
fn options<'a>(threads: Threads) -> Options<'a> {
    Options { threads, batch_cycles: 64, ..Options::new(FIELDS) }
}

fn check(producer: &mut dyn Producer, options: Options<'_>) -> Report {
    run(producer, &mut fresh(build(), Flavour::Fast), options)
}

#[test]
fn equal_runs_have_no_divergence() {
    for &build in BuildId::ALL {
        for flavour in [Flavour::Fast, Flavour::Traced] {
            for threads in BOTH {
                let mut producer = recording(build, &inputs(build, 11, CYCLES));
                let report = run(&mut producer, &mut fresh(build, flavour), options(threads));
                assert_eq!(report, Report { cycles: CYCLES as u64, divergence: None, stopped: false });
            }
        }
    }
}

#[test]
fn a_flipped_bit_is_found_in_its_cycle_and_field() {
    let row = build().info().out_words;
    for (cycle, bit, name) in [
        (0, 0, "low_byte"),
        (63, 8, "rest"),
        (64, 32, "quad"),
        (500, 95, "quad"),
        (CYCLES - 1, row * 32 - 1, "(unnamed bits)"),
    ] {
        let mut producer = good();
        producer.expected_mut()[cycle * row + bit / 32] ^= 1 << (bit % 32);
        let reports = BOTH.map(|threads| {
            producer.rewind();
            check(&mut producer, Options { history: 5, ..options(threads) })
        });
        assert_eq!(reports[0], reports[1]);
        assert_eq!(reports[0].cycles, cycle as u64);
        let divergence = reports[0].divergence.as_ref().unwrap();
        assert_eq!(divergence.cycle, cycle as u64);
        assert_eq!(divergence.differences.len(), 1);
        let first = divergence.first().unwrap();
        assert_eq!(first.field.name, name);
        let flipped = bit - first.field.word * 32 - first.field.lsb as usize;
        assert_eq!(first.expected ^ first.actual, 1 << flipped);
        let cycles: Vec<u64> = divergence.history.iter().map(|row| row.cycle).collect();
        assert_eq!(cycles, ((cycle as u64).saturating_sub(4)..=cycle as u64).collect::<Vec<_>>());
        let last = divergence.history.last().unwrap();
        assert_eq!((&last.inputs, &last.expected), (&divergence.inputs, &divergence.expected));
    }
}

#[test]
fn only_the_first_difference_counts() {
    let row = build().info().out_words;
    let mut producer = good();
    for cycle in [700, 300, 301] {
        producer.expected_mut()[cycle * row] ^= 0x8000_0001;
    }
    let report = check(&mut producer, options(Threads::Two));
    let divergence = report.divergence.unwrap();
    assert_eq!(divergence.cycle, 300);
    let names: Vec<_> = divergence.differences.iter().map(|difference| difference.field.name).collect();
    assert_eq!(names, ["low_byte", "rest"]);
}

/// Plays a recording again and again, and does something on the way.
struct Endless<F> {
    recording: Recording,
    cycles: usize,
    before_batch: F,
}

impl<F: FnMut(usize) + Send> Producer for Endless<F> {
    fn fill(&mut self, batch: &mut Batch) -> Flow {
        (self.before_batch)(self.cycles);
        if self.recording.fill(batch) == Flow::End {
            self.recording.rewind();
        }
        self.cycles += batch.cycles();
        Flow::More
    }
}

/// All-zero inputs, so that the rows repeat for ever.
fn endless<F: FnMut(usize) + Send>(before_batch: F) -> Endless<F> {
    let zeros = vec![0; build().info().in_words * 256];
    Endless { recording: recording(build(), &zeros), cycles: 0, before_batch }
}

#[test]
fn the_stop_flag_ends_an_endless_run() {
    for threads in BOTH {
        let stop = AtomicBool::new(false);
        let mut seen = 0;
        let mut on_progress = |cycles| {
            seen = cycles;
            stop.store(cycles >= 3000, Ordering::Relaxed);
        };
        let options = Options { stop: &stop, on_progress: Some(&mut on_progress), ..options(threads) };
        let report = check(&mut endless(|_| ()), options);
        assert!(report.stopped && report.divergence.is_none());
        assert_eq!(report.cycles, seen);
        assert_eq!(report.cycles, 3008);
    }
}

#[test]
fn the_producer_may_raise_the_stop_flag() {
    for threads in BOTH {
        let stop = AtomicBool::new(false);
        let mut producer = endless(|cycles| stop.store(cycles >= 3000, Ordering::Relaxed));
        let report = check(&mut producer, Options { stop: &stop, ..options(threads) });
        assert!(report.stopped && report.divergence.is_none());
    }
}

fn message(result: std::thread::Result<Report>) -> String {
    *result.unwrap_err().downcast::<String>().unwrap()
}

#[test]
fn a_panic_of_the_producer_arrives_here() {
    for threads in BOTH {
        for limit in [0, 1500] {
            let mut producer = endless(|cycles| assert!(cycles < limit, "no more after {cycles}"));
            let result = catch_unwind(AssertUnwindSafe(|| check(&mut producer, options(threads))));
            assert!(message(result).starts_with("no more after "));
        }
    }
}

#[test]
fn a_panic_of_the_progress_callback_arrives_here() {
    for threads in BOTH {
        let mut on_progress = |cycles: u64| assert!(cycles < 1500, "stopped at {cycles}");
        let options = Options { on_progress: Some(&mut on_progress), ..options(threads) };
        let result = catch_unwind(AssertUnwindSafe(|| check(&mut endless(|_| ()), options)));
        assert_eq!(message(result), "stopped at 1536");
    }
}

/// The producer runs ahead; what happens to it after the first difference must not hide the difference.
#[test]
fn a_divergence_wins_over_a_later_panic() {
    for threads in BOTH {
        let mut producer = endless(|cycles| assert!(cycles < 192, "ran too far"));
        producer.recording.expected_mut()[100 * build().info().out_words] ^= 1;
        let report = check(&mut producer, options(threads));
        assert_eq!(report.divergence.unwrap().cycle, 100);
    }
}

#[test]
fn an_empty_run_is_equal() {
    for threads in BOTH {
        let info = build().info();
        let report = check(&mut Recording::new(info.in_words, info.out_words), options(threads));
        assert_eq!(report, Report { cycles: 0, divergence: None, stopped: false });
    }
}

#[test]
fn a_recording_of_a_producer_is_the_producer() {
    let info = build().info();
    let mut producer = good();
    let copy = Recording::of(&mut producer, info.in_words, info.out_words, 700);
    assert_eq!(copy.cycles(), 700);
    assert_eq!(copy.inputs(), &producer.inputs()[..700 * info.in_words]);
    assert_eq!(copy.expected(), &producer.expected()[..700 * info.out_words]);
}
