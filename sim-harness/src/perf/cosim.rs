//! The unit in `lwp-sim cosim`.

use super::environment::{Computer, Setup, Which};
use super::records::{Recorder, counter_name};
use super::session::Session;
use super::situations::PerfSituations;
use crate::cosim::{Entry, Finished, Plan, Planned, Request, RunFailure, Situations, Stream, UnitSummary, Watched};
use crate::frontend::FrontEndConfig;
use crate::report::{HotAddress, Output, grouped};
use crate::rtl::BuildId;
use crate::session::SessionError;
use lwp_model::perf::{Config, Perf};
use lwp_model::{Choice, Unit};
use serde::Serialize;
use std::collections::BTreeMap;
use std::marker::PhantomData;

/// How the unit takes part.
pub(super) const ENTRY: Entry =
    Entry { plan, check: |text| Session::parse("", text).map(drop), example: EXAMPLE, dumps: &[] };

/// Addresses in the list of the hottest.
const HOTTEST: usize = 10;

const EXAMPLE: &str = r#"  [straps]               # every choice of the contract: personality, width, fixed, events, ...
  personality = "P6"     # or "version 1" to "version 3"
  [[counter]]
  general = 0            # or fixed = 0
  event = "INST_RETIRED" # name or code
  levels = "user"        # user, system, all
  period = 1000          # an interrupt every so many events; without it, it counts from 0
  [[counter]]
  general = 1
  event = "DATA_MEM_REFS"
  threshold = 2          # counter mask; also invert, edge, pin, unit_mask
  [interrupt]
  latency = 20           # cycles from the request to the core's acknowledgement
  [[request]]
  every = [2000, 3000]   # instructions; or instruction = N
  op = "rdpmc"           # rdpmc, rdmsr, wrmsr
  register = 0"#;

fn plan(request: &Request<'_>) -> Result<Box<dyn Planned>, SessionError> {
    let mut session = request.session.map_or_else(|| Ok(Session::default()), Session::load)?;
    if let Some(seed) = request.seed {
        session.seed = seed;
    }
    let (setup, build) = (session.setup(request.lanes, request.spacing), session.build);
    let plan = with_build!(perf, build, |U| U::plan(session, setup));
    Ok(plan.expect("a session has a build of this unit"))
}

/// A model of which a plan can be made.
trait Plannable {
    fn plan(session: Session, setup: Setup) -> Box<dyn Planned>;
}

impl<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize> Plannable
    for Perf<LP, GENERAL, FIXED, LANES>
{
    fn plan(session: Session, setup: Setup) -> Box<dyn Planned> {
        Box::new(PerfPlan::<LP, GENERAL, FIXED, LANES> { session, setup, unit: PhantomData })
    }
}

/// A run of a unit of this size.
#[derive(Debug)]
struct PerfPlan<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize> {
    session: Session,
    setup: Setup,
    unit: PhantomData<fn() -> Perf<LP, GENERAL, FIXED, LANES>>,
}

/// The unit's keys of the summary.
#[derive(Serialize)]
struct Keys {
    personality: &'static str,
    counters: Vec<Count>,
    interrupts: Interrupts,
    requests: BTreeMap<&'static str, u64>,
    requests_left: u64,
    hottest: Vec<HotAddress>,
}

/// A counter after the last cycle.
#[derive(Serialize)]
struct Count {
    lp: u8,
    counter: String,
    select: String,
    value: u64,
    overflows: u64,
}

/// Interrupts that were taken on logical processor 0, a sample for each counter that had overflowed.
#[derive(Serialize)]
struct Interrupts {
    samples: u64,
    skid_least: u64,
    skid_greatest: u64,
    skid_mean: f64,
}

impl<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize>
    PerfPlan<LP, GENERAL, FIXED, LANES>
{
    fn counts(&self, overflows: &[(u8, Which, u64)], shown: &[u32]) -> Vec<Count> {
        let register = |lp: u8, which: Which| {
            let name = match which {
                Which::General(index) => format!("state.general[{lp}][{index}].counter"),
                Which::Fixed(index) => format!("state.fixed[{lp}][{index}].counter"),
            };
            let fields = Perf::<LP, GENERAL, FIXED, LANES>::OUTPUT_FIELDS;
            fields.iter().find(|field| field.name == name).map_or(0, |field| field.of(shown))
        };
        let count = |counter: &super::environment::Counter| {
            let over = overflows.iter().find(|(lp, which, _)| (*lp, *which) == (counter.lp, counter.which));
            Count {
                lp: counter.lp,
                counter: counter_name(counter.which),
                select: format!("{:#x}", counter.select),
                value: register(counter.lp, counter.which),
                overflows: over.map_or(0, |(_, _, count)| *count),
            }
        };
        self.session.counters.iter().map(count).collect()
    }
}

impl<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize> Plan
    for PerfPlan<LP, GENERAL, FIXED, LANES>
{
    type Unit = Perf<LP, GENERAL, FIXED, LANES>;
    type Environment = Computer<LP, GENERAL, FIXED, LANES, Stream>;

    fn build(&self) -> BuildId {
        self.session.build
    }

    fn straps(&self) -> &Config {
        &self.session.straps
    }

    fn environment(&self, instructions: Stream, records: Option<Output>) -> Self::Environment {
        Computer::new(&self.setup, instructions, Recorder::new(records))
    }

    fn finish(&self, environment: Self::Environment, shown: &[u32], _dumps: &[&'static str]) -> Finished {
        let remains = environment.finish();
        let skids = remains.records.skids();
        let keys = Keys {
            personality: self.session.straps.personality.name(),
            counters: self.counts(&remains.overflows, shown),
            interrupts: Interrupts {
                samples: skids.samples,
                skid_least: skids.least,
                skid_greatest: skids.greatest,
                skid_mean: skids.sum as f64 / skids.samples.max(1) as f64,
            },
            requests: remains.records.answers(),
            requests_left: remains.requests_left,
            hottest: remains.records.addresses().hottest(HOTTEST, remains.instructions.symbols()),
        };
        Finished {
            summary: UnitSummary { lines: lines(&keys), last: hottest(&keys.hottest), ..UnitSummary::new(&keys) },
            instructions: remains.instructions,
            records: remains.records.commit(),
            dumps: Vec::new(),
        }
    }

    fn situations(&self) -> Option<Box<dyn Situations>> {
        Some(Box::new(PerfSituations::new::<Self::Unit>()))
    }

    fn front_end(&self) -> Option<&FrontEndConfig> {
        Some(&self.session.front_end)
    }

    fn seeds(&self) -> BTreeMap<String, u64> {
        BTreeMap::from([("requests".to_owned(), self.session.seed)])
    }
}

fn lines(keys: &Keys) -> Vec<(&'static str, String)> {
    let mut lines = vec![("personality", keys.personality.to_owned())];
    for (place, Count { lp, counter, select, value, overflows }) in keys.counters.iter().enumerate() {
        let label = if place == 0 { "counters" } else { "" };
        let value = grouped(*value);
        let times = if *overflows == 1 { "overflow" } else { "overflows" };
        let overflows = grouped(*overflows);
        lines.push((label, format!("processor {lp}, counter {counter} ({select}): {value}, {overflows} {times}")));
    }
    let Interrupts { samples, skid_least, skid_greatest, skid_mean } = keys.interrupts;
    if samples > 0 {
        let skid = format!("skid {skid_least} to {skid_greatest}, on average {skid_mean:.1} instructions");
        lines.push(("samples", format!("{}, {skid}", grouped(samples))));
    }
    if !keys.requests.is_empty() {
        let results: Vec<String> =
            keys.requests.iter().map(|(result, count)| format!("{} {result}", grouped(*count))).collect();
        lines.push(("requests", results.join(", ")));
    }
    if keys.requests_left > 0 {
        lines.push(("not made", format!("{}, which were due after the end", grouped(keys.requests_left))));
    }
    lines
}

fn hottest(addresses: &[HotAddress]) -> Vec<(&'static str, String)> {
    let line = |(place, HotAddress { ip, count, function }): (usize, &HotAddress)| {
        let label = if place == 0 { "hottest" } else { "" };
        let function = function.as_deref().unwrap_or("");
        (label, format!("{ip:#014x} {count:>8} samples  {function}").trim_end().to_owned())
    };
    addresses.iter().enumerate().map(line).collect()
}

impl<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize> Watched
    for Computer<LP, GENERAL, FIXED, LANES, Stream>
{
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
