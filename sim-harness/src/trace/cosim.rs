//! The unit in `lwp-sim cosim`.

use super::environment::{Computer, Setup};
use super::records::Recorder;
use super::session::Session;
use super::situations::TraceSituations;
use crate::cosim::{Entry, Finished, Plan, Planned, Request, RunFailure, Situations, Stream, UnitSummary, Watched};
use crate::report::{Output, grouped};
use crate::rtl::BuildId;
use crate::session::SessionError;
use lwp_model::trace::{Config, TraceUnit};
use serde::Serialize;
use serde_json::{Map, Value};
use std::marker::PhantomData;

/// How the unit takes part.
pub(super) const ENTRY: Entry =
    Entry { plan, check: |text| Session::parse("", text).map(drop), example: EXAMPLE, dumps: &[] };

const EXAMPLE: &str = r#"  sink = "memory"        # memory: the BTS buffer; bus: messages; none
  levels = "user"        # user, kernel, all: whose branches are traced
  [straps]               # every choice of the contract: lbr_depth, lbr_format, dtes64, ...
  lbr_format = "info"
  [buffer]
  records = 256
  threshold = 192        # records after which it interrupts
  [pebs]
  event = "instructions" # instructions, branches
  period = 1000"#;

/// The session, with the smallest build that has its lanes and its entries.
fn plan(request: &Request<'_>) -> Result<Box<dyn Planned>, SessionError> {
    let session = request.session.map_or_else(|| Ok(Session::default()), Session::load)?;
    let setup = session.setup(request.lanes, request.spacing);
    let entries = 4 << session.straps.lbr_depth as usize;
    let has =
        |build: &BuildId, size: &str, least: usize| build.parameter(size).is_some_and(|has| has as usize >= least);
    let enough = |build: &BuildId| has(build, "RetireLanes", request.lanes) && has(build, "StackEntries", entries);
    let mut builds = BuildId::of_unit(super::UNIT.name);
    let build = builds.find(enough).or_else(|| BuildId::of_unit(super::UNIT.name).last()).expect("a unit has builds");
    let plan = with_build!(trace, build, |U| U::plan(build, session, setup));
    Ok(plan.expect("it is a build of this unit"))
}

/// A model of which a plan can be made.
trait Plannable {
    fn plan(build: BuildId, session: Session, setup: Setup) -> Box<dyn Planned>;
}

impl<const LANES: usize, const ENTRIES: usize> Plannable for TraceUnit<LANES, ENTRIES> {
    fn plan(build: BuildId, session: Session, setup: Setup) -> Box<dyn Planned> {
        Box::new(TracePlan::<LANES, ENTRIES> { build, session, setup, unit: PhantomData })
    }
}

/// A run of a unit of this size.
#[derive(Debug)]
struct TracePlan<const LANES: usize, const ENTRIES: usize> {
    build: BuildId,
    session: Session,
    setup: Setup,
    unit: PhantomData<fn() -> TraceUnit<LANES, ENTRIES>>,
}

/// The unit's keys of the summary.
#[derive(Serialize)]
struct Keys {
    records: Map<String, Value>,
    stored: u64,
    lost: u64,
    performance_interrupts: u64,
    stall_cycles: u64,
}

impl<const LANES: usize, const ENTRIES: usize> Plan for TracePlan<LANES, ENTRIES> {
    type Unit = TraceUnit<LANES, ENTRIES>;
    type Environment = Computer<LANES, Stream>;

    fn build(&self) -> BuildId {
        self.build
    }

    fn straps(&self) -> &Config {
        &self.session.straps
    }

    fn environment(&self, instructions: Stream, records: Option<Output>) -> Computer<LANES, Stream> {
        Computer::new(&self.setup, &self.session.straps, instructions, Recorder::new(records))
    }

    fn finish(&self, environment: Computer<LANES, Stream>, _shown: &[u32], _dumps: &[&'static str]) -> Finished {
        let remains = environment.finish();
        let (stored, lost) = remains.records.stores();
        let keys = Keys {
            records: remains.records.keys(),
            stored,
            lost,
            performance_interrupts: remains.records.interrupts(),
            stall_cycles: remains.stalled,
        };
        Finished {
            instructions: remains.instructions,
            summary: UnitSummary { lines: lines(&keys, &remains.records), ..UnitSummary::new(&keys) },
            records: remains.records.commit(),
            dumps: Vec::new(),
        }
    }

    fn situations(&self) -> Option<Box<dyn Situations>> {
        Some(Box::new(TraceSituations::new::<Self::Unit>()))
    }
}

fn lines(keys: &Keys, records: &Recorder) -> Vec<(&'static str, String)> {
    let kinds: Vec<String> =
        records.kinds().iter().map(|(name, count)| format!("{} {name}", grouped(*count))).collect();
    let mut lines = vec![("records", if kinds.is_empty() { "none".to_owned() } else { kinds.join(", ") })];
    if keys.stored + keys.lost > 0 {
        let interrupts = grouped(keys.performance_interrupts);
        let text = format!("{} stored, {} lost, {interrupts} interrupts", grouped(keys.stored), grouped(keys.lost));
        lines.push(("debug store", text));
    }
    if keys.stall_cycles > 0 {
        lines.push(("stall", format!("{} cycles", grouped(keys.stall_cycles))));
    }
    lines
}

impl<const LANES: usize> Watched for Computer<LANES, Stream> {
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
        trace.or_else(|| Some(RunFailure::Environment(Box::new(self.failure()?.clone()))))
    }
}
