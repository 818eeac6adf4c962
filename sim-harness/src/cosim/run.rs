//! Run of a plan with any engine.

use super::finished::Finished;
use super::plan::{Plan, model};
use super::situations::{self, Counting};
use super::stream::Stream;
use crate::device::{Environment, ModelProducer, RtlDevice, Shown, Shows, run_closed_loop};
use crate::lockstep::{self, Options, Report};
use crate::report::Output;
use crate::rtl::Rtl;
use crate::traces::TraceError;
use lwp_model::Unit;
use miette::Diagnostic;

/// Reason why a run ended early.
#[derive(Debug)]
pub enum RunFailure {
    /// The trace cannot be read to its end.
    Trace(TraceError),
    /// The environment cannot continue.
    Environment(Box<dyn Diagnostic + Send + Sync>),
}

/// Environment of a unit that runs a trace.
pub trait Watched: Environment + Send {
    /// Returns the supply of the instructions.
    fn stream(&self) -> &Stream;

    /// Returns the number of instructions that have retired.
    fn instructions(&self) -> u64;

    /// Returns the number of cycles since reset.
    fn cycles(&self) -> u64;

    /// Takes the reason why the run ended early, if it did. A second call returns `None`.
    fn take_failure(&mut self) -> Option<RunFailure>;
}

/// View of an environment while it runs.
pub trait Visited {
    /// Returns the supply of the instructions.
    fn stream(&self) -> &Stream;

    /// Returns the number of instructions that have retired.
    fn instructions(&self) -> u64;

    /// Requests the end of the run.
    fn stop(&mut self);
}

impl<E: Watched> Visited for E {
    fn stream(&self) -> &Stream {
        Watched::stream(self)
    }

    fn instructions(&self) -> u64 {
        Watched::instructions(self)
    }

    fn stop(&mut self) {
        Environment::stop(self);
    }
}

/// Function that is called with the environment every few hundred cycles.
pub type Visit<'a> = &'a (dyn Fn(&mut dyn Visited) + Sync);

/// Run of any unit. One of the engines runs it once.
pub trait Run {
    /// Returns the environment.
    fn visited(&self) -> &dyn Visited;

    /// Runs the model in its environment, and the RTL in lockstep with it.
    fn in_lockstep(&mut self, rtl: &mut Rtl, options: Options<'_>, visit: Visit<'_>) -> Report;

    /// Runs only the model.
    fn model_alone(&mut self, visit: Visit<'_>);

    /// Runs only the RTL, and returns it.
    fn rtl_alone(&mut self, rtl: Rtl, visit: Visit<'_>) -> Rtl;

    /// Returns the number of cycles since reset.
    fn cycles(&self) -> u64;

    /// Takes the reason why the run ended early, if it did. A second call returns `None`.
    fn take_failure(&mut self) -> Option<RunFailure>;

    /// Returns the result of the run. `dumps` are the names of the dumps that were requested.
    fn finish(self: Box<Self>, dumps: &[&'static str]) -> Finished;
}

/// Model and environment of a plan.
pub(super) struct Job<'p, P: Plan> {
    plan: &'p P,
    /// Environment; `None` only while a producer owns it.
    environment: Option<P::Environment>,
    /// Row that the unit shows after the last cycle.
    shown: Vec<u32>,
    /// What a lockstep run has met, if the unit counts it.
    met: Vec<(&'static str, u64)>,
}

const HERE: &str = "the environment comes back from every run";

impl<'p, P: Plan> Job<'p, P> {
    pub(super) fn new(plan: &'p P, instructions: Stream, records: Option<Output>) -> Self {
        let environment = Some(plan.environment(instructions, records));
        Self { plan, environment, shown: vec![0; P::Unit::OUTPUT_WORDS], met: Vec::new() }
    }

    fn environment(&self) -> &P::Environment {
        self.environment.as_ref().expect(HERE)
    }

    fn environment_mut(&mut self) -> &mut P::Environment {
        self.environment.as_mut().expect(HERE)
    }
}

impl<P: Plan> Run for Job<'_, P> {
    fn visited(&self) -> &dyn Visited {
        self.environment()
    }

    fn in_lockstep(&mut self, rtl: &mut Rtl, options: Options<'_>, visit: Visit<'_>) -> Report {
        let environment = self.environment.take().expect(HERE);
        let mut producer =
            ModelProducer::new(model(self.plan), environment, |environment: &mut P::Environment| visit(environment));
        let report = match self.plan.situations() {
            None => lockstep::run(&mut producer, rtl, options),
            Some(mut situations) => {
                let (producer, words) = (&mut producer, P::Unit::OUTPUT_WORDS);
                let report =
                    lockstep::run(&mut Counting { producer, situations: situations.as_mut(), words }, rtl, options);
                self.met = situations.counts();
                report
            }
        };
        let (environment, shown) = producer.into_parts();
        (self.environment, self.shown) = (Some(environment), shown);
        report
    }

    fn model_alone(&mut self, visit: Visit<'_>) {
        let mut model = model(self.plan);
        run_closed_loop(&mut model, self.environment_mut(), &mut |environment| visit(environment));
        self.shown = vec![0; <P::Unit as Unit>::OUTPUT_WORDS];
        <P::Unit as Shows>::Shown::new(model).write(&mut self.shown);
    }

    fn rtl_alone(&mut self, rtl: Rtl, visit: Visit<'_>) -> Rtl {
        let mut device = RtlDevice::<P::Unit>::new(rtl);
        run_closed_loop(&mut device, self.environment_mut(), &mut |environment| visit(environment));
        self.shown = device.row().to_vec();
        device.into_rtl()
    }

    fn cycles(&self) -> u64 {
        self.environment().cycles()
    }

    fn take_failure(&mut self) -> Option<RunFailure> {
        self.environment_mut().take_failure()
    }

    fn finish(self: Box<Self>, dumps: &[&'static str]) -> Finished {
        let Self { plan, environment, shown, met } = *self;
        let mut finished = plan.finish(environment.expect(HERE), &shown, dumps);
        if !met.is_empty() {
            situations::add(&met, &mut finished.summary);
        } else if plan.situations().is_some() {
            situations::add_none(&mut finished.summary);
        }
        finished
    }
}
