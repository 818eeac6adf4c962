//! The session file of the performance counters: straps, what is counted, interrupts, who reads. TOML.
//!
//! ```toml
//! logical_processors = 1        # with the general and fixed counters that the straps ask for, this chooses the build
//! seed = 1                      # of the distances between requests
//!
//! [straps]                      # by the names of the contract
//! personality = "P6"            # P6, version 1, version 2, version 3
//!
//! [clock]
//! bus_period = 4                # cycles from one tick of the bus clock to the next; 0: it stands still
//! core_ratio = 8                # core clock to bus clock, in halves
//!
//! [core]
//! pce = true                    # CR4.PCE: RDPMC at any privilege level
//! freeze_on_pmi = false         # IA32_DEBUGCTL, bits 12 and 14
//! freeze_while_smm = false
//!
//! [[counter]]                   # programmed before the first instruction
//! lp = 0                        # logical processor
//! general = 0                   # or fixed = 0
//! event = "INST_RETIRED"        # name or code
//! unit_mask = 0
//! levels = "all"                # user, system, all
//! edge = false
//! pin = false
//! any_thread = false
//! invert = false
//! threshold = 0                 # counter mask
//! period = 1000                 # an interrupt every so many events; without it, it counts from 0
//!
//! [interrupt]
//! delivery = "fixed"            # fixed, smi, nmi
//! vector = 64                   # of a fixed interrupt
//! masked = false
//! latency = 20                  # cycles from the request to the core's acknowledgement
//! handler = 8                   # cycles of the handler in addition to its register writes
//!
//! [[request]]
//! every = [2000, 3000]          # instructions: a number or a range; or instruction = N
//! lp = 0
//! op = "rdpmc"                  # rdpmc, rdmsr, wrmsr; the last two by the operating system
//! register = 0                  # ECX of RDPMC, or a register by name or number
//! value = 7                     # what WRMSR writes
//! ```
//!
//! Cycles and instructions count from 0. The trace runs on logical processor 0.

mod counter;
mod interrupt;
mod request;

pub use crate::session::SessionError;

use super::environment::{Counter, Interrupt, Request, Setup};
use crate::frontend::FrontEndConfig;
use crate::rtl::BuildId;
use crate::session::{self, Complaint, Flag, Number, Number64, Straps, StrapsTable};
use lwp_model::perf::{Config, Perf};
use serde::Deserialize;
use std::path::Path;
use toml::Spanned;

/// A session: everything of a run but its trace and how fast that retires.
#[derive(Clone, Debug, PartialEq)]
pub struct Session {
    /// Build of the unit.
    pub build: BuildId,
    /// What the hardware implements, and how.
    pub straps: Config,
    /// Cycles from one tick of the bus clock to the next.
    pub bus_period: u64,
    /// Ratio of core clock to bus clock, in halves.
    pub core_ratio: u8,
    /// CR4.PCE.
    pub pce: bool,
    /// IA32_DEBUGCTL.FREEZE_PERFMON_ON_PMI.
    pub freeze_on_pmi: bool,
    /// IA32_DEBUGCTL.FREEZE_WHILE_SMM.
    pub freeze_while_smm: bool,
    /// What is counted.
    pub counters: Vec<Counter>,
    /// Performance interrupts.
    pub interrupt: Interrupt,
    /// Who reads.
    pub requests: Vec<Request>,
    /// Caches and predictor, for traces that lack outcomes.
    pub front_end: FrontEndConfig,
    /// Seed of the distances between requests.
    pub seed: u64,
}

/// The tables of the file.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    logical_processors: Option<Spanned<Number64>>,
    seed: Option<Number64>,
    straps: Option<Spanned<StrapsTable>>,
    #[serde(default)]
    clock: ClockTable,
    #[serde(default)]
    core: CoreTable,
    counter: Option<Vec<Spanned<counter::CounterTable>>>,
    interrupt: Option<Spanned<interrupt::InterruptTable>>,
    #[serde(default)]
    request: Vec<Spanned<request::RequestTable>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct ClockTable {
    bus_period: Option<Number<0xFFFF_FFFF>>,
    core_ratio: Option<Number<255>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct CoreTable {
    pce: Option<Flag>,
    #[serde(default)]
    freeze_on_pmi: Flag,
    #[serde(default)]
    freeze_while_smm: Flag,
}

impl Default for Session {
    /// A Pentium III counts instructions, with an interrupt every 10,000, and mispredicted branches.
    fn default() -> Self {
        Self::read(File::default()).unwrap_or_else(|(what, _)| panic!("the default session is legal: {what}"))
    }
}

impl Session {
    /// Reads a session file.
    ///
    /// # Errors
    /// [`SessionError`] if the file cannot be read, is no TOML, has an unknown key, or has a value that makes no sense.
    pub fn load(path: &Path) -> Result<Self, SessionError> {
        session::load(path, Self::parse)
    }

    /// Reads a session from text; `name` is what complaints call it.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn parse(name: &str, text: &str) -> Result<Self, SessionError> {
        let file: File = session::tables(name, text)?;
        Self::read(file).map_err(|complaint| SessionError::invalid(name, text, complaint))
    }

    fn read(file: File) -> Result<Self, Complaint> {
        let straps = Straps::<Perf<1, 1, 0, 1>>::read(file.straps)?;
        let Config { counters, fixed, .. } = *straps.unchecked();
        let build = build(file.logical_processors, (counters.into(), fixed.into()))?;
        let processors = size(build, "LogicalProcessors");
        let straps = with_build!(perf, build, |U| straps.legal::<U>()).expect("a build of this unit")?;
        let counters = match file.counter {
            Some(tables) => counter::counters(tables, &straps, processors)?,
            None => counter::default_counters(&straps),
        };
        let requests = file.request.into_iter().map(|table| request::request(table, processors));
        Ok(Self {
            build,
            straps,
            bus_period: file.clock.bus_period.map_or(4, |period| period.0),
            core_ratio: file.clock.core_ratio.map_or(8, Number::u8),
            pce: file.core.pce.is_none_or(|flag| flag.0),
            freeze_on_pmi: file.core.freeze_on_pmi.0,
            freeze_while_smm: file.core.freeze_while_smm.0,
            counters,
            interrupt: file.interrupt.map_or_else(|| Ok(Interrupt::default()), interrupt::interrupt)?,
            requests: requests.collect::<Result<_, _>>()?,
            front_end: FrontEndConfig::default(),
            seed: file.seed.map_or(1, |seed| seed.0),
        })
    }

    /// Returns the environment's part of the session: groups of up to `lanes` instructions, `spacing` cycles apart.
    #[must_use]
    pub fn setup(&self, lanes: usize, spacing: u64) -> Setup {
        Setup {
            lanes,
            spacing,
            straps: self.straps,
            bus_period: self.bus_period,
            core_ratio: self.core_ratio,
            counters: self.counters.clone(),
            interrupt: self.interrupt,
            freeze_on_pmi: self.freeze_on_pmi,
            freeze_while_smm: self.freeze_while_smm,
            pce: self.pce,
            requests: self.requests.clone(),
            seed: self.seed,
        }
    }
}

fn size(build: BuildId, name: &str) -> usize {
    build.parameter(name).map_or(0, |size| size as usize)
}

/// Returns the first build with so many logical processors, general and fixed counters at least.
fn build(processors: Option<Spanned<Number64>>, (general, fixed): (usize, usize)) -> Result<BuildId, Complaint> {
    let wanted = processors.as_ref().map(|given| given.get_ref().0 as usize);
    let fits = |build: &BuildId| {
        wanted.is_none_or(|wanted| size(*build, "LogicalProcessors") == wanted)
            && size(*build, "GeneralCounters") >= general
            && size(*build, "FixedCounters") >= fixed
    };
    BuildId::of_unit("perf").find(fits).ok_or_else(|| {
        let sizes = |build: BuildId| {
            let [lp, general, fixed] =
                ["LogicalProcessors", "GeneralCounters", "FixedCounters"].map(|name| size(build, name));
            format!("{lp} with {general} general and {fixed} fixed counters")
        };
        let builds: Vec<String> = BuildId::of_unit("perf").map(sizes).collect();
        let logical = wanted.map_or_else(String::new, |wanted| format!(" {wanted} logical processors,"));
        let what = format!(
            "there is no build with{logical} {general} general and {fixed} fixed counters; there are {}",
            builds.join(", ")
        );
        (what, processors.map(|given| given.span()))
    })
}
