//! The session file of the shared cache: its sizes, what each program may do, what happens, and when counters are read. TOML.
//!
//! ```toml
//! seed = 1
//!
//! [cache]                       # L3 cache
//! sets = 64
//! ways = 16
//! line = 64                     # bytes
//!
//! [l2]                          # L2 cache
//! sets = 16
//! ways = 4
//!
//! [straps]                      # by the names of the contract
//! events = 7
//!
//! [[program]]                   # RMID and class of each logical processor, in order
//! rmid = 1
//! class = 1
//!
//! [[class]]                     # classes 0, 1, ... in order; what is absent is not limited
//! l3_mask = 0x00ff              # with CDP: l3_code_mask, l3_data_mask
//! l2_mask = 0xf                 # the same
//! delay = 50
//!
//! [cdp]
//! l3 = false
//! l2 = false
//!
//! [memory]                      # in cycles
//! latency = 20                  # from grant to arrival
//! grant = 0                     # until a request is granted
//! remote = [1]                  # programs whose memory is that of another package
//!
//! [[event]]
//! at = 5000                     # cycle
//! l3_power = 4                  # or l2_power; smi or unavailable = true with `for`; program with rmid and class; class with its limits
//!
//! [[sample]]
//! every = 1000                  # cycles from one reading of all counters to the next
//! ```
//!
//! Cycles count from 0. Program n runs on logical processor n.

mod caches;
mod class;
mod event;
#[cfg(test)]
mod tests;

pub use crate::session::SessionError;
pub use class::Cdp;

use super::environment::{Assigned, Happening, MemoryTiming, Setup, Write};
use crate::rtl::BuildId;
use crate::session::{self, Complaint, Number, Number64, Straps, StrapsTable};
use class::{ClassTable, ProgramTable, Rules};
use event::{Context, EventTable};
use lwp_model::rdt::{Config, Rdt};
use serde::Deserialize;
use std::path::Path;
use toml::Spanned;

/// What a session file does not say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Defaults {
    /// Number of programs.
    pub programs: usize,
    /// Whether there is an L2 cache without a table `[l2]`.
    pub l2: bool,
}

impl Default for Defaults {
    /// One program, and an L2 cache.
    fn default() -> Self {
        Self { programs: 1, l2: true }
    }
}

/// A session: everything of a run but its programs.
#[derive(Clone, Debug, PartialEq)]
pub struct Session {
    /// Build of the unit.
    pub build: BuildId,
    /// What the hardware implements, and how.
    pub straps: Config,
    /// Seed of random decisions.
    pub seed: u64,
    /// RMID and class of each program.
    pub programs: Vec<Assigned>,
    /// Whether code and data are apart.
    pub cdp: Cdp,
    /// Writes of the operating system before the first access.
    pub writes: Vec<Write>,
    /// Memory.
    pub memory: MemoryTiming,
    /// What happens, and in which cycle, in the order of the cycles.
    pub events: Vec<(u64, Happening)>,
    /// Cycles from one reading of all counters to the next, each the period of a timer.
    pub samples: Vec<u64>,
}

/// The tables of the file.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    seed: Option<Number64>,
    #[serde(default)]
    cache: caches::CacheTable,
    l2: Option<Spanned<caches::L2Table>>,
    straps: Option<Spanned<StrapsTable>>,
    #[serde(default)]
    program: Vec<Spanned<ProgramTable>>,
    #[serde(default)]
    class: Vec<Spanned<ClassTable>>,
    #[serde(default)]
    cdp: class::CdpTable,
    #[serde(default)]
    memory: MemoryTable,
    #[serde(default)]
    event: Vec<Spanned<EventTable>>,
    #[serde(default)]
    sample: Vec<SampleTable>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct MemoryTable {
    latency: Option<Spanned<Number<100_000>>>,
    grant: Option<Number<100_000>>,
    #[serde(default)]
    remote: Vec<Spanned<Number64>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SampleTable {
    every: Spanned<Number64>,
}

/// Without a file the counters are read every 10,000 cycles.
const WITHOUT_FILE: &str = "[[sample]]\nevery = 10000\n";

impl Default for Session {
    fn default() -> Self {
        Self::without_file(&Defaults::default())
    }
}

impl Session {
    /// Returns the session of a run without a file.
    ///
    /// # Panics
    /// If no build has so many logical processors.
    #[must_use]
    pub fn without_file(defaults: &Defaults) -> Self {
        Self::parse("", WITHOUT_FILE, defaults).expect("it is legal")
    }

    /// Reads a session file.
    ///
    /// # Errors
    /// [`SessionError`] if the file cannot be read, is no TOML, has an unknown key, or has a value that makes no sense.
    pub fn load(path: &Path, defaults: &Defaults) -> Result<Self, SessionError> {
        session::load(path, |name, text| Self::parse(name, text, defaults))
    }

    /// Reads a session from text; `name` is what complaints call it.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn parse(name: &str, text: &str, defaults: &Defaults) -> Result<Self, SessionError> {
        let file: File = session::tables(name, text)?;
        Self::read(file, defaults).map_err(|complaint| SessionError::invalid(name, text, complaint))
    }

    fn read(file: File, defaults: &Defaults) -> Result<Self, Complaint> {
        let mut sizes = caches::Sizes::new(file.straps);
        sizes.l3(file.cache)?;
        sizes.l2(file.l2, defaults.l2)?;
        let straps = Straps::<Rdt<2, 8, 4, 4, 2, 4, 4>>::read(Some(sizes.into_table()))?;
        let count = defaults.programs.max(file.program.len());
        let build = caches::build(straps.unchecked(), count)?;
        let straps = with_build!(rdt, build, |U| straps.legal::<U>()).expect("a build of this unit")?;
        let rules = Rules::new(&file.cdp, &straps)?;
        let programs = programs(&file.program, count, &rules, &straps)?;
        let mut writes = rules.enable();
        for (class, table) in file.class.iter().enumerate() {
            writes.extend(rules.limits(class as u64, table.get_ref(), &table.span())?);
        }
        writes.extend(programs.iter().enumerate().filter_map(|(lp, assigned)| rules.assign(lp as u8, *assigned)));
        let events = events(file.event, &rules, straps.l2, &programs)?;
        let mut session = Self {
            build,
            straps,
            seed: file.seed.map_or(1, |seed| seed.0),
            programs,
            cdp: rules.cdp(),
            writes,
            memory: memory(&file.memory)?,
            events,
            samples: Vec::new(),
        };
        session.samples = session.samples(&file.sample, &rules)?;
        Ok(session)
    }

    /// RMIDs that programs have at any time, each with the first class that it has.
    fn rmids(&self) -> Vec<Assigned> {
        let writes = self.events.iter().filter_map(|(_, event)| match event {
            Happening::Writes(writes) => Some(writes.iter().filter_map(|write| write.assigns)),
            _ => None,
        });
        let mut rmids: Vec<Assigned> = Vec::new();
        for assigned in self.programs.iter().copied().chain(writes.flatten()) {
            if rmids.iter().all(|known| known.rmid != assigned.rmid) {
                rmids.push(assigned);
            }
        }
        rmids
    }

    /// Timers that leave the operating system the time to read all counters.
    fn samples(&self, tables: &[SampleTable], rules: &Rules) -> Result<Vec<u64>, Complaint> {
        let readings = self.rmids().len() as u64 * u64::from(rules.events());
        let takes = readings * (2 + u64::from(self.straps.settle));
        let every = |table: &SampleTable| {
            let every = table.every.get_ref().0;
            if every == 0 || every < takes {
                let what = format!("every {every} cycles is too often: to read {readings} counters takes {takes}");
                return Err((what, Some(table.every.span())));
            }
            if readings == 0 {
                return Err(("no event is monitored (strap `events`)".to_owned(), Some(table.every.span())));
            }
            Ok(every)
        };
        tables.iter().map(every).collect()
    }

    /// Returns the environment's part of the session.
    #[must_use]
    pub fn setup(&self) -> Setup {
        let sets = ["L3Sets", "L2Sets"].map(|name| self.build.parameter(name).map_or(1, |sets| sets as u16));
        Setup {
            straps: self.straps,
            writes: self.writes.clone(),
            memory: self.memory,
            events: self.events.clone(),
            rmids: self.rmids(),
            samples: self.samples.clone(),
            sets: sets[0].max(sets[1]),
        }
    }
}

/// RMID and class of each program. Without a table, the RMIDs 1, 2, ... and class 0.
fn programs(
    tables: &[Spanned<ProgramTable>],
    count: usize,
    rules: &Rules,
    straps: &Config,
) -> Result<Vec<Assigned>, Complaint> {
    let default = |number: usize| Assigned { rmid: (number as u8 + 1).min(straps.max_rmid), class: 0 };
    let program = |number: usize| match tables.get(number) {
        Some(table) => rules.program(table.get_ref(), default(number), &table.span()),
        None => Ok(default(number)),
    };
    (0..count).map(program).collect()
}

fn events(
    mut tables: Vec<Spanned<EventTable>>,
    rules: &Rules,
    l2: bool,
    programs: &[Assigned],
) -> Result<Vec<(u64, Happening)>, Complaint> {
    tables.sort_by_key(event::at);
    let mut context = Context { rules, l2, assigned: programs.to_vec() };
    tables.into_iter().map(|table| Ok((event::at(&table), context.event(table)?))).collect()
}

fn memory(table: &MemoryTable) -> Result<MemoryTiming, Complaint> {
    let default = MemoryTiming::default();
    if let Some(latency) = table.latency.as_ref().filter(|latency| latency.get_ref().0 == 0) {
        return Err(("a line takes at least 1 cycle to arrive".to_owned(), Some(latency.span())));
    }
    let mut remote = 0;
    for program in &table.remote {
        let number = program.get_ref().0;
        if number >= 8 {
            return Err((format!("there is no program {number}: programs are 0 to 7"), Some(program.span())));
        }
        remote |= 1 << number;
    }
    Ok(MemoryTiming {
        latency: table.latency.as_ref().map_or(default.latency, |latency| latency.get_ref().0),
        grant: table.grant.map_or(default.grant, |grant| grant.0),
        remote,
    })
}
