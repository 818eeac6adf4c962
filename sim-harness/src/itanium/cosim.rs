//! The unit in `lwp-sim cosim`.

use super::environment::{Platform, Setup};
use super::records::Recorder;
use super::session::Session;
use super::situations::ItaniumSituations;
use super::summary::Keys;
use crate::cosim::{Entry, Finished, Plan, Planned, Request, RunFailure, Situations, Stream, UnitSummary, Watched};
use crate::report::Output;
use crate::rtl::BuildId;
use crate::session::SessionError;
use lwp_model::itanium::{Config, Itanium};
use std::marker::PhantomData;

/// How the unit takes part.
pub(super) const ENTRY: Entry =
    Entry { plan, check: |text| Session::parse("", text).map(drop), example: EXAMPLE, dumps: &[] };

const EXAMPLE: &str = r#"  bundles = 1            # build: 1 or 2 bundles a cycle
  [straps]               # every choice of the contract
  ism_order = "field"
  [[counter]]            # PMC[4] to PMC[7], in order
  event = "loads-retired" # or a number
  levels = [3]
  interrupt = true
  start = 0xffff_f000
  [[write]]              # any register: pmc, pmd, ibr, dbr, cr
  file = "pmc"
  index = 11
  value = 0
  [timer]
  every = 10000          # instructions"#;

fn plan(request: &Request<'_>) -> Result<Box<dyn Planned>, SessionError> {
    let session = request.session.map_or_else(|| Ok(Session::default()), Session::load)?;
    let setup = session.setup(request.lanes, request.spacing);
    let build = session.build;
    let plan = with_build!(itanium, build, |U| U::plan(session, setup));
    Ok(plan.expect("a session has a build of this unit"))
}

/// A model of which a plan can be made.
trait Plannable {
    fn plan(session: Session, setup: Setup) -> Box<dyn Planned>;
}

impl<const BUNDLES: usize, const ENTRIES: usize> Plannable for Itanium<BUNDLES, ENTRIES> {
    fn plan(session: Session, setup: Setup) -> Box<dyn Planned> {
        Box::new(ItaniumPlan::<BUNDLES, ENTRIES> { session, setup, unit: PhantomData })
    }
}

/// A run of a unit.
#[derive(Debug)]
struct ItaniumPlan<const BUNDLES: usize, const ENTRIES: usize> {
    session: Session,
    setup: Setup,
    unit: PhantomData<fn() -> Itanium<BUNDLES, ENTRIES>>,
}

impl<const BUNDLES: usize, const ENTRIES: usize> Plan for ItaniumPlan<BUNDLES, ENTRIES> {
    type Unit = Itanium<BUNDLES, ENTRIES>;
    type Environment = Platform<BUNDLES, Stream>;

    fn build(&self) -> BuildId {
        self.session.build
    }

    fn straps(&self) -> &Config {
        &self.session.straps
    }

    fn environment(&self, instructions: Stream, records: Option<Output>) -> Self::Environment {
        Platform::new(&self.setup, instructions, Recorder::new(records))
    }

    fn finish(&self, environment: Self::Environment, _shown: &[u32], _dumps: &[&'static str]) -> Finished {
        let remains = environment.finish();
        let keys = Keys::new(&self.session.events, &remains.records);
        Finished {
            instructions: remains.instructions,
            summary: UnitSummary { lines: keys.lines(), ..UnitSummary::new(&keys) },
            records: remains.records.commit(),
            dumps: Vec::new(),
        }
    }

    fn situations(&self) -> Option<Box<dyn Situations>> {
        Some(Box::new(ItaniumSituations::new::<Itanium<BUNDLES, ENTRIES>>()))
    }
}

impl<const BUNDLES: usize> Watched for Platform<BUNDLES, Stream> {
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
