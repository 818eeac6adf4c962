//! The unit in `lwp-sim cosim`.

use super::environment::{Computer, Setup};
use super::records::Recorder;
use super::session::Session;
use super::situations::TscSituations;
use crate::cosim::{Entry, Finished, Plan, Planned, Request, RunFailure, Situations, Stream, UnitSummary, Watched};
use crate::report::{Output, grouped};
use crate::rtl::BuildId;
use crate::session::SessionError;
use lwp_model::Unit;
use lwp_model::tsc::{Config, Tsc};
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::marker::PhantomData;

/// How the unit takes part.
pub(super) const ENTRY: Entry =
    Entry { plan, check: |text| Session::parse("", text).map(drop), example: EXAMPLE, dumps: &[] };

const EXAMPLE: &str = r#"  logical_processors = 2
  [straps]               # every choice of the contract: rate, write_width, deep_sleep, ...
  rate = "variable"
  [clock]
  bus_period = 15        # cycles from one tick of the bus clock to the next
  [[clock.change]]
  at_instruction = 500
  core_ratio = 16        # core clock to bus clock, in halves
  [[request]]
  every = [200, 400]     # instructions; or instruction = N, or cycle = N
  lp = 1
  op = "rdtscp"          # rdtsc, rdtscp, rdmsr, wrmsr"#;

/// The session, with the build that has its logical processors.
fn plan(request: &Request<'_>) -> Result<Box<dyn Planned>, SessionError> {
    let mut session = request.session.map_or_else(|| Ok(Session::default()), Session::load)?;
    if let Some(seed) = request.seed {
        session.seed = seed;
    }
    let setup = session.setup(request.lanes, request.spacing);
    let processors = session.logical_processors as u32;
    let has = |build: &BuildId| build.parameter("LogicalProcessors") == Some(processors);
    let build = BuildId::of_unit(super::UNIT.name).find(has).expect("a session has checked its size");
    let plan = with_build!(tsc, build, |U| U::plan(build, session, setup));
    Ok(plan.expect("it is a build of this unit"))
}

/// A model of which a plan can be made.
trait Plannable {
    fn plan(build: BuildId, session: Session, setup: Setup) -> Box<dyn Planned>;
}

impl<const LP: usize> Plannable for Tsc<LP> {
    fn plan(build: BuildId, session: Session, setup: Setup) -> Box<dyn Planned> {
        Box::new(TscPlan::<LP> { build, session, setup, unit: PhantomData })
    }
}

/// A run of a unit with so many logical processors.
#[derive(Debug)]
struct TscPlan<const LP: usize> {
    build: BuildId,
    session: Session,
    setup: Setup,
    unit: PhantomData<fn() -> Tsc<LP>>,
}

/// The unit's keys of the summary.
#[derive(Serialize)]
struct Keys {
    logical_processors: usize,
    requests: Map<String, Value>,
    requests_left: u64,
    processors: Vec<Registers>,
}

/// The registers of a logical processor after the last cycle.
#[derive(Serialize)]
struct Registers {
    counter: String,
    adjust: String,
    aux: String,
}

impl<const LP: usize> Plan for TscPlan<LP> {
    type Unit = Tsc<LP>;
    type Environment = Computer<Stream>;

    fn build(&self) -> BuildId {
        self.build
    }

    fn straps(&self) -> &Config {
        &self.session.straps
    }

    fn environment(&self, instructions: Stream, records: Option<Output>) -> Computer<Stream> {
        Computer::new(&self.setup, instructions, Recorder::new(records))
    }

    fn finish(&self, environment: Computer<Stream>, shown: &[u32], _dumps: &[&'static str]) -> Finished {
        let remains = environment.finish();
        let register = |lp: usize, name: &str| {
            let name = format!("state.processors[{lp}].{name}");
            let field = Tsc::<LP>::OUTPUT_FIELDS.iter().find(|field| field.name == name);
            format!("{:#x}", field.map_or(0, |field| field.of(shown)))
        };
        let processor = |lp| Registers {
            counter: register(lp, "counter"),
            adjust: register(lp, "adjust"),
            aux: register(lp, "aux"),
        };
        let keys = Keys {
            logical_processors: LP,
            requests: remains.records.keys(),
            requests_left: remains.requests_left,
            processors: (0..LP).map(processor).collect(),
        };
        let lines = lines(&keys, &remains.records);
        Finished {
            instructions: remains.instructions,
            summary: UnitSummary { lines, ..UnitSummary::new(&keys) },
            records: remains.records.commit(),
            dumps: Vec::new(),
        }
    }

    fn situations(&self) -> Option<Box<dyn Situations>> {
        Some(Box::new(TscSituations::new::<Tsc<LP>>()))
    }

    fn seeds(&self) -> BTreeMap<String, u64> {
        BTreeMap::from([("requests".to_owned(), self.session.seed)])
    }
}

fn lines(keys: &Keys, records: &Recorder) -> Vec<(&'static str, String)> {
    let mut lines = vec![("requests", grouped(records.total()))];
    for (op, results) in records.counts() {
        let results: Vec<String> =
            results.iter().map(|(result, count)| format!("{} {result}", grouped(*count))).collect();
        lines.push(("", format!("{op}: {}", results.join(", "))));
    }
    if keys.requests_left > 0 {
        lines.push(("not made", format!("{}, which were due after the end", grouped(keys.requests_left))));
    }
    for (lp, Registers { counter, adjust, aux }) in keys.processors.iter().enumerate() {
        let label = if lp == 0 { "processors" } else { "" };
        lines.push((label, format!("{lp}: counter {counter}, adjust {adjust}, aux {aux}")));
    }
    lines
}

impl Watched for Computer<Stream> {
    fn stream(&self) -> &Stream {
        self.instructions()
    }

    fn instructions(&self) -> u64 {
        self.retired()
    }

    fn cycles(&self) -> u64 {
        self.cycles()
    }

    fn take_failure(&mut self) -> Option<RunFailure> {
        let trace = self.take_trace_failure().map(RunFailure::Trace);
        trace.or_else(|| Some(RunFailure::Environment(Box::new(self.failure()?))))
    }
}
