//! The machine of a pass: model, RTL, or both, of which the RTL repeats what the model was shown.

use crate::capsule::{Capsule, CapsuleError, Failure, origin};
use crate::cosim::Engine;
use crate::device::{RtlDevice, Shown, Shows};
use crate::lockstep::{self, BATCH_CYCLES, Batch, Flow, Options, Producer, Threads};
use crate::perf::machine::Machine;
use crate::report::MismatchReport;
use crate::rtl::{BuildId, Flavour, Rtl, strap_words};
use lwp_model::perf::Config;
use lwp_model::{Moore, Unit};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// Cycles before a mismatch that are shown.
const HISTORY: usize = 6;

/// What is done on a machine, whatever it is built around.
pub(super) trait Work<U: Unit> {
    /// The result.
    type Done;

    /// Does it. After `stop` it ends early.
    fn on<D: Moore<Inputs = U::Inputs, Outputs = U::Outputs>>(
        self,
        machine: &Machine<D>,
        stop: &AtomicBool,
    ) -> Self::Done;
}

/// What a machine has done, and how model and RTL compare.
#[derive(Debug)]
pub(super) struct Ran<R> {
    pub(super) done: R,
    pub(super) cycles: u64,
    pub(super) compared: u64,
    pub(super) mismatch: Option<MismatchReport>,
}

/// Does the work on a new machine with these straps, which are legal.
pub(super) fn run<U, W>(engine: Engine, build: BuildId, straps: &Config, work: W) -> Ran<W::Done>
where
    U: Shows<Config = Config>,
    U::Outputs: Send,
    W: Work<U>,
{
    let stop = AtomicBool::new(false);
    match engine {
        Engine::Model => alone(model::<U>(straps), straps, work, &stop),
        Engine::Rtl => alone(RtlDevice::<U>::new(Rtl::of::<U>(build, Flavour::Fast, straps)), straps, work, &stop),
        Engine::Lockstep => {
            let rtl = Rtl::of::<U>(build, Flavour::Fast, straps);
            in_lockstep::<U, W>(model(straps), rtl, (build, straps), work, &stop)
        }
    }
}

fn model<U: Unit<Config = Config>>(straps: &Config) -> U {
    U::new(*straps).unwrap_or_else(|error| panic!("the straps are checked: {error}"))
}

fn alone<U, D, W>(device: D, straps: &Config, work: W, stop: &AtomicBool) -> Ran<W::Done>
where
    U: Unit,
    D: Moore<Inputs = U::Inputs, Outputs = U::Outputs>,
    W: Work<U>,
{
    let machine = Machine::new(device, straps);
    let done = work.on(&machine, stop);
    Ran { done, cycles: machine.cycles(), compared: 0, mismatch: None }
}

/// The work on the model; a second thread repeats its inputs on the RTL and compares every register.
fn in_lockstep<U, W>(
    model: U,
    mut rtl: Rtl,
    (build, straps): (BuildId, &Config),
    work: W,
    stop: &AtomicBool,
) -> Ran<W::Done>
where
    U: Shows<Config = Config>,
    W: Work<U>,
{
    rtl.mute();
    let (sender, receiver) = sync_channel(4);
    let compare = move || {
        let options = Options { threads: Threads::One, history: HISTORY, ..Options::new(U::OUTPUT_FIELDS) };
        lockstep::run(&mut Received(receiver), &mut rtl, options)
    };
    thread::scope(|scope| {
        let comparison = scope.spawn(compare);
        let machine = Machine::new(Told::new(model, sender, stop), straps);
        let done = work.on(&machine, stop);
        let cycles = machine.cycles();
        machine.into_device().finish();
        let report = comparison.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        let mismatch = report.divergence.as_ref().map(|found| MismatchReport::of(found, build));
        Ran { done, cycles, compared: report.cycles, mismatch }
    })
}

/// The work on the model once more, up to a failure, as a capsule; `repeat` is the command that repeats the count.
pub(super) fn capsule<U, W>(
    build: BuildId,
    straps: &Config,
    work: W,
    (failure, repeat): (Failure, &str),
) -> Result<Capsule, CapsuleError>
where
    U: Shows<Config = Config>,
    W: Work<U>,
{
    let stop = AtomicBool::new(false);
    let (sender, receiver) = sync_channel(4);
    let record = move || {
        let origin = origin("lwp-sim count", repeat, BTreeMap::new());
        Capsule::record(build, &strap_words::<U>(straps), &mut Received(receiver), failure, origin)
    };
    thread::scope(|scope| {
        let recording = scope.spawn(record);
        let machine = Machine::new(Told::new(model::<U>(straps), sender, &stop), straps);
        work.on(&machine, &stop);
        machine.into_device().finish();
        recording.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// A model that tells what it was shown and what it then showed.
struct Told<'s, U: Shows> {
    shown: U::Shown,
    outputs: U::Outputs,
    batch: Batch,
    sender: SyncSender<(Batch, Flow)>,
    stop: &'s AtomicBool,
}

impl<'s, U: Shows> Told<'s, U> {
    fn new(model: U, sender: SyncSender<(Batch, Flow)>, stop: &'s AtomicBool) -> Self {
        let outputs = model.outputs();
        Self { shown: U::Shown::new(model), outputs, batch: batch::<U>(), sender, stop }
    }

    fn send(&mut self, flow: Flow) {
        let full = std::mem::replace(&mut self.batch, batch::<U>());
        if self.sender.send((full, flow)).is_err() {
            // The comparison has ended with a difference, or the capsule is complete.
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Tells that nothing follows.
    fn finish(mut self) {
        self.send(Flow::End);
    }
}

fn batch<U: Unit>() -> Batch {
    Batch::new(U::INPUT_WORDS, U::OUTPUT_WORDS, BATCH_CYCLES)
}

impl<U: Shows> Moore for Told<'_, U> {
    type Inputs = U::Inputs;
    type Outputs = U::Outputs;

    fn outputs(&self) -> U::Outputs {
        self.outputs.clone()
    }

    fn step(&mut self, inputs: &U::Inputs) {
        if self.batch.cycles() == BATCH_CYCLES {
            self.send(Flow::More);
        }
        let row = self.batch.push().expect("the batch has room");
        self.shown.write(row.expected);
        U::pack_inputs(inputs, true, row.inputs);
        if self.shown.step(inputs, row.inputs) {
            self.outputs = self.shown.unit().outputs();
        }
    }
}

impl<U: Shows> fmt::Debug for Told<'_, U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Told").field("cycles", &self.batch.cycles()).finish_non_exhaustive()
    }
}

/// The rows that the model has told.
struct Received(Receiver<(Batch, Flow)>);

impl Producer for Received {
    fn fill(&mut self, batch: &mut Batch) -> Flow {
        match self.0.recv() {
            Ok((told, flow)) => {
                *batch = told;
                flow
            }
            Err(_) => Flow::End,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capsule::{AFTER, Way};
    use lwp_model::Unit;
    use lwp_model::perf::{Inputs, Line, Outputs, Perf};
    use lwp_model::retire::{RegOp, RegRequest};
    use lwp_regs::access::MsrBus;
    use lwp_regs::perf::p6::P6Model;

    type P6 = Perf<1, 2, 0, 4>;

    /// Writes an event select, and then nothing for long.
    struct Writes {
        cycles: usize,
    }

    impl Work<P6> for Writes {
        type Done = usize;

        fn on<D>(self, machine: &Machine<D>, stop: &AtomicBool) -> usize
        where
            D: Moore<Inputs = Inputs<1, 4>, Outputs = Outputs<1, 2, 0>>,
        {
            // SAFETY: no register of the machine makes hardware access memory.
            unsafe { machine.core(0).wrmsr(0x187, 0x0003_00D8) }.unwrap();
            // SAFETY: as above.
            unsafe { machine.core(0).wrmsr(0x186, 0x0043_00C0) }.unwrap();
            let go_on = |cycles: &usize| *cycles < self.cycles && !stop.load(Ordering::Relaxed);
            (0..).take_while(go_on).inspect(|_| machine.run([Inputs::default()])).count()
        }
    }

    fn build() -> BuildId {
        BuildId::from_name("perf_c2").unwrap()
    }

    #[test]
    fn the_engines_run_the_same_cycles() {
        for (engine, compared) in [(Engine::Model, 0), (Engine::Rtl, 0), (Engine::Lockstep, 1004)] {
            let ran = run::<P6, _>(engine, build(), &Config::default(), Writes { cycles: 1000 });
            assert_eq!((ran.done, ran.cycles, ran.compared, ran.mismatch), (1000, 1004, compared, None), "{engine:?}");
        }
    }

    /// The capsule has the inputs up to some cycles behind the failure, and the RTL, which is right, does not fail by them.
    #[test]
    fn a_capsule_has_the_cycles_of_the_work() {
        let failure = Failure::new(Way::Mismatch { field: "state.general[0][1].counter".to_owned() }, 100);
        let work = Writes { cycles: 100_000 };
        let mut capsule = capsule::<P6, _>(build(), &Config::default(), work, (failure, "again")).unwrap();
        let mut replayed = Vec::new();
        let mut rows = capsule.rows();
        while let Some(row) = rows.next_row().unwrap() {
            replayed.push(P6::unpack_inputs(row).0.reg);
        }
        drop(rows);
        let wrmsr = |number, wdata| RegRequest { valid: true, op: RegOp::Wrmsr, lp: 0, number, wdata };
        assert_eq!(replayed.len() as u64, 101 + AFTER);
        assert_eq!([replayed[0], replayed[2]], [wrmsr(0x187, 0x3_00D8), wrmsr(0x186, 0x43_00C0)]);
        assert!(!capsule.confirm(&build()).unwrap(), "the RTL is that of the harness");
        assert_eq!(capsule.header().origin.repeat, "again");
    }

    /// RTL of another processor, which does not have the event.
    #[test]
    fn a_difference_is_found_and_ends_the_work() {
        let (ours, theirs) = (Config::default(), Config { p6_model: P6Model::PentiumPro, ..Config::default() });
        let (stop, rtl) = (AtomicBool::new(false), Rtl::of::<P6>(build(), Flavour::Fast, &theirs));
        let work = Sse { cycles: 1_000_000 };
        let ran = in_lockstep::<P6, _>(model(&ours), rtl, (build(), &ours), work, &stop);
        let mismatch = ran.mismatch.expect("a count differs");
        assert!(mismatch.to_string().contains("state.general[0][1].counter"), "{mismatch}");
        assert!(ran.done < 1_000_000, "{} cycles", ran.done);
    }

    /// As [`Writes`], with an SSE instruction in each cycle.
    struct Sse {
        cycles: usize,
    }

    impl Work<P6> for Sse {
        type Done = usize;

        fn on<D>(self, machine: &Machine<D>, stop: &AtomicBool) -> usize
        where
            D: Moore<Inputs = Inputs<1, 4>, Outputs = Outputs<1, 2, 0>>,
        {
            Writes { cycles: 0 }.on(machine, stop);
            let mut inputs = Inputs::default();
            inputs.lp[0].events.set(Line::KniRetired, 1);
            let go_on = |cycles: &usize| *cycles < self.cycles && !stop.load(Ordering::Relaxed);
            (0..).take_while(go_on).inspect(|_| machine.run([inputs])).count()
        }
    }
}
