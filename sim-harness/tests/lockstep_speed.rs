//! How fast replay is. Not a test of anything: `cargo test --release --test lockstep_speed -- --ignored --nocapture`.
#![allow(missing_docs, reason = "tests")]

mod lockstep_support;

use lockstep_support::{fresh, inputs, recording};
use sim_harness::lockstep::{Batch, Flow, Options, Producer, Recording, Threads, run};
use sim_harness::rtl::{BuildId, Flavour};
use std::time::Instant;

const ROWS: usize = 1024;
const SHORT: usize = 400;
const ROUNDS: usize = 50;
const SAMPLES: usize = 40;

/// The same recording again and again; after the first time around with other registers, so it begins with a reset.
struct Again {
    recording: Recording,
    left: usize,
}

impl Producer for Again {
    fn fill(&mut self, batch: &mut Batch) -> Flow {
        while batch.room() > 0 {
            if self.recording.fill(batch) == Flow::End {
                self.recording.rewind();
                self.left -= 1;
                if self.left == 0 {
                    return Flow::End;
                }
            }
        }
        Flow::More
    }
}

/// The best of many short samples, as other programs share the machine.
fn report(build: BuildId, what: &str, samples: usize, cycles: usize, mut work: impl FnMut()) {
    let samples = (0..samples).map(|_| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64()
    });
    let best = samples.fold(f64::INFINITY, f64::min);
    println!("{:8} {what:24} {:7.2} Mcycles/s", build.name(), cycles as f64 / best / 1e6);
}

#[test]
#[ignore = "measures, and takes its time"]
fn speed() {
    for &build in BuildId::ALL {
        let ins = inputs(build, 30, ROWS);
        let recording = recording(build, &ins);
        for (flavour, name, rounds) in [(Flavour::Fast, "fast", 4), (Flavour::Traced, "traced", 4)] {
            let mut rtl = fresh(build, flavour);
            report(build, &format!("{name} run"), SHORT, rounds * ROWS, || (0..rounds).for_each(|_| rtl.run(&ins)));
            report(build, &format!("{name} replay"), SHORT, rounds * ROWS, || {
                for _ in 0..rounds {
                    rtl.replay(&ins, recording.expected()).unwrap();
                }
            });
        }
        for threads in [Threads::One, Threads::Two] {
            for batch_cycles in [128, 512, 1024, 2048, 4096, 16384] {
                let what = format!("engine {threads:?} {batch_cycles}");
                report(build, &what, SAMPLES, ROUNDS * ROWS, || {
                    let mut producer = Again { recording: recording.clone(), left: ROUNDS };
                    let options = Options { threads, batch_cycles, ..Options::new(&[]) };
                    assert!(run(&mut producer, &mut fresh(build, Flavour::Fast), options).divergence.is_none());
                });
            }
        }
        waves(build, &ins);
    }
}

fn waves(build: BuildId, ins: &[u32]) {
    let folder = tempfile::tempdir().unwrap();
    let mut rtl = fresh(build, Flavour::Traced);
    rtl.open_waves(&folder.path().join("speed.fst")).unwrap();
    report(build, "traced run, waves on", 5, 4 * ROWS, || (0..4).for_each(|_| rtl.run(ins)));
}
