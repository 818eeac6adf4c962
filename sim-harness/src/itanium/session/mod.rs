//! The session file of the event qualification: what the operating system writes into the registers, and when it reads the counters.
//! TOML.
//!
//! ```toml
//! bundles = 1                   # build of the unit: 1 or 2 bundles a cycle
//!
//! [straps]                      # by the names of the contract
//! ism_order = "field"
//!
//! [[counter]]                   # PMC[4] to PMC[7], in order
//! event = "loads-retired"       # name or number
//! umask = 0
//! threshold = 0
//! levels = [3]                  # privilege levels that are monitored
//! system = false                # enabled by PSR.pp, not PSR.up
//! code = "both"                 # instruction sets: both, ia-64, ia-32
//! interrupt = true              # an overflow freezes and interrupts
//! pin = false                   # an overflow pulses the pin
//! start = 0xffff_f000           # at first, and behind each overflow that freezes
//!
//! [[write]]                     # any other register
//! file = "pmc"                  # pmc, pmd, ibr, dbr, cr
//! index = 11
//! value = 0
//!
//! [psr]                         # of the application
//! up = true
//! pp = true
//!
//! [timer]
//! every = 10000                 # instructions
//!
//! [core]
//! clock = 1                     # cycles from one period of the core's clock to the next
//! ```
//!
//! PMC\[0\] is cleared last, so that monitoring begins with the application.

mod counter;
#[cfg(test)]
mod tests;

pub use crate::session::SessionError;

use super::environment::{Setup, Write};
use super::machine::File;
use crate::rtl::BuildId;
use crate::session::{self, Choice, Complaint, Flag, Number, Number32, Number64, StrapsTable, choose};
use counter::CounterTable;
use lwp_model::itanium::{COUNTERS, Config, Itanium};
use lwp_regs::itanium::Psr;
use serde::Deserialize;
use std::path::Path;
use toml::Spanned;

/// A session: everything of a run but its program.
#[derive(Clone, Debug, PartialEq)]
pub struct Session {
    /// Build of the unit.
    pub build: BuildId,
    /// What the hardware implements, and how.
    pub straps: Config,
    /// Names of the events that the counters count, by counter.
    pub events: [Option<String>; COUNTERS],
    /// What the operating system writes before the application begins.
    pub writes: Vec<Write>,
    /// What PMD\[4\] to PMD\[7\] are set to at the beginning and at each overflow that freezes.
    pub start: [u32; COUNTERS],
    /// PSR of the application.
    pub psr: Psr,
    /// Instructions from one interruption by the timer to the next; 0: there is no timer.
    pub timer: u64,
    /// Cycles from one period of the core's clock to the next.
    pub core_clock: u64,
}

/// The tables of the file.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tables {
    bundles: Option<Spanned<Number64>>,
    straps: Option<Spanned<StrapsTable>>,
    counter: Option<Vec<Spanned<CounterTable>>>,
    #[serde(default)]
    write: Vec<WriteTable>,
    #[serde(default)]
    psr: PsrTable,
    #[serde(default)]
    timer: TimerTable,
    #[serde(default)]
    core: CoreTable,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WriteTable {
    file: Spanned<Choice>,
    index: Spanned<Number<255>>,
    value: Number64,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct PsrTable {
    up: Option<Flag>,
    pp: Option<Flag>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct TimerTable {
    every: Option<Spanned<Number64>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct CoreTable {
    clock: Option<Spanned<Number32>>,
}

/// Register files by name.
const FILES: [(&str, File); 5] =
    [("pmc", File::Pmc), ("pmd", File::Pmd), ("ibr", File::Ibr), ("dbr", File::Dbr), ("cr", File::Cr)];

impl Default for Session {
    /// IA-32 instructions, loads, stores and clocks of the application, read every 10,000 instructions.
    fn default() -> Self {
        let read = |table: Tables| Self::read(table).unwrap_or_else(|(what, _)| unreachable!("the default: {what}"));
        Self { timer: 10_000, ..read(Tables::default()) }
    }
}

impl Session {
    /// Reads a session file.
    ///
    /// # Errors
    ///
    /// [`SessionError`] if the file cannot be read, is no TOML, has an unknown key, or has a value that makes no sense.
    pub fn load(path: &Path) -> Result<Self, SessionError> {
        session::load(path, Self::parse)
    }

    /// Reads a session from text; `name` is what complaints call it.
    ///
    /// # Errors
    ///
    /// As [`load`](Self::load).
    pub fn parse(name: &str, text: &str) -> Result<Self, SessionError> {
        let file: Tables = session::tables(name, text)?;
        Self::read(file).map_err(|complaint| SessionError::invalid(name, text, complaint))
    }

    fn read(file: Tables) -> Result<Self, Complaint> {
        let counters = counter::counters(file.counter)?;
        let mut writes = counters.writes;
        for table in file.write {
            writes.push(write(table)?);
        }
        // The operating system thaws last.
        writes.push(Write { number: File::Pmc.number(0), value: 0 });
        let set = |flag: Option<Flag>| flag.is_none_or(|flag| flag.0);
        Ok(Self {
            build: build(file.bundles)?,
            straps: session::straps::<Itanium<1, 4>>(file.straps)?,
            events: counters.events,
            writes,
            start: counters.start,
            psr: Psr::new().with_up(set(file.psr.up)).with_pp(set(file.psr.pp)),
            timer: at_least_one(file.timer.every.map(|given| (given.get_ref().0, given.span())))?.unwrap_or(0),
            core_clock: at_least_one(file.core.clock.map(|given| (given.get_ref().0, given.span())))?.unwrap_or(1),
        })
    }

    /// Returns the environment's part of the session: groups of up to `lanes` instructions, `spacing` cycles apart.
    #[must_use]
    pub fn setup(&self, lanes: usize, spacing: u64) -> Setup {
        let Self { writes, start, psr, timer, core_clock, .. } = self.clone();
        Setup { lanes, spacing, core_clock, writes, start, psr: psr.into_bits(), timer }
    }
}

/// The build that fetches so many bundles in a cycle.
fn build(bundles: Option<Spanned<Number64>>) -> Result<BuildId, Complaint> {
    let (wanted, place) = bundles.map_or((1, None), |given| (given.get_ref().0, Some(given.span())));
    let has = |build: &BuildId| build.parameter("Bundles").is_some_and(|bundles| u64::from(bundles) == wanted);
    let found = BuildId::of_unit(super::UNIT.name).find(has);
    found.ok_or_else(|| (format!("there is no build that fetches {wanted} bundles in a cycle: 1 or 2"), place))
}

fn write(table: WriteTable) -> Result<Write, Complaint> {
    let names = FILES.map(|(name, _)| name);
    let name = choose(Some(table.file), names[0], &names, |name| name)?;
    let file = FILES.iter().find(|(known, _)| *known == name).map_or(File::Pmc, |(_, file)| *file);
    let index = table.index.get_ref().u8();
    let limit = match file {
        File::Ibr | File::Dbr => 7,
        File::Cr => 0,
        File::Pmc | File::Pmd => 255,
    };
    if index > limit {
        let what = match file {
            File::Cr => "the unit has one control register, DCR: index 0".to_owned(),
            _ => format!("there is no {name}[{index}]: 0 to {limit}"),
        };
        return Err((what, Some(table.index.span())));
    }
    Ok(Write { number: file.number(index), value: table.value.0 })
}

fn at_least_one(given: Option<(u64, std::ops::Range<usize>)>) -> Result<Option<u64>, Complaint> {
    match given {
        Some((0, place)) => Err(("0 is too few: at least 1".to_owned(), Some(place))),
        given => Ok(given.map(|(number, _)| number)),
    }
}
