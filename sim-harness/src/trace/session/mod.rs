//! The session file of the unit of branch records: its straps, what is recorded, and where. TOML.
//!
//! ```toml
//! sink = "memory"               # memory: the BTS buffer; bus: messages; none
//! lbr = true                    # the LBR stack records
//! levels = "user"               # user, kernel, all: whose branches are traced
//! latency = 0                   # cycles from a memory request to its grant, and from there to the response; of a message to the bus
//!
//! [straps]                      # by the names of the contract
//! lbr_format = "info"
//!
//! [buffer]                      # of branch records
//! records = 256
//! threshold = 192               # records after which it interrupts
//! circular = false
//! # present = 200               # records whose pages are present: the others page-fault
//!
//! [pebs]                        # a precise counter
//! event = "instructions"        # instructions, branches
//! period = 1000
//! records = 64                  # it interrupts when half of them are there
//! ```

pub use crate::session::SessionError;

use super::environment::{Buffer, Event, Levels, Sampling, Setup, Sink};
use crate::session::{self, Choice, Complaint, Number64, StrapsTable, choose};
use lwp_model::trace::{Config, Depth, TraceUnit};
use serde::Deserialize;
use std::path::Path;
use toml::Spanned;

/// Records that a buffer holds at most.
const MAX_RECORDS: u64 = 1 << 20;
/// Cycles of memory latency at most.
const MAX_LATENCY: u64 = 10_000;

/// A session: everything of a run but its trace and how fast that retires.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// What the hardware implements, and how.
    pub straps: Config,
    /// Where trace messages go.
    pub sink: Sink,
    /// Whether the LBR stack records.
    pub lbr: bool,
    /// Whose branches are traced.
    pub levels: Levels,
    /// Memory latency.
    pub latency: u64,
    /// The BTS buffer.
    pub buffer: Buffer,
    /// A precise counter.
    pub pebs: Option<Sampling>,
}

/// The tables of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    sink: Option<Spanned<Choice>>,
    lbr: Option<bool>,
    levels: Option<Spanned<Choice>>,
    latency: Option<Spanned<Number64>>,
    straps: Option<Spanned<StrapsTable>>,
    #[serde(default)]
    buffer: BufferTable,
    pebs: Option<Spanned<PebsTable>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct BufferTable {
    records: Option<Spanned<Number64>>,
    threshold: Option<Spanned<Number64>>,
    circular: Option<bool>,
    present: Option<Spanned<Number64>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PebsTable {
    event: Option<Spanned<Choice>>,
    period: Option<Spanned<Number64>>,
    records: Option<Spanned<Number64>>,
}

impl Default for Session {
    /// Branches of user mode go to memory and to the stack, which is the deepest one.
    fn default() -> Self {
        Self {
            straps: Config { lbr_depth: Depth::ThirtyTwo, ..Config::default() },
            sink: Sink::Memory,
            lbr: true,
            levels: Levels::User,
            latency: 0,
            buffer: Buffer::default(),
            pebs: None,
        }
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
        let straps_at = file.straps.as_ref().map(Spanned::span);
        let straps = match file.straps {
            None => Self::default().straps,
            given => session::straps::<TraceUnit<4, 32>>(given)?,
        };
        let traced = file.sink.as_ref().map(Spanned::span);
        let default = if straps.ds { Sink::Memory } else { Sink::Nowhere };
        let sink = choose(file.sink, default, &[Sink::Memory, Sink::Bus, Sink::Nowhere], sink_name)?;
        if sink != Sink::Nowhere && !straps.ds {
            return Err(("the straps have no debug store (`ds`), so there are no trace messages".to_owned(), traced));
        }
        let levels = levels(file.levels, &straps)?;
        let pebs_at = file.pebs.as_ref().map(Spanned::span);
        let pebs = file.pebs.map(|table| sampling(table.into_inner())).transpose()?;
        if pebs.is_some() && straps.pebs_counters == 0 {
            return Err(("the straps have no PEBS (`pebs_counters` is 0)".to_owned(), pebs_at.or(straps_at)));
        }
        Ok(Self {
            straps,
            sink,
            lbr: file.lbr.unwrap_or(true),
            levels,
            latency: within(file.latency, 0, 0..=MAX_LATENCY, "cycles")?,
            buffer: buffer(file.buffer)?,
            pebs,
        })
    }

    /// The environment's part of the session: groups of up to `lanes` instructions, `spacing` cycles apart.
    #[must_use]
    pub fn setup(&self, lanes: usize, spacing: u64) -> Setup {
        let Self { sink, lbr, levels, latency, buffer, pebs, .. } = *self;
        Setup { lanes, spacing, sink, lbr, levels, buffer, pebs, latency }
    }
}

const fn sink_name(sink: Sink) -> &'static str {
    match sink {
        Sink::Memory => "memory",
        Sink::Bus => "bus",
        Sink::Nowhere => "none",
    }
}

const fn levels_name(levels: Levels) -> &'static str {
    match levels {
        Levels::User => "user",
        Levels::Kernel => "kernel",
        Levels::All => "all",
    }
}

/// Without the flags that choose levels, those of all levels are traced.
fn levels(given: Option<Spanned<Choice>>, straps: &Config) -> Result<Levels, Complaint> {
    let at = given.as_ref().map(Spanned::span);
    let default = if straps.ds_cpl || !straps.ds { Levels::User } else { Levels::All };
    let levels = choose(given, default, &[Levels::User, Levels::Kernel, Levels::All], levels_name)?;
    if straps.ds && !straps.ds_cpl && levels != Levels::All {
        return Err(("the straps have no levels to choose from (`ds_cpl`): `all` are traced".to_owned(), at));
    }
    Ok(levels)
}

const fn event_name(event: Event) -> &'static str {
    match event {
        Event::Instructions => "instructions",
        Event::Branches => "branches",
    }
}

/// A number in its range; `what` it counts.
fn within(
    given: Option<Spanned<Number64>>,
    default: u64,
    range: std::ops::RangeInclusive<u64>,
    what: &str,
) -> Result<u64, Complaint> {
    let Some(given) = given else { return Ok(default) };
    let number = given.get_ref().0;
    if range.contains(&number) {
        return Ok(number);
    }
    let (low, high) = (range.start(), range.end());
    Err((format!("{number} {what} are not possible: {low} to {high}"), Some(given.span())))
}

fn buffer(table: BufferTable) -> Result<Buffer, Complaint> {
    let records = within(table.records, Buffer::default().records, 1..=MAX_RECORDS, "records")?;
    let threshold = within(table.threshold, (records * 3).div_ceil(4), 1..=records, "records before the interrupt")?;
    let present = table.present.map(|given| within(Some(given), 0, 0..=records, "records with pages")).transpose()?;
    Ok(Buffer { records, threshold, circular: table.circular.unwrap_or(false), present })
}

fn sampling(table: PebsTable) -> Result<Sampling, Complaint> {
    Ok(Sampling {
        event: choose(table.event, Event::Instructions, &[Event::Instructions, Event::Branches], event_name)?,
        period: within(table.period, 1000, 1..=1 << 32, "events from one sample to the next")?,
        records: within(table.records, 64, 1..=MAX_RECORDS, "records")?,
    })
}

#[cfg(test)]
mod tests;
