//! Lockstep run, on one thread or two.

use super::batch::Batch;
use super::history::History;
use super::options::{Options, Threads};
use super::producer::{Flow, Producer};
use super::report::{Divergence, Report};
use crate::rtl::Rtl;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// Batches in flight between two threads: enough that neither thread waits while the system has suspended the other one.
const BUFFERS: usize = 16;
/// Batches for which the producer, which is faster than the RTL, waits at once. Waking a thread takes as long as about twenty cycles
/// of the RTL; with one wake-up per batch that cost nearly a tenth of the speed.
const RETURNED_AT_ONCE: usize = BUFFERS / 2;

/// Replays the cycles of `producer` on `rtl` until the producer ends, the first difference, or the stop flag.
///
/// The RTL should be at power-up, as a run begins at its producer's power-up. With two threads the producer runs on a new thread, and
/// the RTL on the caller's.
///
/// # Panics
/// If the producer or `on_progress` panics, with the same payload. A panic of the producer after the first difference is ignored.
pub fn run(producer: &mut dyn Producer, rtl: &mut Rtl, options: Options<'_>) -> Report {
    match options.threads {
        Threads::One => on_one_thread(producer, rtl, options),
        Threads::Two => on_two_threads(producer, rtl, options),
    }
}

fn on_one_thread(producer: &mut dyn Producer, rtl: &mut Rtl, options: Options<'_>) -> Report {
    let mut batch = Batch::new(rtl.in_words(), rtl.out_words(), options.batch_cycles);
    let stop = options.stop;
    let mut checker = Checker::new(rtl, options);
    loop {
        if stop.load(Ordering::Relaxed) {
            return checker.stopped();
        }
        batch.clear();
        let flow = producer.fill(&mut batch);
        if checker.check(&batch) == Flow::End || flow == Flow::End {
            return checker.report;
        }
    }
}

fn on_two_threads(producer: &mut dyn Producer, rtl: &mut Rtl, options: Options<'_>) -> Report {
    let (full, full_batches) = sync_channel(BUFFERS);
    let (empty, empty_batches) = sync_channel(BUFFERS);
    for _ in 0..BUFFERS {
        let batch = Batch::new(rtl.in_words(), rtl.out_words(), options.batch_cycles);
        empty.send(batch).expect("its receiver is in scope");
    }
    let stop = options.stop;
    let mut checker = Checker::new(rtl, options);
    thread::scope(|scope| {
        let producing = scope.spawn(move || produce(producer, &empty_batches, &full, stop));
        let ended = check_all(&mut checker, full_batches, empty, stop);
        match producing.join() {
            Err(payload) if checker.report.divergence.is_none() => resume_unwind(payload),
            _ if ended == Ended::Stopped => checker.stopped(),
            _ => checker.report,
        }
    })
}

/// Runs the producer. Returns when the run ends, or when the other side has dropped its ends of the channels.
fn produce(producer: &mut dyn Producer, empty: &Receiver<Batch>, full: &SyncSender<(Batch, Flow)>, stop: &AtomicBool) {
    while let Ok(mut batch) = empty.recv() {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        batch.clear();
        let flow = producer.fill(&mut batch);
        if full.send((batch, flow)).is_err() || flow == Flow::End {
            return;
        }
    }
}

#[derive(PartialEq, Eq)]
enum Ended {
    Stopped,
    Otherwise,
}

/// Replays the batches on the RTL. Takes the channels by value: when they are dropped, by return or by panic, the producer's thread
/// ends.
fn check_all(
    checker: &mut Checker<'_, '_>,
    full: Receiver<(Batch, Flow)>,
    empty: SyncSender<Batch>,
    stop: &AtomicBool,
) -> Ended {
    let mut played = Vec::with_capacity(RETURNED_AT_ONCE);
    loop {
        if stop.load(Ordering::Relaxed) {
            return Ended::Stopped;
        }
        let Ok((batch, flow)) = full.recv() else {
            // The producer saw the stop flag first, or panicked.
            return if stop.load(Ordering::Relaxed) { Ended::Stopped } else { Ended::Otherwise };
        };
        if checker.check(&batch) == Flow::End || flow == Flow::End {
            return Ended::Otherwise;
        }
        played.push(batch);
        if played.len() == RETURNED_AT_ONCE {
            // Fails only when the producer is gone, which the next receive will tell.
            played.drain(..).for_each(|batch| drop(empty.send(batch)));
        }
    }
}

/// State of the RTL's side of a run.
struct Checker<'r, 'o> {
    rtl: &'r mut Rtl,
    options: Options<'o>,
    history: History,
    report: Report,
}

impl<'r, 'o> Checker<'r, 'o> {
    fn new(rtl: &'r mut Rtl, options: Options<'o>) -> Self {
        let history = History::new(options.history);
        Checker { rtl, options, history, report: Report { cycles: 0, divergence: None, stopped: false } }
    }

    /// Replays one batch. A divergence ends the run.
    fn check(&mut self, batch: &Batch) -> Flow {
        let result = self.rtl.replay(batch.inputs(), batch.expected());
        let base = self.report.cycles;
        let agreed = result.as_ref().map_or_else(|stop| stop.cycle_in_batch, |()| batch.cycles());
        self.report.cycles += agreed as u64;
        let flow = match result {
            Ok(()) => {
                self.history.extend(batch, agreed);
                Flow::More
            }
            Err(stop) => {
                let (inputs, expected) = (batch.input_row(agreed), batch.expected_row(agreed));
                let mut divergence = Divergence::new(base, stop, inputs, expected, self.options.fields);
                divergence.assertion = divergence.assertion_failed.then(|| self.rtl.assertion_label()).flatten();
                self.history.extend(batch, agreed + 1);
                divergence.history = std::mem::replace(&mut self.history, History::new(0)).into_rows();
                self.report.divergence = Some(divergence);
                Flow::End
            }
        };
        if let Some(on_progress) = &mut self.options.on_progress {
            on_progress(self.report.cycles);
        }
        flow
    }

    fn stopped(mut self) -> Report {
        self.report.stopped = true;
        self.report
    }
}
