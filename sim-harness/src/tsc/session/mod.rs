//! The session file of the time-stamp counter: its straps, how time passes, who asks. TOML.
//!
//! ```toml
//! logical_processors = 2        # 1, 2, 4 or 8
//! seed = 1                      # of the distances between requests
//!
//! [straps]                      # by the names of the contract
//! rate = "variable"
//!
//! [clock]                       # in cycles of the unit
//! bus_period = 15               # from one tick of the bus clock to the next; 0: it stands still
//! crystal_period = 125          # the same of the crystal
//! core_ratio = 30               # core clock to bus clock, in halves
//!
//! [[clock.change]]              # another ratio from then on
//! at_instruction = 500          # or at_cycle = N
//! core_ratio = 16
//!
//! [[sleep]]                     # the core sleeps: nothing retires, nobody asks
//! kind = "dpslp"                # hlt, stpclk, dpslp
//! from = 1000                   # the first cycle
//! to = 2000                     # the first cycle after it
//!
//! [[request]]
//! every = [200, 400]            # instructions: a number or a range; or instruction = N, or cycle = N
//! lp = 1                        # logical processor
//! op = "wrmsr"                  # rdtsc, rdtscp, rdmsr, wrmsr
//! register = "IA32_TSC_AUX"     # or a number
//! value = 7                     # what WRMSR writes
//! cpl = 0                       # privilege level; without it that of the instruction that retires
//! mode = "64-bit"               # real, virtual-8086, protected, compatibility, 64-bit
//! tsd = false                   # CR4.TSD
//! ```
//!
//! Cycles and instructions count from 0.

mod clock;
mod request;

pub use crate::session::SessionError;

use super::environment::{Clock, Request, Setup, Sleep};
use crate::session::{self, Complaint, Number64, StrapsTable};
use lwp_model::tsc::{Config, Tsc};
use serde::Deserialize;
use std::path::Path;
use toml::Spanned;

/// A session: everything of a run but its trace and how fast that retires.
#[derive(Clone, Debug, PartialEq)]
pub struct Session {
    /// Logical processors: the build of the unit.
    pub logical_processors: usize,
    /// What the hardware implements, and how.
    pub straps: Config,
    /// How time passes.
    pub clock: Clock,
    /// When the core sleeps.
    pub sleeps: Vec<Sleep>,
    /// Who asks.
    pub requests: Vec<Request>,
    /// Seed of the distances between requests.
    pub seed: u64,
}

/// The tables of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    logical_processors: Option<Spanned<Number64>>,
    seed: Option<Number64>,
    straps: Option<Spanned<StrapsTable>>,
    #[serde(default)]
    clock: clock::ClockTable,
    #[serde(default)]
    sleep: Vec<Spanned<clock::SleepTable>>,
    request: Option<Vec<Spanned<request::RequestTable>>>,
}

impl Default for Session {
    /// The rate is invariant, and each of two logical processors executes RDTSC every 200 to 400 instructions.
    fn default() -> Self {
        Self::of(2, request::default_requests(2))
    }
}

impl Session {
    fn of(logical_processors: usize, requests: Vec<Request>) -> Self {
        Self {
            logical_processors,
            straps: Config::default(),
            clock: Clock::default(),
            sleeps: Vec::new(),
            requests,
            seed: 1,
        }
    }

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
        let processors = file.logical_processors.map_or(Ok(2), processors)?;
        let requests = match file.request {
            Some(tables) => {
                tables.into_iter().map(|table| request::request(table, processors)).collect::<Result<_, _>>()?
            }
            None => request::default_requests(processors),
        };
        Ok(Self {
            straps: session::straps::<Tsc<1>>(file.straps)?,
            clock: file.clock.clock()?,
            sleeps: file.sleep.into_iter().map(clock::sleep).collect::<Result<_, _>>()?,
            seed: file.seed.map_or(1, |seed| seed.0),
            ..Self::of(processors, requests)
        })
    }

    /// The environment's part of the session: groups of up to `lanes` instructions, `spacing` cycles apart.
    #[must_use]
    pub fn setup(&self, lanes: usize, spacing: u64) -> Setup {
        let Self { clock, sleeps, requests, seed, .. } = self.clone();
        Setup { lanes, spacing, clock, sleeps, requests, seed }
    }
}

fn processors(given: Spanned<Number64>) -> Result<usize, Complaint> {
    let count = given.get_ref().0;
    match count {
        1 | 2 | 4 | 8 => Ok(count as usize),
        _ => Err((format!("there is no build of {count} logical processors: 1, 2, 4 or 8"), Some(given.span()))),
    }
}
