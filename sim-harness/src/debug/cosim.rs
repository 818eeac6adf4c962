//! The unit in `lwp-sim cosim`.

use super::environment::{Computer, Setup};
use super::records::Recorder;
use super::session::Session;
use super::situations::DebugSituations;
use crate::cosim::{Entry, Finished, Plan, Planned, Request, RunFailure, Situations, Stream, UnitSummary, Watched};
use crate::report::{Output, grouped};
use crate::rtl::BuildId;
use crate::session::SessionError;
use lwp_model::Unit;
use lwp_model::debug::{Config, DebugUnit};
use lwp_regs::debug::{BreakpointAddress, Slot};
use serde::Serialize;
use serde_json::{Map, Value};
use std::marker::PhantomData;

/// How the unit takes part.
pub(super) const ENTRY: Entry =
    Entry { plan, check: |text| Session::parse("", text).map(drop), example: EXAMPLE, dumps: &[] };

const EXAMPLE: &str = r#"  single_step = "branches"   # instructions, branches; without it the program is not stepped
  step_from = "main"     # a symbol of a captured program, or an address
  [straps]               # every choice of the contract: string_group, merge_next, status, ...
  ss_chain = true
  [[breakpoint]]
  register = 0           # DR0 to DR3
  symbol = "counter"     # or address = "0x404028"
  kind = "write"         # execute, write, access, io
  length = 8             # bytes"#;

/// The session, with the build that has its lanes: one, or four of which fewer may be used.
fn plan(request: &Request<'_>) -> Result<Box<dyn Planned>, SessionError> {
    let session = request.session.map_or_else(|| Ok(Session::default()), Session::load)?;
    let setup = session.setup(request.lanes, request.spacing);
    let enough = |build: &BuildId| build.parameter("RetireLanes").is_some_and(|lanes| lanes as usize >= request.lanes);
    let mut builds = BuildId::of_unit(super::UNIT.name);
    let build = builds.find(enough).or_else(|| BuildId::of_unit(super::UNIT.name).last()).expect("a unit has builds");
    let plan = with_build!(debug, build, |U| U::plan(build, session, setup));
    Ok(plan.expect("it is a build of this unit"))
}

/// A model of which a plan can be made.
trait Plannable {
    fn plan(build: BuildId, session: Session, setup: Setup) -> Box<dyn Planned>;
}

impl<const LANES: usize, const ACCESSES: usize> Plannable for DebugUnit<LANES, ACCESSES> {
    fn plan(build: BuildId, session: Session, setup: Setup) -> Box<dyn Planned> {
        Box::new(DebugPlan::<LANES, ACCESSES> { build, session, setup, unit: PhantomData })
    }
}

/// A run of a unit of this size.
#[derive(Debug)]
struct DebugPlan<const LANES: usize, const ACCESSES: usize> {
    build: BuildId,
    session: Session,
    setup: Setup,
    unit: PhantomData<fn() -> DebugUnit<LANES, ACCESSES>>,
}

/// The unit's keys of the summary.
#[derive(Serialize)]
struct Keys {
    exceptions: Map<String, Value>,
    regions_aborted: u64,
    registers: Map<String, Value>,
}

impl<const LANES: usize, const ACCESSES: usize> Plan for DebugPlan<LANES, ACCESSES> {
    type Unit = DebugUnit<LANES, ACCESSES>;
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

    fn finish(&self, environment: Computer<LANES, Stream>, shown: &[u32], _dumps: &[&'static str]) -> Finished {
        let remains = environment.finish();
        let address = |slot: &Slot| {
            let name = format!("state.registers.address[{}]", slot.number());
            let field = Self::Unit::OUTPUT_FIELDS.iter().find(|field| field.name == name);
            let address = BreakpointAddress::from_bits(field.map_or(0, |field| field.of(shown)));
            (slot.name().to_owned(), format!("{:#x}", address.address()).into())
        };
        let keys = Keys {
            exceptions: remains.records.keys(),
            regions_aborted: remains.aborts,
            registers: Slot::ALL.iter().map(address).collect(),
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
        Some(Box::new(DebugSituations::new::<Self::Unit>()))
    }
}

fn lines(keys: &Keys, records: &Recorder) -> Vec<(&'static str, String)> {
    let counts = |counts: Vec<(&'static str, u64)>| -> String {
        let counts: Vec<String> = counts.iter().map(|(name, count)| format!("{} {name}", grouped(*count))).collect();
        counts.join(", ")
    };
    let mut lines = vec![("exceptions", grouped(records.total()))];
    if records.total() > 0 {
        lines.push(("", format!("by class: {}", counts(records.classes()))));
        lines.push(("", format!("by cause: {}", counts(records.causes()))));
    }
    if keys.regions_aborted > 0 {
        lines.push(("aborted", format!("{} regions", grouped(keys.regions_aborted))));
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
