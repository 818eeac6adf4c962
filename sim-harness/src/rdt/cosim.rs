//! The unit in `lwp-sim cosim`.

use super::environment::{Computer, Traced};
use super::records::Recorder;
use super::session::{Defaults, Session};
use super::situations::RdtSituations;
use super::summary::Keys;
use crate::cosim::{Entry, Finished, Plan, Planned, Request, RunFailure, Situations, Stream, UnitSummary, Watched};
use crate::device::Shows;
use crate::report::Output;
use crate::rtl::BuildId;
use crate::session::SessionError;
use lwp_model::rdt::{Config, Inputs, Outputs, Rdt};
use std::fmt;
use std::marker::PhantomData;

/// How the unit takes part.
pub(super) const ENTRY: Entry = Entry { plan, check, example: EXAMPLE, dumps: &[] };

const EXAMPLE: &str = r#"  [cache]                # the L3 cache; [l2] has the same keys but `line`
  sets = 64
  ways = 16
  [[program]]            # of the logical processors, in order: the trace runs on the first
  rmid = 1
  class = 1
  [[class]]              # 0, 1, ... in order
  l3_mask = 0x00ff
  [[class]]
  l3_mask = 0xff00
  delay = 50
  [[event]]
  at = 5000
  l3_power = 4           # or smi, unavailable, a context switch, other limits
  [[sample]]
  every = 1000           # cycles"#;

fn check(text: &str) -> Result<(), SessionError> {
    Session::parse("", text, &Defaults::default()).map(drop)
}

fn plan(request: &Request<'_>) -> Result<Box<dyn Planned>, SessionError> {
    let defaults = Defaults::default();
    let session = request.session.map_or_else(|| Ok(Session::default()), |path| Session::load(path, &defaults))?;
    let build = session.build;
    let (lanes, spacing) = (request.lanes, request.spacing);
    let plan = with_build!(rdt, build, |U| U::plan(session, lanes, spacing));
    Ok(plan.expect("a session has a build of this unit"))
}

/// A model of which a plan can be made.
trait Plannable {
    fn plan(session: Session, lanes: usize, spacing: u64) -> Box<dyn Planned>;
}

impl<
    const LP: usize,
    const L3_SETS: usize,
    const L3_WAYS: usize,
    const L2_SETS: usize,
    const L2_WAYS: usize,
    const RMIDS: usize,
    const CLASSES: usize,
> Plannable for Rdt<LP, L3_SETS, L3_WAYS, L2_SETS, L2_WAYS, RMIDS, CLASSES>
{
    fn plan(session: Session, lanes: usize, spacing: u64) -> Box<dyn Planned> {
        Box::new(RdtPlan::<Self, LP> { session, lanes, spacing, unit: PhantomData })
    }
}

/// A run of a unit with `LP` logical processors.
struct RdtPlan<U, const LP: usize> {
    session: Session,
    lanes: usize,
    spacing: u64,
    unit: PhantomData<fn() -> U>,
}

impl<U, const LP: usize> fmt::Debug for RdtPlan<U, LP> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RdtPlan").field("session", &self.session).finish_non_exhaustive()
    }
}

impl<U, const LP: usize> Plan for RdtPlan<U, LP>
where
    U: Shows<Config = Config, Inputs = Inputs<LP>, Outputs = Outputs<LP>>,
{
    type Unit = U;
    type Environment = Computer<LP, Traced<Stream>>;

    fn build(&self) -> BuildId {
        self.session.build
    }

    fn straps(&self) -> &Config {
        &self.session.straps
    }

    fn environment(&self, instructions: Stream, records: Option<Output>) -> Self::Environment {
        let trace = Traced::new(instructions, self.lanes, self.spacing, self.session.straps.line);
        Computer::new(&self.session.setup(), vec![trace], Recorder::new(records))
    }

    fn finish(&self, environment: Self::Environment, _shown: &[u32], _dumps: &[&'static str]) -> Finished {
        let remains = environment.finish();
        let keys = Keys::new(&remains.by_rmid, remains.power, remains.events_left, &remains.records);
        let trace = remains.programs.into_iter().next().expect("there is one program").0;
        Finished {
            instructions: trace.into_instructions(),
            summary: UnitSummary { lines: keys.lines(), ..UnitSummary::new(&keys) },
            records: remains.records.commit(),
            dumps: Vec::new(),
        }
    }

    fn situations(&self) -> Option<Box<dyn Situations>> {
        Some(Box::new(RdtSituations::new::<U>()))
    }
}

impl<const LP: usize> Watched for Computer<LP, Traced<Stream>> {
    fn stream(&self) -> &Stream {
        self.program(0).instructions()
    }

    fn instructions(&self) -> u64 {
        self.program(0).retired()
    }

    fn cycles(&self) -> u64 {
        self.cycles()
    }

    fn take_failure(&mut self) -> Option<RunFailure> {
        let trace = self.take_trace_failure().map(RunFailure::Trace);
        trace.or_else(|| Some(RunFailure::Environment(Box::new(self.failure()?))))
    }
}
